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
