//===- Index.cpp - ids and extents of a launch to PTX -===//
//
// Each is one special register.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/IndexOps.h"
#include "Mettle/Dialect/PTX/IR/PTXSpecialInsts.h.inc"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

using Read = Value (*)(OpBuilder &, Location);

template <typename Op> struct IndexPattern : OpConversionPattern<Op> {
  IndexPattern(const TypeConverter &converter, MLIRContext *context, Read x, Read y, Read z)
      : OpConversionPattern<Op>(converter, context), registers{x, y, z} {}

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Read read = registers[static_cast<unsigned>(op.getDimension())];
    rewriter.replaceOp(op, read(rewriter, op.getLoc()));
    return success();
  }

  Read registers[3];
};

} // namespace

void mettle::detail::populateIndexToPTX(const TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<IndexPattern<ThreadIdOp>>(converter, context, ptx::movTidX, ptx::movTidY,
                                         ptx::movTidZ);
  patterns.add<IndexPattern<BlockIdOp>>(converter, context, ptx::movCtaidX, ptx::movCtaidY,
                                        ptx::movCtaidZ);
  patterns.add<IndexPattern<BlockDimOp>>(converter, context, ptx::movNtidX, ptx::movNtidY,
                                         ptx::movNtidZ);
  patterns.add<IndexPattern<GridDimOp>>(converter, context, ptx::movNctaidX, ptx::movNctaidY,
                                        ptx::movNctaidZ);
}
