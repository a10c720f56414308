//===- WarnSubgroupSize.cpp - results that depend on a size nobody fixed -===//
//
// Follows the size of a subgroup through a function's values to the loops that it steers, and looks
// for folds of floats, in each kernel that does not fix the size and in what it calls.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"
#include "PresentOperations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_WARNSUBGROUPSIZE
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

/// Adds what a use of a value makes of it; true where it decides how often a loop runs.
static bool follow(OpOperand &use, llvm::SetVector<Value> &reached) {
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(user)) {
    if (number < loop.getNumControlOperands())
      return true;
    reached.insert(loop.getTiedLoopRegionIterArg(&use));
    reached.insert(loop.getTiedLoopResult(&use));
  } else if (auto loop = dyn_cast<scf::WhileOp>(user)) {
    reached.insert(loop.getBeforeArguments()[number]);
  } else if (auto condition = dyn_cast<scf::ConditionOp>(user)) {
    if (number == 0)
      return true;
    auto loop = cast<scf::WhileOp>(condition->getParentOp());
    reached.insert(loop.getAfterArguments()[number - 1]);
    reached.insert(loop.getResult(number - 1));
  } else if (isa<scf::YieldOp>(user)) {
    Operation *parent = user->getParentOp();
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      reached.insert(loop.getBeforeArguments()[number]);
    } else {
      if (auto loop = dyn_cast<scf::ForOp>(parent))
        reached.insert(loop.getRegionIterArg(number));
      reached.insert(parent->getResult(number));
    }
  } else {
    reached.insert_range(user->getResults());
  }
  return false;
}

static bool steersLoop(SubgroupSizeOp size) {
  llvm::SetVector<Value> reached;
  reached.insert(size.getResult());
  for (size_t next = 0; next < reached.size(); ++next)
    for (OpOperand &use : reached[next].getUses())
      if (follow(use, reached))
        return true;
  return false;
}

static bool isFloatFold(Operation *op) {
  std::optional<FoldOrder> order;
  if (auto reduce = dyn_cast<SubgroupReduceOp>(op))
    order = reduce.getOrder();
  else if (auto scan = dyn_cast<SubgroupScanOp>(op))
    order = scan.getOrder();
  else
    return false;
  // Nobody relies on the bits of a sum in no order.
  return isa<FloatType>(op->getResult(0).getType()) && order != FoldOrder::Unordered;
}

namespace {
struct WarnSubgroupSize : mettle::impl::WarnSubgroupSizeBase<WarnSubgroupSize> {
  using WarnSubgroupSizeBase::WarnSubgroupSizeBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (!getAnalysis<PresentOperations>().has<SubgroupSizeOp, SubgroupReduceOp, SubgroupScanOp>())
      return;
    SymbolTable symbols(getOperation());
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (!kernel.getSubgroupSize())
        warnAbout(kernel, symbols);
  }

private:
  /// One warning a kernel, at the first place.
  static void warnAbout(KernelOp kernel, SymbolTable &symbols) {
    llvm::SetVector<Operation *> functions;
    functions.insert(kernel);
    for (size_t next = 0; next < functions.size(); ++next) {
      Operation *function = functions[next];
      WalkResult result = function->walk([&](Operation *op) {
        if (auto call = dyn_cast<func::CallOp>(op)) {
          if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
            functions.insert(callee);
          return WalkResult::advance();
        }
        auto size = dyn_cast<SubgroupSizeOp>(op);
        bool isFold = isFloatFold(op);
        if (!isFold && !(size && steersLoop(size)))
          return WalkResult::advance();
        InFlightDiagnostic warning = emitWarning(op->getLoc());
        warning << (isFold ? "this fold" : "how often a loop runs")
                << " depends on the size of a subgroup, which kernel '" << kernel.getSymName()
                << "' does not fix: 'kernel(subgroup = 32)' would";
        if (function != kernel)
          warning.attachNote(kernel.getLoc()) << "the kernel is here";
        return WalkResult::interrupt();
      });
      if (result.wasInterrupted())
        return;
    }
  }
};
} // namespace
