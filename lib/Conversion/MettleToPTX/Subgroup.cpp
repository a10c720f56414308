//===- Subgroup.cpp - lanes and what they do together to PTX -===//
//
// A subgroup is a warp. Every instruction names all 32 lanes: it waits for those that have not
// exited (PTX ISA, shfl.sync and vote.sync), which are the ones that must arrive, so a ballot tells
// which these are whatever the hardware let run apart before. Folds have become shuffles
// (mettle-expand-subgroup).
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"
#include "Mettle/Dialect/PTX/IR/PTXCompareInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXConvertInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "Mettle/Dialect/PTX/IR/PTXMoveInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXSpecialInsts.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXWarpInsts.h.inc"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

namespace {

constexpr int32_t warpSize = 32, lastLane = warpSize - 1;

Value allLanes(Emit e) { return ptx::movS32(e.builder, e.loc, -1); }

struct LocalIdPattern : OpConversionPattern<SubgroupLocalIdOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SubgroupLocalIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, ptx::movLaneid(rewriter, op.getLoc()));
    return success();
  }
};

struct SizePattern : OpConversionPattern<SubgroupSizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SubgroupSizeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, ptx::movS32(rewriter, op.getLoc(), warpSize));
    return success();
  }
};

/// Shuffles move 32 bits: half as many are widened, twice as many split.
Value exchange(Emit e, Value value, Value lane, ptx::ShuffleMode mode) {
  auto [builder, loc] = e;
  // The bound is the last lane, or for `up` the first.
  Value bound = ptx::movS32(builder, loc, mode == ptx::ShuffleMode::UP ? 0 : lastLane);
  Value all = allLanes(e);
  auto word = [&](Value w) { return ptx::shflB32(e.builder, e.loc, w, lane, bound, all, mode); };
  if (isa<ptx::B16Type>(value.getType()))
    return ptx::cvtU16U32(builder, loc, word(ptx::cvtU32U16(builder, loc, value)));
  if (isa<ptx::B32Type>(value.getType()))
    return word(value);
  ResultRange halves = ptx::unpackV2B64(builder, loc, value);
  Value low = word(halves[0]);
  return ptx::packV2B64(builder, loc, ValueRange{low, word(halves[1])});
}

struct BroadcastPattern : OpConversionPattern<SubgroupBroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SubgroupBroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, exchange({rewriter, op.getLoc()}, adaptor.getValue(), adaptor.getLane(),
                                    ptx::ShuffleMode::IDX));
    return success();
  }
};

struct ShufflePattern : OpConversionPattern<SubgroupShuffleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SubgroupShuffleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getPresent())
      return rewriter.notifyMatchFailure(op, "may read an absent lane, which is undefined");
    static constexpr ptx::ShuffleMode modes[] = {ptx::ShuffleMode::IDX, ptx::ShuffleMode::BFLY,
                                                 ptx::ShuffleMode::UP, ptx::ShuffleMode::DOWN};
    rewriter.replaceOp(op,
                       exchange({rewriter, op.getLoc()}, adaptor.getValue(), adaptor.getSelector(),
                                modes[static_cast<unsigned>(op.getMode())]));
    return success();
  }
};

/// A warp's ballot is word 0.
struct BallotPattern : OpConversionPattern<SubgroupBallotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(SubgroupBallotOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value bits = ptx::voteBallot(rewriter, loc, adaptor.getPredicate(), allLanes({rewriter, loc}));
    Value zero = ptx::movS32(rewriter, loc, 0);
    Value isFirst = ptx::setpU32(rewriter, loc, adaptor.getWord(), zero, ptx::IntegerCompare::EQ);
    rewriter.replaceOp(op, ptx::selpB32(rewriter, loc, bits, zero, isFirst));
    return success();
  }
};

template <typename Op, ptx::VoteMode mode> struct VotePattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    rewriter.replaceOp(
        op, ptx::votePred(rewriter, loc, adaptor.getPredicate(), allLanes({rewriter, loc}), mode));
    return success();
  }
};

} // namespace

void mettle::detail::populateSubgroupToPTX(const TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  patterns.add<LocalIdPattern, SizePattern, BroadcastPattern, ShufflePattern, BallotPattern,
               VotePattern<SubgroupAnyOp, ptx::VoteMode::ANY>,
               VotePattern<SubgroupAllOp, ptx::VoteMode::ALL>>(converter, patterns.getContext());
}
