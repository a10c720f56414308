//===- MettleDialect.cpp - the dialect's registration -===//
//
// Puts types, attributes and every family of operations into the dialect, and says that a helper
// may be inlined wherever it is called.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mettle;

#include "Mettle/Dialect/Mettle/IR/MettleDialect.cpp.inc"
#include "Mettle/Dialect/Mettle/IR/MettleEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Mettle/Dialect/Mettle/IR/MettleAttrs.cpp.inc"

// Each is defined in the family's own source.
namespace mettle::detail {
#define METTLE_FAMILY(NAME) void register##NAME##Ops(MettleDialect &dialect);
#include "Mettle/Dialect/Mettle/IR/MettleFamilies.inc"
} // namespace mettle::detail

namespace {
/// Every operation may stand in any function of a kernel, so inlining is always legal.
struct MettleInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

Operation *MettleDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                              Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult MettleDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != unrollAttrName)
    return success();
  // unroll-c1; by its name, so that the dialect needs no loops.
  if (StringRef name = op->getName().getStringRef(); name != "scf.for" && name != "scf.while")
    return op->emitOpError() << "expected " << unrollAttrName
                             << " on scf.for or scf.while, got it here";
  // unroll-c2
  auto factor = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!factor || !factor.getType().isInteger(64) || factor.getInt() < 1 ||
      factor.getInt() > maxUnroll)
    return op->emitOpError() << "expected " << unrollAttrName << " to be an i64 from 1 to "
                             << maxUnroll << ", got " << attribute.getValue();
  return success();
}

void MettleDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Mettle/Dialect/Mettle/IR/MettleAttrs.cpp.inc"
      >();
  addInterfaces<MettleInlinerInterface>();
#define METTLE_FAMILY(NAME) detail::register##NAME##Ops(*this);
#include "Mettle/Dialect/Mettle/IR/MettleFamilies.inc"
}
