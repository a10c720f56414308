//===- PTXDialect.cpp - the dialect's registration -===//
//
// Types, attributes, resources, and every family of operations.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/PTX/IR/PTXDialect.h"

#include "Mettle/Dialect/PTX/IR/FunctionOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mettle::ptx;

#include "Mettle/Dialect/PTX/IR/PTXDialect.cpp.inc"
#include "Mettle/Dialect/PTX/IR/PTXEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Mettle/Dialect/PTX/IR/PTXAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "Mettle/Dialect/PTX/IR/PTXTypes.cpp.inc"

// Each is defined in the family's own source.
namespace mettle::ptx::detail {
#define METTLE_FAMILY(NAME) void register##NAME##Ops(PTXDialect &dialect);
#include "Mettle/Dialect/PTX/IR/PTXFamilies.inc"
} // namespace mettle::ptx::detail

void PTXDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "Mettle/Dialect/PTX/IR/PTXTypes.cpp.inc"
      >();
}

void PTXDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Mettle/Dialect/PTX/IR/PTXAttrs.cpp.inc"
      >();
#define METTLE_FAMILY(NAME) detail::register##NAME##Ops(*this);
#include "Mettle/Dialect/PTX/IR/PTXFamilies.inc"
}

Type mettle::ptx::registerType(MLIRContext *context, RegisterClass registerClass) {
  switch (registerClass) {
  case RegisterClass::Pred:
    return PredType::get(context);
  case RegisterClass::B16:
    return B16Type::get(context);
  case RegisterClass::B32:
    return B32Type::get(context);
  case RegisterClass::B64:
    return B64Type::get(context);
  }
  llvm_unreachable("every class is listed");
}

RegisterClass mettle::ptx::registerClassOf(Type type) {
  return TypeSwitch<Type, RegisterClass>(type)
      .Case([](PredType) { return RegisterClass::Pred; })
      .Case([](B16Type) { return RegisterClass::B16; })
      .Case([](B32Type) { return RegisterClass::B32; })
      .Case([](B64Type) { return RegisterClass::B64; });
}

namespace {
/// One resource for each kind of memory.
template <Memory kind> struct MemoryResource : SideEffects::Resource::Base<MemoryResource<kind>> {
  StringRef getName() final { return "ptx memory"; }
};

template <unsigned... kinds>
SideEffects::Resource *pickResource(Memory memory, std::integer_sequence<unsigned, kinds...>) {
  static SideEffects::Resource *const all[] = {MemoryResource<Memory(kinds)>::get()...};
  return all[unsigned(memory)];
}
} // namespace

SideEffects::Resource *mettle::ptx::resourceOf(Memory memory) {
  return pickResource(memory, std::make_integer_sequence<unsigned, numMemories>());
}

LogicalResult PTXDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned index,
                                                   NamedAttribute attribute) {
  // param-c3
  if (!isa<EntryOp>(op) || attribute.getName() != "ptx.param" ||
      !isa<ParamAttr>(attribute.getValue()))
    return op->emitError()
           << "expected argument #" << index
           << " to have no attribute of ptx but a #ptx.param as ptx.param, and that "
              "in a ptx.entry, got "
           << attribute.getName() << " = " << attribute.getValue();
  return success();
}

LogicalResult ParamAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                std::optional<ParamType> type, std::optional<PointerSpace> pointer,
                                std::optional<uint32_t> align) {
  // param-c1
  if (align && !pointer)
    return emitError() << "expected an alignment with a pointer only";
  // param-c2
  if (align && !llvm::isPowerOf2_32(*align))
    return emitError() << "expected a power of two as alignment, got " << *align;
  return success();
}
