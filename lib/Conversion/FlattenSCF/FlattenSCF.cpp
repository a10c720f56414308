//===- FlattenSCF.cpp - structured control flow to branches -===//
//
// Upstream's patterns in an order of our own. Lowering an operation splits its block behind it and
// moves everything that follows into a new one. Upstream's pass goes forward, so a block with many
// of them is moved as often, in quadratic time: 9 s for a kernel of 14,000 statements. Backward,
// what follows has already gone, and every operation moves once.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Conversion/FlattenSCF/FlattenSCF.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_FLATTENSCF
#include "Mettle/Conversion/Passes.h.inc"
} // namespace mettle

namespace {
struct FlattenSCF : mettle::impl::FlattenSCFBase<FlattenSCF> {
  void runOnOperation() override {
    // Later operations come before earlier ones, and what an operation holds comes after it: the
    // patterns expect its regions to be single blocks still.
    SmallVector<Operation *> operations;
    getOperation()->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *op) {
      if (isa<scf::SCFDialect>(op->getDialect()) && op->getNumRegions() != 0)
        operations.push_back(op);
    });

    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    PatternApplicator applicator(frozen);
    applicator.applyDefaultCostModel();
    PatternRewriter rewriter(&getContext());
    for (Operation *op : operations) {
      rewriter.setInsertionPoint(op);
      StringRef name = op->getName().getStringRef();
      Location loc = op->getLoc();
      if (failed(applicator.matchAndRewrite(op, rewriter))) {
        emitError(loc) << "'" << name << "' has no form in branches";
        return signalPassFailure();
      }
    }
  }
};
} // namespace
