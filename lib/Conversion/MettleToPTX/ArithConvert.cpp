//===- ArithConvert.cpp - conversions between types to PTX -===//
//
// Integer widths, float widths, and between the two. A conversion to float rounds to nearest even,
// as arith says; one to integer rounds toward zero and is undefined out of range.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/PTX/IR/PTXCompareInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXConvertInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXLogicInsts.h.inc"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

constexpr ptx::Rounding RN = ptx::Rounding::RN;
constexpr ptx::IntegerRounding RZI = ptx::IntegerRounding::RZI;

Type resultElement(Operation *op) { return getElementTypeOrSelf(op->getResult(0).getType()); }

//===----------------------------------------------------------------------===//
// Between integers
//===----------------------------------------------------------------------===//

/// From 8 bits on, widths in registers: zero- or sign-extends `value` from one to another.
Value extend(Emit e, unsigned from, unsigned to, bool isSigned, Value value) {
  auto [builder, loc] = e;
  if (from == 1) {
    Type type = IntegerType::get(builder.getContext(), to);
    Value one = constantBits(e, type, isSigned ? ~uint64_t(0) : 1), zero = constantBits(e, type, 0);
    switch (to) {
    case 16:
      return ptx::selpB16(builder, loc, one, zero, value);
    case 64:
      return ptx::selpB64(builder, loc, one, zero, value);
    default:
      return ptx::selpB32(builder, loc, one, zero, value);
    }
  }
  switch (from << 8 | to) {
  case 8 << 8 | 16:
    return isSigned ? ptx::cvtS16S8(builder, loc, value) : ptx::cvtU16U8(builder, loc, value);
  case 8 << 8 | 32:
    return isSigned ? signExtend8(e, value) : zeroExtend8(e, value);
  case 8 << 8 | 64:
    return isSigned ? ptx::cvtS64S8(builder, loc, value) : ptx::cvtU64U8(builder, loc, value);
  case 16 << 8 | 32:
    return isSigned ? ptx::cvtS32S16(builder, loc, value) : ptx::cvtU32U16(builder, loc, value);
  case 16 << 8 | 64:
    return isSigned ? ptx::cvtS64S16(builder, loc, value) : ptx::cvtU64U16(builder, loc, value);
  case 32 << 8 | 64:
    return isSigned ? ptx::cvtS64S32(builder, loc, value) : ptx::cvtU64U32(builder, loc, value);
  default:
    return {};
  }
}

Value truncate(Emit e, unsigned from, unsigned to, Value value) {
  auto [builder, loc] = e;
  switch (from << 8 | to) {
  case 64 << 8 | 32:
  case 64 << 8 | 8:
    return ptx::cvtU32U64(builder, loc, value);
  case 64 << 8 | 16:
    return ptx::cvtU16U64(builder, loc, value);
  case 32 << 8 | 16:
    return ptx::cvtU16U32(builder, loc, value);
  case 32 << 8 | 8:
    return value;
  case 16 << 8 | 8:
    return ptx::cvtU32U16(builder, loc, value);
  default:
    return {};
  }
}

/// The lowest bit of a register as a predicate.
Value lowestBit(Emit e, unsigned from, Value value) {
  auto [builder, loc] = e;
  Value word = from > 32    ? truncate(e, from, 32, value)
               : from == 16 ? extend(e, 16, 32, false, value)
                            : value;
  Type i32 = builder.getI32Type();
  Value bit = ptx::andB32(builder, loc, word, constantBits(e, i32, 1));
  return ptx::setpB32(builder, loc, bit, constantBits(e, i32, 0), ptx::BitsCompare::NE);
}

template <bool isSigned, typename Op>
Value lowerExtend(Emit e, Op op, Type element, ArrayRef<Value> v) {
  return extend(e, integerWidth(element), integerWidth(resultElement(op)), isSigned, v[0]);
}

Value lowerTruncI(Emit e, arith::TruncIOp op, Type element, ArrayRef<Value> v) {
  unsigned from = integerWidth(element), to = integerWidth(resultElement(op));
  return to == 1 ? lowestBit(e, from, v[0]) : truncate(e, from, to, v[0]);
}

template <bool isSigned, typename Op>
Value lowerIndexCast(Emit e, Op op, Type element, ArrayRef<Value> v) {
  unsigned from = integerWidth(element), to = integerWidth(resultElement(op));
  if (from == to)
    return v[0];
  return from < to ? extend(e, from, to, isSigned, v[0]) : truncate(e, from, to, v[0]);
}

//===----------------------------------------------------------------------===//
// Between floats
//===----------------------------------------------------------------------===//

Value lowerExtF(Emit e, arith::ExtFOp op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  Type to = resultElement(op);
  if (to.isF32())
    return element.isBF16()  ? widenBF16(e, v[0])
           : element.isF16() ? ptx::cvtF32F16(builder, loc, v[0])
                             : Value();
  if (!to.isF64())
    return {};
  if (element.isBF16())
    return ptx::cvtF64F32(builder, loc, widenBF16(e, v[0]));
  return element.isF16()   ? ptx::cvtF64F16(builder, loc, v[0])
         : element.isF32() ? ptx::cvtF64F32(builder, loc, v[0])
                           : Value();
}

std::optional<ptx::Rounding> roundingOf(arith::TruncFOp op) {
  switch (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_away)) {
  case arith::RoundingMode::to_nearest_even:
    return ptx::Rounding::RN;
  case arith::RoundingMode::toward_zero:
    return ptx::Rounding::RZ;
  case arith::RoundingMode::downward:
    return ptx::Rounding::RM;
  case arith::RoundingMode::upward:
    return ptx::Rounding::RP;
  case arith::RoundingMode::to_nearest_away:
    return std::nullopt;
  }
  llvm_unreachable("every rounding mode is listed");
}

Value lowerTruncF(Emit e, arith::TruncFOp op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  Type to = resultElement(op);
  std::optional<ptx::Rounding> rounding = roundingOf(op);
  if (!rounding)
    return {};
  if (element.isF64())
    return to.isF32()    ? ptx::cvtF32F64(builder, loc, v[0], *rounding)
           : to.isF16()  ? ptx::cvtF16F64(builder, loc, v[0], *rounding)
           : to.isBF16() ? ptx::cvtBF16F64(builder, loc, v[0], *rounding)
                         : Value();
  if (!element.isF32())
    return {};
  if (to.isF16())
    return ptx::cvtF16F32(builder, loc, v[0], *rounding);
  // PTX narrows f32 to bf16 by these two roundings only.
  if (to.isBF16() && (*rounding == RN || *rounding == ptx::Rounding::RZ))
    return ptx::cvtBF16F32(builder, loc, v[0],
                           *rounding == RN ? ptx::NearestOrZero::RN : ptx::NearestOrZero::RZ);
  return {};
}

//===----------------------------------------------------------------------===//
// Between integers and floats
//===----------------------------------------------------------------------===//

/// Widens an i1 or i8 to 32 bits; `width` becomes what the register now holds.
Value widenSmall(Emit e, unsigned &width, bool isSigned, Value value) {
  if (width >= 16)
    return value;
  Value wide = extend(e, width, 32, isSigned, value);
  width = 32;
  return wide;
}

using ToFloat = Value (*)(OpBuilder &, Location, Value, ptx::Rounding, bool);
using ToBF16 = Value (*)(OpBuilder &, Location, Value, ptx::Rounding);

struct FromInteger {
  ToFloat f16, f32, f64;
  ToBF16 bf16;
};

template <bool isSigned> FromInteger fromInteger(unsigned width) {
#define ROW(T)                                                                                     \
  FromInteger { ptx::cvtF16##T, ptx::cvtF32##T, ptx::cvtF64##T, ptx::cvtBF16##T }
  if (isSigned)
    return width == 16 ? ROW(S16) : width == 32 ? ROW(S32) : ROW(S64);
  return width == 16 ? ROW(U16) : width == 32 ? ROW(U32) : ROW(U64);
#undef ROW
}

template <bool isSigned, typename Op>
Value lowerToFloat(Emit e, Op op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  unsigned width = integerWidth(element);
  if (width == 0)
    return {};
  Value value = widenSmall(e, width, isSigned, v[0]);
  FromInteger row = fromInteger<isSigned>(width);
  Type to = resultElement(op);
  if (to.isBF16())
    return row.bf16(builder, loc, value, RN);
  ToFloat convert = to.isF16() ? row.f16 : to.isF32() ? row.f32 : to.isF64() ? row.f64 : nullptr;
  return convert ? convert(builder, loc, value, RN, false) : Value();
}

struct FromFloat {
  Value (*f16)(OpBuilder &, Location, Value, ptx::IntegerRounding, bool);
  Value (*f32)(OpBuilder &, Location, Value, ptx::IntegerRounding, bool, bool);
  Value (*f64)(OpBuilder &, Location, Value, ptx::IntegerRounding, bool);
};

template <bool isSigned> FromFloat fromFloat(unsigned width) {
#define ROW(T)                                                                                     \
  FromFloat { ptx::cvt##T##F16, ptx::cvt##T##F32, ptx::cvt##T##F64 }
  if (isSigned)
    return width == 16 ? ROW(S16) : width == 32 ? ROW(S32) : ROW(S64);
  return width == 16 ? ROW(U16) : width == 32 ? ROW(U32) : ROW(U64);
#undef ROW
}

/// To i1 and i8 through 32 bits: what is in range there is right in the low bits.
template <bool isSigned, typename Op>
Value lowerToInteger(Emit e, Op op, Type element, ArrayRef<Value> v) {
  auto [builder, loc] = e;
  unsigned to = integerWidth(resultElement(op));
  if (to == 0)
    return {};
  unsigned width = std::max(to, 16u) == to ? to : 32;
  FromFloat row = fromFloat<isSigned>(width);
  Value result;
  if (element.isF16())
    result = row.f16(builder, loc, v[0], RZI, false);
  else if (element.isF32() || element.isBF16())
    result = row.f32(builder, loc, element.isBF16() ? widenBF16(e, v[0]) : v[0], RZI, false, false);
  else if (element.isF64())
    result = row.f64(builder, loc, v[0], RZI, false);
  else
    return {};
  return to == 1 ? lowestBit(e, 32, result) : result;
}

/// Registers have no type: equal bits in an equal register. An i8 and nothing else has 8 bits.
Value lowerBitcast(Emit, arith::BitcastOp, Type, ArrayRef<Value> v) { return v[0]; }

} // namespace

void mettle::detail::populateArithConvertToPTX(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  using namespace arith;
  addElementwise<ExtUIOp>(lowerExtend<false, ExtUIOp>, converter, patterns);
  addElementwise<ExtSIOp>(lowerExtend<true, ExtSIOp>, converter, patterns);
  addElementwise<TruncIOp>(lowerTruncI, converter, patterns);
  addElementwise<IndexCastOp>(lowerIndexCast<true, IndexCastOp>, converter, patterns);
  addElementwise<IndexCastUIOp>(lowerIndexCast<false, IndexCastUIOp>, converter, patterns);
  addElementwise<ExtFOp>(lowerExtF, converter, patterns);
  addElementwise<TruncFOp>(lowerTruncF, converter, patterns);
  addElementwise<SIToFPOp>(lowerToFloat<true, SIToFPOp>, converter, patterns);
  addElementwise<UIToFPOp>(lowerToFloat<false, UIToFPOp>, converter, patterns);
  addElementwise<FPToSIOp>(lowerToInteger<true, FPToSIOp>, converter, patterns);
  addElementwise<FPToUIOp>(lowerToInteger<false, FPToUIOp>, converter, patterns);
  addElementwise<BitcastOp>(lowerBitcast, converter, patterns);
}
