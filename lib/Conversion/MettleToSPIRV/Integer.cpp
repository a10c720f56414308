//===- Integer.cpp - integer arithmetic as SPIR-V -------------------------===//
//
// On booleans, integers of one bit to arith, arithmetic is modulo 2 and true is the signed -1.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mettle::tospirv;

namespace {
/// Both halves of a product. OpSMulExtended and OpUMulExtended give them at once, but the CPU
/// runtime cannot link them ("Symbols not found: __spirv_SMulExtended").
template <typename Source, typename High> struct ConvertProduct : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->resultType(op);
    if (!type || isBoolean(type))
      return rewriter.notifyMatchFailure(op, "no instruction on this type");
    Value low = spirv::IMulOp::create(rewriter, op.getLoc(), type, adaptor.getOperands());
    Value high = High::create(rewriter, op.getLoc(), type, adaptor.getOperands());
    rewriter.replaceOp(op, {low, high});
    return success();
  }
};

/// A sum wrapped around exactly when it is less than an operand.
struct ConvertSum : TypedPattern<arith::AddUIExtendedOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(arith::AddUIExtendedOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = resultType(op);
    if (!type || isBoolean(type))
      return rewriter.notifyMatchFailure(op, "no instruction on this type");
    Value sum = spirv::IAddOp::create(rewriter, op.getLoc(), type, adaptor.getOperands());
    Value carry = spirv::ULessThanOp::create(rewriter, op.getLoc(), sum, adaptor.getLhs());
    rewriter.replaceOp(op, {sum, carry});
    return success();
  }
};

/// A zero that the device's compiler cannot know: the highest of the 64 bits of the number of
/// workgroups.
Value unknownZero(OpBuilder &builder, Operation *user, Type type) {
  Location loc = user->getLoc();
  Value groups = readBuiltIn(builder, user, spirv::BuiltIn::NumWorkgroups, 0);
  Value zero = spirv::ShiftRightLogicalOp::create(
      builder, loc, groups.getType(), groups, splatConstant(builder, loc, groups.getType(), 63));
  return type == zero.getType() ? zero : spirv::UConvertOp::create(builder, loc, type, zero);
}

/// A shift that may fill with the sign of a number of 8 bits or more, whose count is made unknown
/// to the device's compiler.
///
/// Intel's CPU runtime (OpenCL 3.1, build 2026.22.10) takes `-x >> 31` to be `x > 0 ? -1 : 0`,
/// which is wrong of the smallest number, whose negative is itself. (The unknown zero is
/// subtracted, since a sum or a bitwise or would reach the width, where a shift means nothing, and
/// that tells it.)
struct ConvertSignFill : TypedPattern<arith::ShRSIOp> {
  ConvertSignFill(const SPIRVTypeConverter &types, MLIRContext *context)
      : TypedPattern(types, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::ShRSIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr unsigned leastCount = 7;
    Type type = resultType(op);
    APInt count;
    if (!type || isBoolean(type) || isa<VectorType>(type) ||
        !matchPattern(op.getRhs(), m_ConstantInt(&count)) || count.ult(leastCount))
      return rewriter.notifyMatchFailure(op, "fills no number with its sign");
    Location loc = op.getLoc();
    Value zero = unknownZero(rewriter, op, type);
    Value unknown = spirv::ISubOp::create(rewriter, loc, type, adaptor.getRhs(), zero);
    rewriter.replaceOpWithNewOp<spirv::ShiftRightArithmeticOp>(op, type, adaptor.getLhs(), unknown);
    return success();
  }
};

/// The difference of two numbers that are no constants. The same compiler takes `(-1 - i) - i` to
/// grow by 1 from work-item i to the next; what an unknown zero is added to without carries, it
/// knows no growth of. (Its hint against vectors of work-items, VecTypeHint, makes it sum floats in
/// another order.)
struct ConvertDifference : TypedPattern<arith::SubIOp> {
  ConvertDifference(const SPIRVTypeConverter &types, MLIRContext *context)
      : TypedPattern(types, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(arith::SubIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = resultType(op);
    if (!type || isBoolean(type) || isa<VectorType>(type) ||
        matchPattern(op.getLhs(), m_Constant()) || matchPattern(op.getRhs(), m_Constant()))
      return rewriter.notifyMatchFailure(op, "a constant less something, or the reverse");
    Location loc = op.getLoc();
    Value unknown = spirv::BitwiseXorOp::create(rewriter, loc, type, adaptor.getRhs(),
                                                unknownZero(rewriter, op, type));
    rewriter.replaceOpWithNewOp<spirv::ISubOp>(op, type, adaptor.getLhs(), unknown);
    return success();
  }
};

/// A boolean as a number, with an unknown zero for false: the same compiler makes such a fill of
/// the -1 that stands for `-x < 0`, or of the negative of a 1.
template <typename Source, int64_t isTrue> struct ConvertBoolean : TypedPattern<Source> {
  ConvertBoolean(const SPIRVTypeConverter &types, MLIRContext *context)
      : TypedPattern<Source>(types, context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->resultType(op);
    if (!type || isa<VectorType>(type) || !isBoolean(adaptor.getIn().getType()))
      return rewriter.notifyMatchFailure(op, "no boolean");
    rewriter.replaceOpWithNewOp<spirv::SelectOp>(op, adaptor.getIn(),
                                                 splatConstant(rewriter, op.getLoc(), type, isTrue),
                                                 unknownZero(rewriter, op, type));
    return success();
  }
};
} // namespace

void mettle::tospirv::populateIntegerPatterns(const SPIRVTypeConverter &types,
                                              RewritePatternSet &patterns) {
  patterns.add<
      OneInstruction<arith::AddIOp, spirv::IAddOp, spirv::LogicalNotEqualOp>,
      OneInstruction<arith::SubIOp, spirv::ISubOp, spirv::LogicalNotEqualOp>,
      OneInstruction<arith::MulIOp, spirv::IMulOp, spirv::LogicalAndOp>,
      OneInstruction<arith::DivSIOp, spirv::SDivOp>, OneInstruction<arith::DivUIOp, spirv::UDivOp>,
      OneInstruction<arith::RemSIOp, spirv::SRemOp>, OneInstruction<arith::RemUIOp, spirv::UModOp>,
      OneInstruction<arith::AndIOp, spirv::BitwiseAndOp, spirv::LogicalAndOp>,
      OneInstruction<arith::OrIOp, spirv::BitwiseOrOp, spirv::LogicalOrOp>,
      OneInstruction<arith::XOrIOp, spirv::BitwiseXorOp, spirv::LogicalNotEqualOp>,
      OneInstruction<arith::ShLIOp, spirv::ShiftLeftLogicalOp>,
      OneInstruction<arith::ShRSIOp, spirv::ShiftRightArithmeticOp>,
      OneInstruction<arith::ShRUIOp, spirv::ShiftRightLogicalOp>,
      OneInstruction<arith::MaxSIOp, spirv::CLSMaxOp, spirv::LogicalAndOp>,
      OneInstruction<arith::MaxUIOp, spirv::CLUMaxOp, spirv::LogicalOrOp>,
      OneInstruction<arith::MinSIOp, spirv::CLSMinOp, spirv::LogicalOrOp>,
      OneInstruction<arith::MinUIOp, spirv::CLUMinOp, spirv::LogicalAndOp>,
      ConvertProduct<arith::MulSIExtendedOp, mettle::spirvx::CLSMulHiOp>,
      ConvertProduct<arith::MulUIExtendedOp, mettle::spirvx::CLUMulHiOp>, ConvertSum>(
      types, patterns.getContext());
  patterns.add<ConvertSignFill, ConvertDifference, ConvertBoolean<arith::ExtUIOp, 1>,
               ConvertBoolean<arith::ExtSIOp, -1>>(types, patterns.getContext());
}
