//===- Integer.cpp - integer arithmetic as SPIR-V -------------------------===//
//
// On booleans, integers of one bit to arith, arithmetic is modulo 2 and true is the signed -1.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.h"

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
}
