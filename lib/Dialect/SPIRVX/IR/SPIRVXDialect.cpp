//===- SPIRVXDialect.cpp - the dialect's registration and attributes ------===//
//
// Puts every family of operations into the dialect and verifies its two discardable attributes.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h"

#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mettle::spirvx;

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.cpp.inc"

// Each is defined in the family's own source.
namespace mettle::spirvx::detail {
#define METTLE_FAMILY(NAME) void register##NAME##Ops(SPIRVXDialect &dialect);
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXFamilies.inc"
} // namespace mettle::spirvx::detail

void SPIRVXDialect::initialize() {
#define METTLE_FAMILY(NAME) detail::register##NAME##Ops(*this);
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXFamilies.inc"
}

LogicalResult SPIRVXDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != alignmentAttrName)
    return op->emitOpError() << "expected no attribute '" << attribute.getName().getValue() << "'";
  if (!isa<spirv::GlobalVariableOp, spirv::VariableOp>(op))
    return op->emitOpError() << "expected '" << alignmentAttrName
                             << "' on a spirv.GlobalVariable or a spirv.Variable";
  auto alignment = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!alignment || !alignment.getType().isSignlessInteger(32) ||
      !alignment.getValue().isPowerOf2())
    return op->emitOpError() << "expected '" << alignmentAttrName
                             << "' to be an i32 that is a power of two, got "
                             << attribute.getValue();
  return success();
}

LogicalResult SPIRVXDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                      NamedAttribute attribute) {
  if (attribute.getName() != hiddenWorkgroupAttrName)
    return op->emitOpError() << "expected no attribute '" << attribute.getName().getValue()
                             << "' on an argument";
  auto function = dyn_cast<spirv::FuncOp>(op);
  Type type = function ? function.getFunctionType().getInput(argument) : Type();
  auto pointer = dyn_cast_if_present<spirv::PointerType>(type);
  if (!pointer || pointer.getStorageClass() != spirv::StorageClass::Workgroup)
    return op->emitOpError() << "expected '" << hiddenWorkgroupAttrName
                             << "' on a pointer into workgroup memory of a spirv.func, got "
                             << (type ? type : NoneType::get(op->getContext()));
  return success();
}
