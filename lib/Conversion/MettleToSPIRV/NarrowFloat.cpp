//===- NarrowFloat.cpp - floats that are held as their bits ---------------===//
//
// OpenCL has no bf16, and SPIR-V 1.0 for OpenCL 2.0 no f16: values are the i16 of their bits, and
// arithmetic goes through f32. A sum, product, quotient or square root rounded to f32 and then to
// the narrow format is the one rounded once, because the 24 digits of f32 are at least twice 11, or
// 8, plus two (Figueroa, "When is double rounding innocuous?", 1995). A fused multiply-add has no
// such bound and is refused (Prepare.cpp).
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mettle::tospirv;
using arith::RoundingMode;

namespace {
/// Arithmetic on words of 32 bits, as expressions.
class Words {
public:
  Words(OpBuilder &builder, Location loc, Type type) : builder(builder), loc(loc), type(type) {}

  Value number(uint32_t value) { return splatConstant(builder, loc, type, value); }
  Value add(Value a, Value b) { return spirv::IAddOp::create(builder, loc, a, b); }
  Value subtract(Value a, Value b) { return spirv::ISubOp::create(builder, loc, a, b); }
  Value both(Value a, Value b) { return spirv::BitwiseAndOp::create(builder, loc, type, a, b); }
  Value either(Value a, Value b) { return spirv::BitwiseOrOp::create(builder, loc, type, a, b); }
  Value left(Value a, Value count) {
    return spirv::ShiftLeftLogicalOp::create(builder, loc, type, a, count);
  }
  Value right(Value a, Value count) {
    return spirv::ShiftRightLogicalOp::create(builder, loc, type, a, count);
  }
  Value isEqual(Value a, Value b) { return spirv::IEqualOp::create(builder, loc, a, b); }
  Value isLess(Value a, Value b) { return spirv::ULessThanOp::create(builder, loc, a, b); }
  Value select(Value condition, Value a, Value b) {
    return spirv::SelectOp::create(builder, loc, condition, a, b);
  }

private:
  OpBuilder &builder;
  Location loc;
  Type type;
};
} // namespace

//===----------------------------------------------------------------------===//
// To f32
//===----------------------------------------------------------------------===//

/// The bits of the f32 that has the value of an f16: the exponent's bias grows by 112, that of
/// infinity and NaN by 224, and a subnormal number is its fraction times 2^-24.
static Value widenHalf(OpBuilder &builder, Location loc, Words &w, Value half, Type single) {
  Value magnitude = w.left(w.both(half, w.number(0x7fff)), w.number(13));
  Value exponent = w.both(half, w.number(0x7c00));
  Value bias =
      w.select(w.isEqual(exponent, w.number(0x7c00)), w.number(224u << 23), w.number(112u << 23));
  Value fraction =
      spirv::ConvertUToFOp::create(builder, loc, single, w.both(half, w.number(0x3ff)));
  constexpr uint32_t twoToMinus24 = (127u - 24u) << 23;
  Value subnormal = spirv::FMulOp::create(builder, loc, fraction,
                                          splatConstant(builder, loc, single, twoToMinus24));
  Value bits = w.select(w.isEqual(exponent, w.number(0)),
                        spirv::BitcastOp::create(builder, loc, bitsOf(single), subnormal),
                        w.add(magnitude, bias));
  return w.either(bits, w.left(w.both(half, w.number(0x8000)), w.number(16)));
}

Value mettle::tospirv::widen(OpBuilder &builder, Location loc, Type type, Value bits) {
  Type wide = withElement(bits.getType(), builder.getI32Type());
  Type single = withElement(wide, builder.getF32Type());
  Words w(builder, loc, wide);
  Value words = spirv::UConvertOp::create(builder, loc, wide, bits);
  words = getElementTypeOrSelf(type).isBF16() ? w.left(words, w.number(16))
                                              : widenHalf(builder, loc, w, words, single);
  return spirv::BitcastOp::create(builder, loc, single, words);
}

//===----------------------------------------------------------------------===//
// From f32
//===----------------------------------------------------------------------===//

/// The modes in which the sign decides whether a magnitude grows.
static bool isDirected(RoundingMode mode) {
  return mode == RoundingMode::upward || mode == RoundingMode::downward;
}

/// `value` without its `count` lowest bits. What is added to them before carries into the rest
/// exactly when the magnitude is to grow.
static Value dropBits(Words &w, Value value, Value count, Value isNegative, RoundingMode mode) {
  Value all = w.subtract(w.left(w.number(1), count), w.number(1));
  Value addend = w.number(0);
  if (mode == RoundingMode::to_nearest_even)
    addend = w.add(w.right(all, w.number(1)), w.both(w.right(value, count), w.number(1)));
  else if (mode == RoundingMode::upward)
    addend = w.select(isNegative, w.number(0), all);
  else if (mode == RoundingMode::downward)
    addend = w.select(isNegative, all, w.number(0));
  return w.right(w.add(value, addend), count);
}

/// The magnitude of an f16 from that of an f32. A normal result keeps 10 bits of the fraction; a
/// subnormal one is the significand in units of 2^-24.
static Value narrowToHalf(Words &w, Value magnitude, Value isNegative, RoundingMode mode) {
  constexpr uint32_t leastNormal = 0x38800000, pastLargest = 0x47800000, infinity = 0x7f800000;
  Value exponent = w.right(magnitude, w.number(23));
  Value hidden = w.select(w.isEqual(exponent, w.number(0)), w.number(0), w.number(1u << 23));
  Value significand = w.either(w.both(magnitude, w.number(0x7fffff)), hidden);
  // Beyond 25 places nothing but the fact that something is left depends on their number.
  Value places = w.subtract(w.number(126), exponent);
  places = w.select(w.isLess(exponent, w.number(126 - 25)), w.number(25), places);
  Value isSubnormal = w.isLess(magnitude, w.number(leastNormal));
  Value value = w.select(isSubnormal, significand, w.subtract(magnitude, w.number(112u << 23)));
  Value count = w.select(isSubnormal, places, w.number(13));
  Value half = dropBits(w, value, count, isNegative, mode);

  Value overflow = w.number(0x7c00);
  Value largest = w.number(0x7bff);
  if (mode == RoundingMode::toward_zero)
    overflow = largest;
  else if (mode == RoundingMode::upward)
    overflow = w.select(isNegative, largest, overflow);
  else if (mode == RoundingMode::downward)
    overflow = w.select(isNegative, overflow, largest);
  overflow = w.select(w.isEqual(magnitude, w.number(infinity)), w.number(0x7c00), overflow);
  return w.select(w.isLess(magnitude, w.number(pastLargest)), half, overflow);
}

Value mettle::tospirv::narrow(OpBuilder &builder, Location loc, Type type, Value value,
                              RoundingMode mode) {
  Type wide = bitsOf(value.getType());
  Words w(builder, loc, wide);
  Value bits = spirv::BitcastOp::create(builder, loc, wide, value);
  Value sign = w.both(bits, w.number(0x80000000));
  Value isNegative = isDirected(mode) ? w.isEqual(sign, w.number(0x80000000)) : Value();
  Value magnitude = w.both(bits, w.number(0x7fffffff));
  bool isBF16 = getElementTypeOrSelf(type).isBF16();
  // The exponents of bf16 are those of f32: rounding carries through them up to infinity.
  Value rounded = isBF16 ? dropBits(w, magnitude, w.number(16), isNegative, mode)
                         : narrowToHalf(w, magnitude, isNegative, mode);
  Value isNaN = w.isLess(w.number(0x7f800000), magnitude);
  rounded = w.select(isNaN, w.number(isBF16 ? 0x7fc0 : 0x7e00), rounded);
  rounded = w.either(rounded, w.right(sign, w.number(16)));
  return spirv::UConvertOp::create(builder, loc, withElement(wide, builder.getI16Type()), rounded);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
/// Computed in f32 and rounded once more.
template <typename Source, typename Target> struct ViaSingle : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!this->types().isHeldAsBits(op.getType()))
      return rewriter.notifyMatchFailure(op, "has an instruction");
    SmallVector<Value> operands;
    for (Value operand : adaptor.getOperands())
      operands.push_back(widen(rewriter, op.getLoc(), op.getType(), operand));
    Type single = operands.front().getType();
    Value result = Target::create(rewriter, op.getLoc(), single, operands);
    rewriter.replaceOp(
        op, narrow(rewriter, op.getLoc(), op.getType(), result, RoundingMode::to_nearest_even));
    return success();
  }
};

/// A sign changed or cleared, which is exact on the bits.
template <typename Source, typename Target, uint64_t mask> struct OnBits : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!this->types().isHeldAsBits(op.getType()))
      return rewriter.notifyMatchFailure(op, "has an instruction");
    Type type = adaptor.getOperand().getType();
    rewriter.replaceOpWithNewOp<Target>(op, type, adaptor.getOperand(),
                                        splatConstant(rewriter, op.getLoc(), type, mask));
    return success();
  }
};

struct CopySignOnBits : TypedPattern<math::CopySignOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(math::CopySignOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!types().isHeldAsBits(op.getType()))
      return rewriter.notifyMatchFailure(op, "has an instruction");
    Location loc = op.getLoc();
    Type type = adaptor.getLhs().getType();
    auto mask = [&](Value value, uint64_t bits) -> Value {
      return spirv::BitwiseAndOp::create(rewriter, loc, type, value,
                                         splatConstant(rewriter, loc, type, bits));
    };
    rewriter.replaceOpWithNewOp<spirv::BitwiseOrOp>(op, type, mask(adaptor.getLhs(), 0x7fff),
                                                    mask(adaptor.getRhs(), 0x8000));
    return success();
  }
};
} // namespace

void mettle::tospirv::populateNarrowFloatPatterns(const SPIRVTypeConverter &types,
                                                  RewritePatternSet &patterns) {
  patterns.add<ViaSingle<arith::AddFOp, spirv::FAddOp>, ViaSingle<arith::SubFOp, spirv::FSubOp>,
               ViaSingle<arith::MulFOp, spirv::FMulOp>, ViaSingle<arith::DivFOp, spirv::FDivOp>,
               ViaSingle<math::SqrtOp, spirv::CLSqrtOp>, ViaSingle<math::CeilOp, spirv::CLCeilOp>,
               ViaSingle<math::FloorOp, spirv::CLFloorOp>,
               ViaSingle<math::RoundEvenOp, spirv::CLRintOp>,
               ViaSingle<math::TruncOp, mettle::spirvx::CLTruncOp>,
               OnBits<arith::NegFOp, spirv::BitwiseXorOp, 0x8000>,
               OnBits<math::AbsFOp, spirv::BitwiseAndOp, 0x7fff>, CopySignOnBits>(
      types, patterns.getContext());
}
