//===- ArithFloat.cpp - float arithmetic to PTX -===//
//
// Every instruction names its rounding, so ptxas contracts nothing. Where PTX has no instruction
// the value is computed in f32 and rounded again, only for operations where two roundings are
// proved to give what one would: for add, sub, mul, div and sqrt a format of p bits rounds right
// through one of at least 2p + 2 (Figueroa, "When is double rounding innocuous?", 1995), and
// 24 >= 2 * 11 + 2. In bf16, whose exponents are those of f32, results below 2^-126 keep it: the
// sum of two bf16 is then exact in f32, and a product or quotient that f32 rounds to a tie of bf16
// below 2^-126 would need more significant bits than 2 * 8.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/PTX/IR/PTXCompareInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXConvertInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXFloatInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXLogicInsts.h.inc"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

constexpr ptx::Rounding RN = ptx::Rounding::RN;

Value throughF32(Emit e, Type element, ArrayRef<Value> v,
                 llvm::function_ref<Value(ArrayRef<Value>)> compute) {
  auto [builder, loc] = e;
  SmallVector<Value, 2> wide;
  for (Value value : v)
    wide.push_back(element.isBF16() ? widenBF16(e, value) : ptx::cvtF32F16(builder, loc, value));
  Value result = compute(wide);
  return element.isBF16() ? ptx::cvtBF16F32(builder, loc, result, ptx::NearestOrZero::RN)
                          : ptx::cvtF16F32(builder, loc, result, RN);
}

/// add, sub and mul, which PTX has in every format but, before sm_90, bf16.
template <Value (*f16)(OpBuilder &, Location, Value, Value, bool, bool),
          Value (*f32)(OpBuilder &, Location, Value, Value, ptx::Rounding, bool, bool),
          Value (*f64)(OpBuilder &, Location, Value, Value, ptx::Rounding), typename Op>
Value lowerBasic(Emit e, Op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF16())
    return f16(builder, loc, v[0], v[1], false, false);
  if (element.isF32())
    return f32(builder, loc, v[0], v[1], RN, false, false);
  if (element.isF64())
    return f64(builder, loc, v[0], v[1], RN);
  if (element.isBF16())
    return throughF32(e, element, v, [&](ArrayRef<Value> w) {
      return f32(builder, loc, w[0], w[1], RN, false, false);
    });
  return {};
}

Value lowerDivF(Emit e, arith::DivFOp, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF32())
    return ptx::divF32(builder, loc, v[0], v[1], RN);
  if (element.isF64())
    return ptx::divF64(builder, loc, v[0], v[1], RN);
  if (element.isF16() || element.isBF16())
    return throughF32(e, element, v,
                      [&](ArrayRef<Value> w) { return ptx::divF32(builder, loc, w[0], w[1], RN); });
  return {};
}

/// Flips the sign bit of any float, NaN included.
Value lowerNegF(Emit e, arith::NegFOp, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF32())
    return ptx::negF32(builder, loc, v[0]);
  if (element.isF64())
    return ptx::negF64(builder, loc, v[0]);
  if (element.isF16() || element.isBF16())
    return ptx::xorB16(builder, loc, v[0], constantBits(e, element, 0x8000));
  return {};
}

/// NaN if an operand is, and -0.0 below +0.0, which min and max order too. The form that returns
/// NaN itself needs sm_80; adding the operands makes one on every target.
template <typename Op, Value (*f32)(OpBuilder &, Location, Value, Value, bool),
          Value (*f64)(OpBuilder &, Location, Value, Value)>
Value lowerMinMax(Emit e, Op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF32()) {
    Value number = f32(builder, loc, v[0], v[1], false);
    Value nan = ptx::addF32(builder, loc, v[0], v[1], RN);
    Value isNaN = ptx::setpF32(builder, loc, v[0], v[1], ptx::FloatCompare::NaN);
    return ptx::selpB32(builder, loc, nan, number, isNaN);
  }
  if (element.isF64()) {
    Value number = f64(builder, loc, v[0], v[1]);
    Value nan = ptx::addF64(builder, loc, v[0], v[1], RN);
    Value isNaN = ptx::setpF64(builder, loc, v[0], v[1], ptx::FloatCompare::NaN);
    return ptx::selpB64(builder, loc, nan, number, isNaN);
  }
  if (element.isF16() || element.isBF16())
    return throughF32(e, element, v, [&](ArrayRef<Value> w) {
      return lowerMinMax<Op, f32, f64>(e, Op(), Float32Type::get(builder.getContext()), w);
    });
  return {};
}

} // namespace

void mettle::detail::populateArithFloatToPTX(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  using namespace arith;
  addElementwise<AddFOp>(lowerBasic<ptx::addF16, ptx::addF32, ptx::addF64, AddFOp>, converter,
                         patterns);
  addElementwise<SubFOp>(lowerBasic<ptx::subF16, ptx::subF32, ptx::subF64, SubFOp>, converter,
                         patterns);
  addElementwise<MulFOp>(lowerBasic<ptx::mulF16, ptx::mulF32, ptx::mulF64, MulFOp>, converter,
                         patterns);
  addElementwise<DivFOp>(lowerDivF, converter, patterns);
  addElementwise<NegFOp>(lowerNegF, converter, patterns);
  addElementwise<MaximumFOp>(lowerMinMax<MaximumFOp, ptx::maxF32, ptx::maxF64>, converter,
                             patterns);
  addElementwise<MinimumFOp>(lowerMinMax<MinimumFOp, ptx::minF32, ptx::minF64>, converter,
                             patterns);
}
