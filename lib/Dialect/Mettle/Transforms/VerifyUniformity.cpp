//===- VerifyUniformity.cpp - who meets arrives together -===//
//
// A barrier wants its workgroup, a collective its subgroup. Where the conditions on the way are not
// as uniform, some would wait for others that never come.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h"
#include "Uniformity.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_VERIFYUNIFORMITY
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

namespace {
struct VerifyUniformity : mettle::impl::VerifyUniformityBase<VerifyUniformity> {
  using VerifyUniformityBase::VerifyUniformityBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    SmallVector<std::pair<Operation *, Scope>> meetings;
    getOperation().walk([&](Operation *op) {
      if (Scope scope = scopeOf(op); scope != Scope::None)
        meetings.emplace_back(op, scope);
    });
    if (meetings.empty())
      return;
    Uniformity uniformity(getOperation());
    if (failed(uniformity.run())) {
      getOperation().emitError() << "cannot find out which values are uniform";
      return signalPassFailure();
    }
    for (auto [op, scope] : meetings) {
      if (!uniformity.isLive(op))
        continue;
      verifyControl(op, scope, uniformity);
      if (auto broadcast = dyn_cast<SubgroupBroadcastOp>(op))
        verifyLane(broadcast, uniformity);
    }
    if (countWork)
      getOperation().emitRemark() << "looked " << uniformity.work() << " times";
  }

private:
  void verifyControl(Operation *op, Scope scope, Uniformity &uniformity) {
    Control control = uniformity.controlOf(op, scope);
    Rank most = scope == Scope::Workgroup ? Rank::Workgroup : Rank::Subgroup;
    if (control.rank <= most)
      return;
    // uniformity-c1, uniformity-c2
    InFlightDiagnostic diagnostic =
        op->emitOpError() << "expected the whole "
                          << (scope == Scope::Workgroup ? "workgroup" : "subgroup")
                          << " to arrive together, but a condition on the way "
                          << (control.rank == Rank::Subgroup ? "is the same within a subgroup only"
                                                             : "may differ between its work-items");
    if (control.call)
      diagnostic.attachNote(control.call->getLoc()) << "it is reached through this call";
    diagnostic.attachNote(control.branch->getLoc())
        << (isa<LoopLikeOpInterface>(control.branch) ? "it decides how often this loop runs"
                                                     : "it decides which way is taken here");
    uniformity.explain(diagnostic, control.condition, control.rank);
    signalPassFailure();
  }

  void verifyLane(SubgroupBroadcastOp op, Uniformity &uniformity) {
    // uniformity-c3
    if (uniformity.rankOf(op.getLane()) <= Rank::Subgroup)
      return;
    InFlightDiagnostic diagnostic = op.emitOpError()
                                    << "expected a lane that is the same in the whole subgroup, "
                                       "got one that may differ between its work-items";
    uniformity.explain(diagnostic, op.getLane(), Rank::Varying);
    signalPassFailure();
  }
};
} // namespace
