//===- MemoryFolds.cpp - folds of addresses and pointer casts -===//
//
// Only rewrites that give the same address: offsets of zero, chains of constant offsets, and casts
// that cancel.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mettle;

OpFoldResult OffsetOp::fold(FoldAdaptor adaptor) {
  // offset(p, 0) -> p
  if (auto index = dyn_cast_or_null<IntegerAttr>(adaptor.getIndex());
      index && index.getValue().isZero())
    return getBase();
  return {};
}

namespace {
/// offset(offset(p, a), b) -> offset(p, a + b) for constant a and b: addresses wrap modulo 2^64, as
/// the sum does.
struct MergeConstantOffsets : OpRewritePattern<OffsetOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(OffsetOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getBase().getDefiningOp<OffsetOp>();
    APInt first, second;
    if (!inner || !matchPattern(inner.getIndex(), m_ConstantInt(&first)) ||
        !matchPattern(op.getIndex(), m_ConstantInt(&second)))
      return rewriter.notifyMatchFailure(op, "not a chain of constant offsets");
    Value sum = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getI64IntegerAttr((first + second).getSExtValue()));
    rewriter.replaceOpWithNewOp<OffsetOp>(op, op.getType(), inner.getBase(), sum);
    return success();
  }
};
} // namespace

void OffsetOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeConstantOffsets>(context);
}

/// cast(p) -> p where nothing changes, and cast(cast(p)) -> p where the second undoes the first.
template <typename Op> static Value foldCast(Op op) {
  if (op.getSource().getType() == op.getType())
    return op.getSource();
  if (auto inner = op.getSource().template getDefiningOp<Op>();
      inner && inner.getSource().getType() == op.getType())
    return inner.getSource();
  return {};
}

OpFoldResult PtrCastOp::fold(FoldAdaptor) {
  if (Value source = foldCast(*this))
    return source;
  // ptr_cast(ptr_cast(p)) -> ptr_cast(p)
  if (auto inner = getSource().getDefiningOp<PtrCastOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

OpFoldResult SpaceCastOp::fold(FoldAdaptor) { return foldCast(*this); }
