//===- Float.cpp - float arithmetic as SPIR-V -----------------------------===//
//
// Each operation is the instruction that rounds to nearest even; nothing is contracted, because
// every entry point says ContractionOff. The larger and the smaller of two are spelled out: which
// zero OpenCL's fmax returns, and what it makes of NaN, is not what arith.maximumf says.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mettle::tospirv;

namespace {
/// NaN if an operand is one; of equal operands the bitwise `Merge`, which of two zeros takes the
/// positive for the maximum and the negative for the minimum; else the one that `Wins`.
template <typename Source, typename Wins, typename Merge>
struct ConvertExtremum : TypedPattern<Source> {
  using TypedPattern<Source>::TypedPattern;

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = this->resultType(op);
    if (!type)
      return rewriter.notifyMatchFailure(op, "no SPIR-V type");
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    bool isHeldAsBits = this->types().isHeldAsBits(op.getType());
    if (isHeldAsBits) {
      lhs = widen(rewriter, loc, op.getType(), lhs);
      rhs = widen(rewriter, loc, op.getType(), rhs);
      type = lhs.getType();
    }
    auto number = cast<FloatType>(getElementTypeOrSelf(type));
    Type bits = bitsOf(type);
    Value merged =
        Merge::create(rewriter, loc, bits, spirv::BitcastOp::create(rewriter, loc, bits, lhs),
                      spirv::BitcastOp::create(rewriter, loc, bits, rhs));
    Value ofEqual = spirv::BitcastOp::create(rewriter, loc, type, merged);
    Value nan = splatConstant(rewriter, loc, type,
                              APFloat::getQNaN(number.getFloatSemantics()).bitcastToAPInt());
    Value result =
        spirv::SelectOp::create(rewriter, loc, Wins::create(rewriter, loc, lhs, rhs), lhs, rhs);
    result = spirv::SelectOp::create(
        rewriter, loc, spirv::FOrdEqualOp::create(rewriter, loc, lhs, rhs), ofEqual, result);
    result = spirv::SelectOp::create(
        rewriter, loc, spirv::UnorderedOp::create(rewriter, loc, lhs, rhs), nan, result);
    if (isHeldAsBits)
      result = narrow(rewriter, loc, op.getType(), result, arith::RoundingMode::toward_zero);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void mettle::tospirv::populateFloatPatterns(const SPIRVTypeConverter &types,
                                            RewritePatternSet &patterns) {
  patterns.add<
      OneInstruction<arith::AddFOp, spirv::FAddOp>, OneInstruction<arith::SubFOp, spirv::FSubOp>,
      OneInstruction<arith::MulFOp, spirv::FMulOp>, OneInstruction<arith::DivFOp, spirv::FDivOp>,
      ConvertExtremum<arith::MaximumFOp, spirv::FOrdGreaterThanOp, spirv::BitwiseAndOp>,
      ConvertExtremum<arith::MinimumFOp, spirv::FOrdLessThanOp, spirv::BitwiseOrOp>>(
      types, patterns.getContext());
}
