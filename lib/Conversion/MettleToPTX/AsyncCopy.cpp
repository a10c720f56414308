//===- AsyncCopy.cpp - copies that go on beside the thread to PTX -===//
//
// One cp.async a transaction. L1 can only be passed by with 16 bytes, so the hint to do so is
// dropped for smaller ones. Long copies have become loops (mettle-expand-async-copies), and so have
// all where the target has no cp.async.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h"
#include "Mettle/Dialect/PTX/IR/InstInfo.h"
#include "Mettle/Dialect/PTX/IR/PTXAsyncInsts.h.inc"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

struct AsyncCopyPattern : OpConversionPattern<AsyncCopyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AsyncCopyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value to = adaptor.getTarget(), from = adaptor.getSource();
    auto transaction = static_cast<int64_t>(op.getTransaction());
    for (int64_t at = 0, end = static_cast<int64_t>(op.getSpan()); at < end; at += transaction) {
      if (transaction == 4)
        ptx::cpAsyncCa4(rewriter, loc, to, at, from, at);
      else if (transaction == 8)
        ptx::cpAsyncCa8(rewriter, loc, to, at, from, at);
      else if (op.getCache() == CacheHint::Global)
        ptx::cpAsyncCg16(rewriter, loc, to, at, from, at);
      else
        ptx::cpAsyncCa16(rewriter, loc, to, at, from, at);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct AsyncCommitPattern : OpConversionPattern<AsyncCommitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AsyncCommitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ptx::cpAsyncCommitGroup(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

struct AsyncWaitPattern : OpConversionPattern<AsyncWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AsyncWaitOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ptx::cpAsyncWaitGroup(rewriter, op.getLoc(), static_cast<int64_t>(op.getPending()));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mettle::detail::populateAsyncCopyToPTX(const TypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<AsyncCopyPattern, AsyncCommitPattern, AsyncWaitPattern>(converter,
                                                                       patterns.getContext());
}
