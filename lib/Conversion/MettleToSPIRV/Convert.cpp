//===- Convert.cpp - conversions between numbers as SPIR-V ----------------===//
//
// Every conversion that rounds carries its mode as a decoration. Floats out of an integer's range
// are poison to arith, so whoever needs a meaning has selected it before.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace mettle::tospirv;
using arith::RoundingMode;

static spirv::FPRoundingMode roundingOf(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::to_nearest_even:
    return spirv::FPRoundingMode::RTE;
  case RoundingMode::toward_zero:
    return spirv::FPRoundingMode::RTZ;
  case RoundingMode::upward:
    return spirv::FPRoundingMode::RTP;
  case RoundingMode::downward:
    return spirv::FPRoundingMode::RTN;
  case RoundingMode::to_nearest_away:
    break;
  }
  llvm_unreachable("mettle-verify-strict-float refuses it");
}

static void setRounding(Operation *op, RoundingMode mode) {
  op->setAttr("fp_rounding_mode",
              spirv::FPRoundingModeAttr::get(op->getContext(), roundingOf(mode)));
}

static Value convertFloat(OpBuilder &builder, Location loc, Type type, Value value,
                          RoundingMode mode) {
  auto result = spirv::FConvertOp::create(builder, loc, type, value);
  setRounding(result, mode);
  return result;
}

Value mettle::tospirv::roundToOddSingle(OpBuilder &builder, Location loc, Value value) {
  Type single = withElement(value.getType(), builder.getF32Type()), bits = bitsOf(single);
  Value chopped = convertFloat(builder, loc, single, value, RoundingMode::toward_zero);
  Value back = spirv::FConvertOp::create(builder, loc, value.getType(), chopped);
  Value isInexact = spirv::FOrdNotEqualOp::create(builder, loc, back, value);
  Value sticky =
      spirv::SelectOp::create(builder, loc, isInexact, splatConstant(builder, loc, bits, 1),
                              splatConstant(builder, loc, bits, 0));
  Value word = spirv::BitcastOp::create(builder, loc, bits, chopped);
  return spirv::BitcastOp::create(builder, loc, single,
                                  spirv::BitwiseOrOp::create(builder, loc, word, sticky));
}

namespace {
/// From a narrow integer to a wide one, from a boolean to an integer, or from either to a float.
/// True is `whenTrue`.
template <typename Source, typename Target, int whenTrue>
struct ConvertFromInteger : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->resultType(op);
    if (!type)
      return rewriter.notifyMatchFailure(op, "no SPIR-V type");
    Location loc = op.getLoc();
    Value value = adaptor.getIn();
    if (isBoolean(value.getType())) {
      Type element = getElementTypeOrSelf(op.getType());
      APInt one(element.isIndex() ? 64 : element.getIntOrFloatBitWidth(), whenTrue,
                /*isSigned=*/true);
      if (auto number = dyn_cast<FloatType>(element))
        one =
            APFloat::getOne(number.getFloatSemantics(), /*Negative=*/whenTrue < 0).bitcastToAPInt();
      rewriter.replaceOpWithNewOp<spirv::SelectOp>(op, value,
                                                   splatConstant(rewriter, loc, type, one),
                                                   splatConstant(rewriter, loc, type, 0));
      return success();
    }
    if (!isa<FloatType>(getElementTypeOrSelf(op.getType()))) {
      rewriter.replaceOpWithNewOp<Target>(op, type, value);
      return success();
    }
    if (!this->types().isHeldAsBits(op.getType())) {
      auto result = Target::create(rewriter, loc, type, value);
      setRounding(result, RoundingMode::to_nearest_even);
      rewriter.replaceOp(op, result);
      return success();
    }
    // An f32 holds 16 bits exactly and an f64 32. Of 64 bits those that an f64 rounds are beyond
    // the range of f16; to bf16 such a conversion is refused before (Prepare.cpp).
    bool isShort = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() <= 16;
    Type exact =
        withElement(type, isShort ? Type(rewriter.getF32Type()) : Type(rewriter.getF64Type()));
    auto wide = Target::create(rewriter, loc, exact, value);
    setRounding(wide, RoundingMode::to_nearest_even);
    Value single = isShort ? Value(wide) : roundToOddSingle(rewriter, loc, wide);
    rewriter.replaceOp(op,
                       narrow(rewriter, loc, op.getType(), single, RoundingMode::to_nearest_even));
    return success();
  }
};

struct ConvertTruncI : TypedPattern<arith::TruncIOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(arith::TruncIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = resultType(op);
    if (!type)
      return rewriter.notifyMatchFailure(op, "no SPIR-V type");
    if (!isBoolean(type)) {
      rewriter.replaceOpWithNewOp<spirv::UConvertOp>(op, type, adaptor.getIn());
      return success();
    }
    Type wide = adaptor.getIn().getType();
    Value lowest = spirv::BitwiseAndOp::create(rewriter, op.getLoc(), wide, adaptor.getIn(),
                                               splatConstant(rewriter, op.getLoc(), wide, 1));
    rewriter.replaceOpWithNewOp<spirv::INotEqualOp>(op, lowest,
                                                    splatConstant(rewriter, op.getLoc(), wide, 0));
    return success();
  }
};

/// To and from index, which is 64 bits wide.
template <typename Source, typename Target> struct ConvertIndexCast : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->resultType(op);
    if (!type || isBoolean(type) || isBoolean(adaptor.getIn().getType()))
      return rewriter.notifyMatchFailure(op, "no instruction on this type");
    if (type == adaptor.getIn().getType())
      rewriter.replaceOp(op, adaptor.getIn());
    else
      rewriter.replaceOpWithNewOp<Target>(op, type, adaptor.getIn());
    return success();
  }
};

struct ConvertExtF : TypedPattern<arith::ExtFOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = resultType(op);
    if (!type)
      return rewriter.notifyMatchFailure(op, "no SPIR-V type");
    Value value = adaptor.getIn();
    if (types().isHeldAsBits(op.getIn().getType()))
      value = widen(rewriter, op.getLoc(), op.getIn().getType(), value);
    if (value.getType() != type)
      value = spirv::FConvertOp::create(rewriter, op.getLoc(), type, value);
    rewriter.replaceOp(op, value);
    return success();
  }
};

struct ConvertTruncF : TypedPattern<arith::TruncFOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = resultType(op);
    if (!type || !op.getRoundingmode() || *op.getRoundingmode() == RoundingMode::to_nearest_away)
      return rewriter.notifyMatchFailure(op, "no instruction that rounds so");
    RoundingMode mode = *op.getRoundingmode();
    Value value = adaptor.getIn();
    if (!types().isHeldAsBits(op.getType())) {
      rewriter.replaceOp(op, convertFloat(rewriter, op.getLoc(), type, value, mode));
      return success();
    }
    if (getElementTypeOrSelf(value.getType()).isF64())
      value = roundToOddSingle(rewriter, op.getLoc(), value);
    rewriter.replaceOp(op, narrow(rewriter, op.getLoc(), op.getType(), value, mode));
    return success();
  }
};

template <typename Source, typename Target> struct ConvertToInteger : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->resultType(op);
    if (!type || isBoolean(type))
      return rewriter.notifyMatchFailure(op, "no instruction to this type");
    Value value = adaptor.getIn();
    if (this->types().isHeldAsBits(op.getIn().getType()))
      value = widen(rewriter, op.getLoc(), op.getIn().getType(), value);
    rewriter.replaceOpWithNewOp<Target>(op, type, value);
    return success();
  }
};

struct ConvertBitcast : TypedPattern<arith::BitcastOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(arith::BitcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = resultType(op);
    if (!type)
      return rewriter.notifyMatchFailure(op, "no SPIR-V type");
    if (type == adaptor.getIn().getType())
      rewriter.replaceOp(op, adaptor.getIn());
    else
      rewriter.replaceOpWithNewOp<spirv::BitcastOp>(op, type, adaptor.getIn());
    return success();
  }
};
} // namespace

void mettle::tospirv::populateConvertPatterns(const SPIRVTypeConverter &types,
                                              RewritePatternSet &patterns) {
  patterns.add<ConvertFromInteger<arith::ExtUIOp, spirv::UConvertOp, 1>,
               ConvertFromInteger<arith::ExtSIOp, spirv::SConvertOp, -1>,
               ConvertFromInteger<arith::UIToFPOp, spirv::ConvertUToFOp, 1>,
               ConvertFromInteger<arith::SIToFPOp, spirv::ConvertSToFOp, -1>,
               ConvertIndexCast<arith::IndexCastOp, spirv::SConvertOp>,
               ConvertIndexCast<arith::IndexCastUIOp, spirv::UConvertOp>,
               ConvertToInteger<arith::FPToSIOp, spirv::ConvertFToSOp>,
               ConvertToInteger<arith::FPToUIOp, spirv::ConvertFToUOp>, ConvertTruncI, ConvertExtF,
               ConvertTruncF, ConvertBitcast>(types, patterns.getContext());
}
