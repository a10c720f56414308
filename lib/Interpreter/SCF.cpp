//===- SCF.cpp - structured control flow -===//
//
// Regions become jumps. A loop tests at its end, so an iteration costs one instruction beside its
// body and the copies of what it carries.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "ControlHandlers.h"
#include "Integers.h"
#include "Model.h"
#include "WorkItem.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

static LogicalResult lowerYield(scf::YieldOp op, FunctionLowering &lowering) {
  lowering.emitExit(op->getParentRegion(), op.getOperands());
  return success();
}

static LogicalResult lowerExecuteRegion(scf::ExecuteRegionOp op, FunctionLowering &lowering) {
  Label done = lowering.newLabel();
  if (failed(lowering.lowerRegion(op.getRegion(), {lowering.copySlots(op.getResults()), done})))
    return failure();
  lowering.bind(done);
  return success();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static LogicalResult lowerIf(scf::IfOp op, FunctionLowering &lowering) {
  Label otherwise = lowering.newLabel(), done = lowering.newLabel();
  RegionExit exit = {lowering.copySlots(op.getResults()), done};
  lowering.emitTo(op.getElseRegion().empty() ? done : otherwise, jumpUnless, 0,
                  lowering.slot(op.getCondition()));
  if (failed(lowering.lowerRegion(op.getThenRegion(), exit)))
    return failure();
  if (!op.getElseRegion().empty()) {
    lowering.bind(otherwise);
    if (failed(lowering.lowerRegion(op.getElseRegion(), exit)))
      return failure();
  }
  lowering.bind(done);
  return success();
}

static LogicalResult lowerIndexSwitch(scf::IndexSwitchOp op, FunctionLowering &lowering) {
  Label done = lowering.newLabel();
  RegionExit exit = {lowering.copySlots(op.getResults()), done};
  Slot flag = lowering.slot(op.getArg());
  for (auto [value, region] : llvm::zip_equal(op.getCases(), op.getCaseRegions()))
    lowering.emitTo(lowering.labelOf(&region.front()), jumpIfEqual, 0, flag,
                    lowering.constant(static_cast<uint64_t>(value)));
  if (failed(lowering.lowerRegion(op.getDefaultRegion(), exit)))
    return failure();
  for (Region &region : op.getCaseRegions())
    if (failed(lowering.lowerRegion(region, exit)))
      return failure();
  lowering.bind(done);
  return success();
}

//===----------------------------------------------------------------------===//
// Counted loops
//===----------------------------------------------------------------------===//

/// A fault if the step a, of c bits, is not positive.
template <bool Signed> static const Instruction *checkStep(const Instruction *at, WorkItem &item) {
  uint64_t step = item.frame[at->a];
  if (step != 0 && (!Signed || signExtend(step, at->c) > 0))
    return at + 1;
  item.fault(at) << "starts a loop with a step of " << signExtend(step, at->c)
                 << ", which is not positive";
  return nullptr;
}

/// Leaves the loop if its first index a is not below the bound b; they have c bits.
template <bool Signed> static const Instruction *enterLoop(const Instruction *at, WorkItem &item) {
  uint64_t first = item.frame[at->a], bound = item.frame[at->b];
  bool below = Signed ? signExtend(first, at->c) < signExtend(bound, at->c) : first < bound;
  return below ? at + 1 : at + static_cast<int64_t>(at->immediate);
}

/// Adds the step a to the index and goes back to the body if it is below the bound b. An index that
/// overflows is a fault: as numbers the loop ends there, as words it goes on.
template <bool Signed> static const Instruction *nextIndex(const Instruction *at, WorkItem &item) {
  uint64_t index = item.frame[at->result], step = item.frame[at->a], bound = item.frame[at->b];
  uint64_t next = zeroExtend(index + step, at->c);
  bool overflows = Signed ? signExtend(next, at->c) < signExtend(index, at->c) : next < index;
  if (overflows) {
    item.fault(at) << "adds " << step << " to the loop index "
                   << (Signed ? llvm::itostr(signExtend(index, at->c)) : llvm::utostr(index))
                   << ", which overflows " << (Signed ? "a signed" : "an unsigned") << " i"
                   << at->c;
    return nullptr;
  }
  if (!(Signed ? signExtend(next, at->c) < signExtend(bound, at->c) : next < bound))
    return at + 1;
  item.frame[at->result] = next;
  return at + static_cast<int64_t>(at->immediate);
}

static LogicalResult lowerFor(scf::ForOp op, FunctionLowering &lowering) {
  bool isSigned = !op.getUnsignedCmp();
  unsigned width = widthOf(op.getInductionVar().getType());
  Slot first = lowering.slot(op.getLowerBound()), bound = lowering.slot(op.getUpperBound());
  Slot step = lowering.slot(op.getStep()), index = lowering.slot(op.getInductionVar());
  Label next = lowering.newLabel(), done = lowering.newLabel();
  SmallVector<Slot> carried = lowering.copySlots(op.getRegionIterArgs());

  lowering.emit(isSigned ? checkStep<true> : checkStep<false>, 0, step, 0, width);
  lowering.emitCopies(carried, lowering.copySlots(op.getInitArgs()));
  lowering.emitCopies(index, first);
  lowering.emitTo(done, isSigned ? enterLoop<true> : enterLoop<false>, 0, index, bound, width);
  if (failed(lowering.lowerRegion(op.getRegion(), {carried, next})))
    return failure();
  lowering.bind(next);
  lowering.emitTo(lowering.labelOf(op.getBody()), isSigned ? nextIndex<true> : nextIndex<false>,
                  index, step, bound, width);
  lowering.bind(done);
  lowering.emitCopies(lowering.copySlots(op.getResults()), carried);
  return success();
}

//===----------------------------------------------------------------------===//
// Conditional loops
//===----------------------------------------------------------------------===//

static LogicalResult lowerCondition(scf::ConditionOp op, FunctionLowering &lowering) {
  auto loop = cast<scf::WhileOp>(op->getParentOp());
  Label again = lowering.newLabel();
  lowering.emitTo(again, jumpIf, 0, lowering.slot(op.getCondition()));
  lowering.emitExit(&loop.getBefore(), op.getArgs());
  lowering.bind(again);
  lowering.emitBranch(loop.getAfterBody(), op.getArgs());
  return success();
}

static LogicalResult lowerWhile(scf::WhileOp op, FunctionLowering &lowering) {
  Label done = lowering.newLabel(), before = lowering.labelOf(op.getBeforeBody());
  SmallVector<Slot> carried = lowering.copySlots(op.getBeforeArguments());
  lowering.emitCopies(carried, lowering.copySlots(op.getInits()));
  if (failed(lowering.lowerRegion(op.getBefore(), {lowering.copySlots(op.getResults()), done})) ||
      failed(lowering.lowerRegion(op.getAfter(), {carried, before})))
    return failure();
  lowering.bind(done);
  return success();
}

namespace mettle::interpreter::detail {
void registerSCFModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    attachModels<lowerYield, lowerExecuteRegion, lowerIf, lowerIndexSwitch, lowerFor,
                 lowerCondition, lowerWhile>(context);
  });
}
} // namespace mettle::interpreter::detail
