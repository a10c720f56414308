//===- Negation.cpp - changing a sign as SPIR-V ---------------------------===//
//
// Never by OpFNegate, nor by what a device's compiler makes the same of.
//
// Intel's CPU runtime (OpenCL 3.1, build 2026.22.10) keeps no copy for each work-item of LLVM's
// only unary instruction, fneg, where it is live across a barrier: all get what the last vector of
// lanes computed. It makes an fneg of OpFNegate, of an exclusive-or of the whole word with the sign
// bit, of a product with or a quotient by -1.0, and of a difference from -0.0; it makes none of an
// exclusive-or on the word as a vector of its halves.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mettle::tospirv;

namespace {
Value negateBits(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType();
  unsigned half = type.getIntOrFloatBitWidth() / 2;
  auto halves = VectorType::get({2}, builder.getIntegerType(half));
  auto mask =
      DenseIntElementsAttr::get(halves, ArrayRef{APInt::getZero(half), APInt::getSignMask(half)});
  Value bits = spirv::BitcastOp::create(builder, loc, halves, value);
  Value sign = spirv::ConstantOp::create(builder, loc, halves, mask);
  Value negated = spirv::BitwiseXorOp::create(builder, loc, halves, bits, sign);
  return spirv::BitcastOp::create(builder, loc, type, negated);
}

Value negate(OpBuilder &builder, Location loc, Value value) {
  auto vector = dyn_cast<VectorType>(value.getType());
  if (!vector)
    return negateBits(builder, loc, value);
  SmallVector<Value> elements;
  for (int32_t i = 0, e = vector.getNumElements(); i != e; ++i)
    elements.push_back(negateBits(
        builder, loc, spirv::CompositeExtractOp::create(builder, loc, value, ArrayRef{i})));
  return spirv::CompositeConstructOp::create(builder, loc, vector, elements);
}

struct ConvertNegF : TypedPattern<arith::NegFOp> {
  using TypedPattern::TypedPattern;

  LogicalResult matchAndRewrite(arith::NegFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!resultType(op) || types().isHeldAsBits(op.getType()))
      return rewriter.notifyMatchFailure(op, "no instruction on this type");
    rewriter.replaceOp(op, negate(rewriter, op.getLoc(), adaptor.getOperand()));
    return success();
  }
};

/// An operation that changes nothing but the sign of operand 1 - `Constant` where its operand
/// `Constant` is the number `value`.
template <typename Source, unsigned Constant> struct ConvertToNegation : TypedPattern<Source> {
  ConvertToNegation(const SPIRVTypeConverter &types, MLIRContext *context, double value)
      : TypedPattern<Source>(types, context, /*benefit=*/2), value(value) {}

  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!this->resultType(op) || this->types().isHeldAsBits(op.getType()))
      return rewriter.notifyMatchFailure(op, "no instruction on this type");
    APFloat found(0.0);
    if (!matchPattern(op->getOperand(Constant), m_ConstantFloat(&found)))
      return rewriter.notifyMatchFailure(op, "no constant operand");
    APFloat wanted(value);
    bool isInexact = false;
    wanted.convert(found.getSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
    if (!found.bitwiseIsEqual(wanted))
      return rewriter.notifyMatchFailure(op, "another constant");
    rewriter.replaceOp(op, negate(rewriter, op.getLoc(), adaptor.getOperands()[1 - Constant]));
    return success();
  }

  double value;
};
} // namespace

void mettle::tospirv::populateNegationPatterns(const SPIRVTypeConverter &types,
                                               RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ConvertNegF>(types, context);
  patterns.add<ConvertToNegation<arith::MulFOp, 0>, ConvertToNegation<arith::MulFOp, 1>,
               ConvertToNegation<arith::DivFOp, 1>>(types, context, -1.0);
  patterns.add<ConvertToNegation<arith::SubFOp, 0>>(types, context, -0.0);
}
