//===- Math.cpp - exact functions to PTX -===//
//
// The operations of `math` that have one exact result; the strict-float verifier has refused the
// others.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/PTX/IR/PTXConvertInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXFloatInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXIntegerInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXLogicInsts.h.inc"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

constexpr ptx::Rounding RN = ptx::Rounding::RN;

Value lowerFma(Emit e, math::FmaOp, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF16())
    return ptx::fmaF16(builder, loc, v[0], v[1], v[2]);
  if (element.isBF16())
    return ptx::fmaBF16(builder, loc, v[0], v[1], v[2]);
  if (element.isF32())
    return ptx::fmaF32(builder, loc, v[0], v[1], v[2], RN);
  if (element.isF64())
    return ptx::fmaF64(builder, loc, v[0], v[1], v[2], RN);
  return {};
}

/// In 16 bits through f32, which rounds right twice (ArithFloat.cpp says why).
Value lowerSqrt(Emit e, math::SqrtOp, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF32())
    return ptx::sqrtF32(builder, loc, v[0], RN);
  if (element.isF64())
    return ptx::sqrtF64(builder, loc, v[0], RN);
  if (element.isF16())
    return ptx::cvtF16F32(builder, loc,
                          ptx::sqrtF32(builder, loc, ptx::cvtF32F16(builder, loc, v[0]), RN), RN);
  if (element.isBF16())
    return ptx::cvtBF16F32(builder, loc, ptx::sqrtF32(builder, loc, widenBF16(e, v[0]), RN),
                           ptx::NearestOrZero::RN);
  return {};
}

/// Clears the sign bit of any float, NaN included.
Value lowerAbsF(Emit e, math::AbsFOp, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF32())
    return ptx::absF32(builder, loc, v[0]);
  if (element.isF64())
    return ptx::absF64(builder, loc, v[0]);
  if (element.isF16() || element.isBF16())
    return ptx::andB16(builder, loc, v[0], constantBits(e, element, 0x7fff));
  return {};
}

Value lowerCopySign(Emit e, math::CopySignOp, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF32())
    return ptx::copysignF32(builder, loc, v[1], v[0]);
  if (element.isF64())
    return ptx::copysignF64(builder, loc, v[1], v[0]);
  if (element.isF16() || element.isBF16())
    return ptx::orB16(builder, loc,
                      ptx::andB16(builder, loc, v[0], constantBits(e, element, 0x7fff)),
                      ptx::andB16(builder, loc, v[1], constantBits(e, element, 0x8000)));
  return {};
}

template <ptx::IntegerRounding rounding, typename Op>
Value lowerRound(Emit e, Op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (element.isF16())
    return ptx::cvtF16F16(builder, loc, v[0], rounding);
  if (element.isF32())
    return ptx::cvtF32F32(builder, loc, v[0], rounding);
  if (element.isF64())
    return ptx::cvtF64F64(builder, loc, v[0], rounding);
  // An integer of a bf16's magnitude is a bf16: this narrowing is exact.
  if (element.isBF16())
    return ptx::cvtBF16F32(builder, loc, ptx::cvtF32F32(builder, loc, widenBF16(e, v[0]), rounding),
                           ptx::NearestOrZero::RN);
  return {};
}

Value lowerAbsI(Emit e, math::AbsIOp, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  switch (integerWidth(element)) {
  case 8:
    return ptx::absS32(builder, loc, signExtend8(e, v[0]));
  case 16:
    return ptx::absS16(builder, loc, v[0]);
  case 32:
    return ptx::absS32(builder, loc, v[0]);
  case 64:
    return ptx::absS64(builder, loc, v[0]);
  default:
    return {};
  }
}

/// Counts of bits, on 32 or 64 bits; the count comes in a b32 register.
template <Value (*b32)(OpBuilder &, Location, Value), Value (*b64)(OpBuilder &, Location, Value),
          typename Op>
Value lowerCount(Emit e, Op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  if (integerWidth(element) == 32)
    return b32(builder, loc, v[0]);
  if (integerWidth(element) == 64)
    return ptx::cvtU64U32(builder, loc, b64(builder, loc, v[0]));
  return {};
}

/// Zeros below the lowest one are zeros above the highest one of the reversed bits.
Value trailingZeros32(OpBuilder &builder, Location loc, Value value) {
  return ptx::clzB32(builder, loc, ptx::brevB32(builder, loc, value));
}
Value trailingZeros64(OpBuilder &builder, Location loc, Value value) {
  return ptx::clzB64(builder, loc, ptx::brevB64(builder, loc, value));
}

} // namespace

void mettle::detail::populateMathToPTX(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  using namespace math;
  using enum ptx::IntegerRounding;
  addElementwise<FmaOp>(lowerFma, converter, patterns);
  addElementwise<SqrtOp>(lowerSqrt, converter, patterns);
  addElementwise<AbsFOp>(lowerAbsF, converter, patterns);
  addElementwise<CopySignOp>(lowerCopySign, converter, patterns);
  addElementwise<FloorOp>(lowerRound<RMI, FloorOp>, converter, patterns);
  addElementwise<CeilOp>(lowerRound<RPI, CeilOp>, converter, patterns);
  addElementwise<TruncOp>(lowerRound<RZI, TruncOp>, converter, patterns);
  addElementwise<RoundEvenOp>(lowerRound<RNI, RoundEvenOp>, converter, patterns);
  addElementwise<AbsIOp>(lowerAbsI, converter, patterns);
  addElementwise<CtPopOp>(lowerCount<ptx::popcB32, ptx::popcB64, CtPopOp>, converter, patterns);
  addElementwise<CountLeadingZerosOp>(lowerCount<ptx::clzB32, ptx::clzB64, CountLeadingZerosOp>,
                                      converter, patterns);
  addElementwise<CountTrailingZerosOp>(
      lowerCount<trailingZeros32, trailingZeros64, CountTrailingZerosOp>, converter, patterns);
}
