//===- VerifyAsyncCopies.cpp - every copy is committed and waited for -===//
//
// A dense data-flow analysis over a function: before each operation, which copies may be
// uncommitted, which groups may be outstanding and how many. It goes through branches and loops of
// either form. Groups never cross a call: every function begins and ends with none.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h"
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h"
#include "PresentOperations.h"
#include "mlir/Analysis/DataFlow/DenseAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace mettle {
#define GEN_PASS_DEF_VERIFYASYNCCOPIES
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

using namespace mettle;

/// The most groups under way at once: those that a wait may leave, and one for it to wait for.
static constexpr unsigned maxGroups = AsyncWaitOp::maxPending + 1;

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

namespace {
/// What may be under way at a point. It only grows while the analysis runs: sets by union, the
/// number by maximum, ages by minimum.
class UnderWay : public dataflow::AbstractDenseLattice {
public:
  using AbstractDenseLattice::AbstractDenseLattice;

  /// Copies since the last commit.
  llvm::SmallSetVector<AsyncCopyOp, 4> copies;
  /// Commits whose group may be outstanding, with the least number of groups committed since.
  llvm::SmallMapVector<AsyncCommitOp, unsigned, 4> groups;
  /// The most groups outstanding; maxGroups + 1 stands for any number above.
  unsigned most = 0;

  bool isIdle() const { return copies.empty() && groups.empty(); }

  void copy(AsyncCopyOp op) { copies.insert(op); }

  void commit(AsyncCommitOp op) {
    copies.clear();
    for (auto &[group, age] : groups)
      age = std::min(age + 1, maxGroups);
    groups[op] = 0;
    most = std::min(most + 1, maxGroups + 1);
  }

  void wait(unsigned pending) {
    groups.remove_if([&](const auto &entry) { return entry.second >= pending; });
    most = std::min(most, pending);
  }

  ChangeResult add(const UnderWay &other) {
    bool changed = false;
    for (AsyncCopyOp op : other.copies)
      changed |= copies.insert(op);
    for (auto [op, age] : other.groups) {
      auto [entry, isNew] = groups.try_emplace(op, age);
      changed |= isNew || age < entry->second;
      entry->second = std::min(entry->second, age);
    }
    changed |= other.most > most;
    most = std::max(most, other.most);
    return changed ? ChangeResult::Change : ChangeResult::NoChange;
  }

  ChangeResult join(const AbstractDenseLattice &other) override {
    return add(static_cast<const UnderWay &>(other));
  }

  void print(raw_ostream &os) const override {
    os << copies.size() << " copies, " << groups.size() << " commits, at most " << most
       << " groups";
  }
};

class UnderWayAnalysis : public dataflow::DenseForwardDataFlowAnalysis<UnderWay> {
public:
  using DenseForwardDataFlowAnalysis::DenseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op, const UnderWay &before, UnderWay *after) override {
    UnderWay made(after->getAnchor());
    (void)made.add(before);
    if (auto copy = dyn_cast<AsyncCopyOp>(op))
      made.copy(copy);
    else if (auto commit = dyn_cast<AsyncCommitOp>(op))
      made.commit(commit);
    else if (auto wait = dyn_cast<AsyncWaitOp>(op))
      made.wait(wait.getPending());
    propagateIfChanged(after, after->add(made));
    return success();
  }

  /// The callee leaves nothing and meets nothing.
  void visitCallControlFlowTransfer(CallOpInterface, dataflow::CallControlFlowAction,
                                    const UnderWay &before, UnderWay *after) override {
    join(after, before);
  }

  void setToEntryState(UnderWay *) override {}
};
} // namespace

//===----------------------------------------------------------------------===//
// The rules
//===----------------------------------------------------------------------===//

static bool isAsync(Operation *op) { return isa<AsyncCopyOp, AsyncCommitOp, AsyncWaitOp>(op); }

/// A target whose place in its array is known lies in it, where the transaction allows.
static LogicalResult verifyTarget(AsyncCopyOp op) {
  int64_t offset = 0;
  Value pointer = op.getTarget();
  while (Operation *definition = pointer.getDefiningOp()) {
    APInt index;
    if (auto cast = dyn_cast<PtrCastOp>(definition)) {
      pointer = cast.getSource();
      continue;
    }
    auto step = dyn_cast<OffsetOp>(definition);
    if (!step)
      break;
    if (!matchPattern(step.getIndex(), m_ConstantInt(&index)) || !index.isSignedIntN(48))
      return success();
    offset += index.getSExtValue() * step.getType().getElementBytes();
    pointer = step.getBase();
  }
  auto array = pointer.getDefiningOp<AllocOp>();
  if (!array && !pointer.getDefiningOp<DynamicWorkgroupOp>())
    return success();
  auto alignment = static_cast<int64_t>(op.getAlignmentInBytes());
  // async_copies-c5
  if (offset % alignment)
    return op.emitOpError() << "expected a target at a multiple of " << alignment
                            << " bytes, got byte " << offset << " of its array";
  // async_copies-c6
  auto size = array ? static_cast<int64_t>(array.getSizeInBytes()) : INT64_MAX;
  if (offset < 0 || static_cast<int64_t>(op.getSpan()) > size - offset) {
    InFlightDiagnostic diagnostic = op.emitOpError()
                                    << "expected a target inside its array, got " << op.getSpan()
                                    << " bytes from byte " << offset << " on";
    if (array)
      diagnostic.attachNote(array.getLoc()) << "the array has " << size << " bytes";
    return diagnostic;
  }
  return success();
}

namespace {
class Verifier {
public:
  Verifier(FunctionOpInterface function, const DenseSet<Operation *> &asyncFunctions,
           SymbolTableCollection &symbols)
      : function(function), asyncFunctions(asyncFunctions), symbols(symbols) {}

  LogicalResult verify() {
    dataflow::loadBaselineAnalyses(solver);
    solver.load<UnderWayAnalysis>();
    if (failed(solver.initializeAndRun(function)))
      return function.emitError() << "cannot follow the asynchronous copies of this function";
    function->walk([&](Operation *op) {
      if (auto copy = dyn_cast<AsyncCopyOp>(op))
        fault |= failed(verifyTarget(copy));
      else if (auto commit = dyn_cast<AsyncCommitOp>(op))
        verifyCommit(commit);
      else if (auto call = dyn_cast<CallOpInterface>(op))
        verifyCall(call);
      else if (op->hasTrait<OpTrait::ReturnLike>() && op->getParentOp() == function)
        verifyExit(op);
    });
    return failure(fault);
  }

private:
  const UnderWay &before(Operation *op) {
    return *solver.getOrCreateState<UnderWay>(solver.getProgramPointBefore(op));
  }

  /// Each fault is told once, at what is left behind.
  InFlightDiagnostic report(Operation *op) {
    fault = true;
    return op->emitOpError();
  }

  void verifyCommit(AsyncCommitOp op) {
    const UnderWay &state = before(op);
    // async_copies-c3
    if (state.most < maxGroups)
      return;
    InFlightDiagnostic diagnostic = report(op)
                                    << "expected at most " << maxGroups
                                    << " groups outstanding, but this one may come on top of "
                                    << (state.most > maxGroups ? "more" : "as many");
    for (auto [group, age] : state.groups)
      if (group != op)
        diagnostic.attachNote(group.getLoc()) << "a group may be outstanding from here";
  }

  void verifyCall(CallOpInterface call) {
    Operation *callee = call.resolveCallableInTable(&symbols);
    const UnderWay &state = before(call);
    // async_copies-c4
    if (!callee || !asyncFunctions.contains(callee) || state.isIdle())
      return;
    InFlightDiagnostic diagnostic =
        report(call) << "expected nothing under way where a function is called that copies "
                        "asynchronously itself";
    for (AsyncCopyOp copy : state.copies)
      diagnostic.attachNote(copy.getLoc()) << "this copy may not be committed";
    for (auto [group, age] : state.groups)
      diagnostic.attachNote(group.getLoc()) << "this group may be outstanding";
  }

  void verifyExit(Operation *exit) {
    const UnderWay &state = before(exit);
    // async_copies-c1
    for (AsyncCopyOp copy : state.copies)
      if (reported.insert(copy).second)
        report(copy)
                .append("expected 'mettle.async_commit' on every path from here to an exit")
                .attachNote(exit->getLoc())
            << "an exit that may be reached without it";
    // async_copies-c2
    for (auto [group, age] : state.groups)
      if (reported.insert(group).second)
        report(group)
                .append("expected a wait for this group on every path from here to an exit")
                .attachNote(exit->getLoc())
            << "an exit that may be reached without it";
  }

  FunctionOpInterface function;
  const DenseSet<Operation *> &asyncFunctions;
  SymbolTableCollection &symbols;
  DataFlowSolver solver;
  DenseSet<Operation *> reported;
  bool fault = false;
};

/// The functions that copy asynchronously or call one that does.
DenseSet<Operation *> findAsyncFunctions(ModuleOp module, SymbolTableCollection &symbols) {
  DenseSet<Operation *> found;
  SmallVector<std::pair<Operation *, Operation *>> calls;
  module.walk([&](FunctionOpInterface function) {
    function->walk([&](Operation *op) {
      if (isAsync(op))
        found.insert(function);
      else if (auto call = dyn_cast<CallOpInterface>(op))
        if (Operation *callee = call.resolveCallableInTable(&symbols))
          calls.emplace_back(function, callee);
    });
  });
  for (bool changed = !found.empty(); changed;) {
    changed = false;
    for (auto [caller, callee] : calls)
      changed |= found.contains(callee) && found.insert(caller).second;
  }
  return found;
}

struct VerifyAsyncCopies : mettle::impl::VerifyAsyncCopiesBase<VerifyAsyncCopies> {
  void runOnOperation() override {
    if (!getAnalysis<PresentOperations>().has<AsyncCopyOp, AsyncCommitOp, AsyncWaitOp>())
      return markAllAnalysesPreserved();
    SymbolTableCollection symbols;
    DenseSet<Operation *> asyncFunctions = findAsyncFunctions(getOperation(), symbols);
    bool fault = false;
    getOperation().walk([&](FunctionOpInterface function) {
      if (asyncFunctions.contains(function))
        fault |= failed(Verifier(function, asyncFunctions, symbols).verify());
    });
    if (fault)
      signalPassFailure();
    else
      markAllAnalysesPreserved();
  }
};
} // namespace
