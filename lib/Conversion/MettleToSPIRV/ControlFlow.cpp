//===- ControlFlow.cpp - branches as SPIR-V -------------------------------===//
//
// OpenCL kernels branch freely: no structured merges. A phi has one operand for each predecessor,
// so no block may lead to another twice with different arguments.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mettle::tospirv;

namespace {
struct ConvertBranch : OpConversionPattern<cf::BranchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cf::BranchOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<spirv::BranchOp>(op, op.getDest(), adaptor.getDestOperands());
    return success();
  }
};

struct ConvertCondBranch : OpConversionPattern<cf::CondBranchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cf::CondBranchOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getTrueDest() != op.getFalseDest()) {
      rewriter.replaceOpWithNewOp<spirv::BranchConditionalOp>(
          op, adaptor.getCondition(), op.getTrueDest(), adaptor.getTrueDestOperands(),
          op.getFalseDest(), adaptor.getFalseDestOperands());
      return success();
    }
    // Two edges to one block: the one on which the condition fails gets a block of its own.
    Block *detour = rewriter.createBlock(op->getBlock()->getNextNode());
    spirv::BranchOp::create(rewriter, op.getLoc(), op.getFalseDest(),
                            adaptor.getFalseDestOperands());
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<spirv::BranchConditionalOp>(
        op, adaptor.getCondition(), op.getTrueDest(), adaptor.getTrueDestOperands(), detour,
        ValueRange());
    return success();
  }
};

/// A chain of comparisons: OpSwitch would save little, since OpenCL compilers build jump tables
/// from either.
struct ConvertSwitch : OpConversionPattern<cf::SwitchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cf::SwitchOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value flag = adaptor.getFlag();
    SmallVector<APInt> values;
    if (std::optional<DenseIntElementsAttr> cases = op.getCaseValues())
      llvm::append_range(values, *cases);
    Block *rest = op->getBlock();
    rewriter.setInsertionPoint(op);
    for (auto [value, target, operands] :
         llvm::zip_equal(values, op.getCaseDestinations(), adaptor.getCaseOperands())) {
      Value isCase = spirv::IEqualOp::create(rewriter, loc, flag,
                                             splatConstant(rewriter, loc, flag.getType(), value));
      Block *next;
      {
        OpBuilder::InsertionGuard guard(rewriter);
        next = rewriter.createBlock(rest->getNextNode());
      }
      spirv::BranchConditionalOp::create(rewriter, loc, isCase, target, operands, next,
                                         ValueRange());
      rest = next;
      rewriter.setInsertionPointToStart(rest);
    }
    spirv::BranchOp::create(rewriter, loc, op.getDefaultDestination(),
                            adaptor.getDefaultOperands());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertUnreachable : OpConversionPattern<ub::UnreachableOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ub::UnreachableOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<spirv::UnreachableOp>(op);
    return success();
  }
};
} // namespace

void mettle::tospirv::populateControlFlowPatterns(const SPIRVTypeConverter &types,
                                                  RewritePatternSet &patterns) {
  patterns.add<ConvertBranch, ConvertCondBranch, ConvertSwitch, ConvertUnreachable>(
      types, patterns.getContext());
}
