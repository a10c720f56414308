//===- Barrier.cpp - barriers to PTX -===//
//
// bar.sync orders all of the block's memory accesses, so every order and every region become the
// same instruction: acquire and release alone are made stronger.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/BarrierOps.h"
#include "Mettle/Dialect/PTX/IR/PTXBarrierInsts.h.inc"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

struct BarrierPattern : OpConversionPattern<BarrierOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(BarrierOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ptx::barSync(rewriter, op.getLoc(), /*barrier=*/0);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void mettle::detail::populateBarrierToPTX(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<BarrierPattern>(converter, patterns.getContext());
}
