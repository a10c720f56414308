//===- ControlFlow.cpp - branches to PTX -===//
//
// cf to ptx, operand for operand: a block argument becomes one a register. A switch becomes a chain
// of comparisons, which ptxas turns into a table where that pays.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "Mettle/Dialect/PTX/IR/BranchOps.h"
#include "Mettle/Dialect/PTX/IR/PTXCompareInsts.h.inc"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::detail;

static SmallVector<Value> flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    values.append(range.begin(), range.end());
  return values;
}

namespace {

struct BranchPattern : OpConversionPattern<cf::BranchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cf::BranchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ptx::BraOp>(op, flatten(adaptor.getDestOperands()), op.getDest());
    return success();
  }
};

struct CondBranchPattern : OpConversionPattern<cf::CondBranchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cf::CondBranchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<ptx::CondBraOp>(
        op, adaptor.getCondition().front(), flatten(adaptor.getTrueDestOperands()),
        flatten(adaptor.getFalseDestOperands()), op.getTrueDest(), op.getFalseDest());
    return success();
  }
};

struct SwitchPattern : OpConversionPattern<cf::SwitchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cf::SwitchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getFlag().getType();
    if (!type.isInteger(32) && !type.isInteger(64))
      return rewriter.notifyMatchFailure(op, "expected a flag of 32 or 64 bits");
    Value flag = adaptor.getFlag().front();
    if (auto values = op.getCaseValues()) {
      for (auto [index, value] : llvm::enumerate(values->getValues<APInt>())) {
        Value constant = constantBits({rewriter, loc}, type, value.getSExtValue());
        Value isCase = type.isInteger(32)
                           ? ptx::setpB32(rewriter, loc, flag, constant, ptx::BitsCompare::EQ)
                           : ptx::setpB64(rewriter, loc, flag, constant, ptx::BitsCompare::EQ);
        Block *next =
            rewriter.splitBlock(rewriter.getInsertionBlock(), rewriter.getInsertionPoint());
        rewriter.setInsertionPointToEnd(next->getPrevNode());
        ptx::CondBraOp::create(rewriter, loc, isCase, flatten(adaptor.getCaseOperands()[index]),
                               ValueRange(), op.getCaseDestinations()[index], next);
        rewriter.setInsertionPointToStart(next);
      }
    }
    rewriter.replaceOpWithNewOp<ptx::BraOp>(op, flatten(adaptor.getDefaultOperands()),
                                            op.getDefaultDestination());
    return success();
  }
};

} // namespace

void mettle::detail::populateControlFlowToPTX(const TypeConverter &converter,
                                              RewritePatternSet &patterns) {
  patterns.add<BranchPattern, CondBranchPattern, SwitchPattern>(converter, patterns.getContext());
}
