//===- Dot.cpp - products of bytes as PTX -===//
//
// Every GPU that PTX is emitted for has the instruction.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/DotOps.h"
#include "Mettle/Dialect/PTX/IR/PTXIntegerInsts.h.inc"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

static Value lowerDot4(Emit e, Dot4Op op, Type, ArrayRef<Value> v) {
  auto instruction = op.getIsUnsigned() ? ptx::dp4aU32U32 : ptx::dp4aS32S32;
  return instruction(e.builder, e.loc, v[0], v[1], v[2]);
}

void mettle::detail::populateDotToPTX(const TypeConverter &converter, RewritePatternSet &patterns) {
  addElementwise<Dot4Op>(lowerDot4, converter, patterns);
}
