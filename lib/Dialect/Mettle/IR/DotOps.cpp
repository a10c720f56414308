//===- DotOps.cpp - mettle.dot4 -===//
//
// The meaning of dot4, which its fold and the interpreter share.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/DotOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/DotOps.cpp.inc"

namespace mettle::detail {
void registerDotOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/DotOps.cpp.inc"
      >();
}
} // namespace mettle::detail

uint32_t Dot4Op::evaluate(uint32_t a, uint32_t b, uint32_t c, bool isUnsigned) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    uint32_t left = a >> shift & 255, right = b >> shift & 255;
    if (!isUnsigned) {
      left = (left ^ 128) - 128;
      right = (right ^ 128) - 128;
    }
    c += left * right;
  }
  return c;
}

OpFoldResult Dot4Op::fold(FoldAdaptor adaptor) {
  // Of zeros nothing is added.
  if (matchPattern(adaptor.getA(), m_Zero()) || matchPattern(adaptor.getB(), m_Zero()))
    return getC();
  auto word = [](Attribute attribute) { return dyn_cast_or_null<IntegerAttr>(attribute); };
  IntegerAttr a = word(adaptor.getA()), b = word(adaptor.getB()), c = word(adaptor.getC());
  if (!a || !b || !c)
    return {};
  auto bits = [](IntegerAttr attribute) {
    return static_cast<uint32_t>(attribute.getValue().getZExtValue());
  };
  uint32_t value = evaluate(bits(a), bits(b), bits(c), getIsUnsigned());
  return IntegerAttr::get(getType(), APInt(32, value));
}
