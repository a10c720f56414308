//===- CF.cpp - branches between blocks -===//
//
// Unstructured control flow, and assertions.
//
//===----------------------------------------------------------------------===//

#include "ControlHandlers.h"
#include "Model.h"
#include "WorkItem.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

static LogicalResult lowerBranch(cf::BranchOp op, FunctionLowering &lowering) {
  lowering.emitBranch(op.getDest(), op.getDestOperands());
  return success();
}

static LogicalResult lowerCondBranch(cf::CondBranchOp op, FunctionLowering &lowering) {
  Label otherwise = lowering.newLabel();
  lowering.emitTo(otherwise, jumpUnless, 0, lowering.slot(op.getCondition()));
  lowering.emitBranch(op.getTrueDest(), op.getTrueDestOperands());
  lowering.bind(otherwise);
  lowering.emitBranch(op.getFalseDest(), op.getFalseDestOperands());
  return success();
}

static LogicalResult lowerSwitch(cf::SwitchOp op, FunctionLowering &lowering) {
  Slot flag = lowering.slot(op.getFlag());
  SmallVector<Label> cases;
  if (std::optional<DenseIntElementsAttr> values = op.getCaseValues())
    for (const APInt &value : values->getValues<APInt>()) {
      cases.push_back(lowering.newLabel());
      lowering.emitTo(cases.back(), jumpIfEqual, 0, flag, lowering.constant(value.getZExtValue()));
    }
  lowering.emitBranch(op.getDefaultDestination(), op.getDefaultOperands());
  for (auto [number, label] : llvm::enumerate(cases)) {
    lowering.bind(label);
    lowering.emitBranch(op.getCaseDestinations()[number], op.getCaseOperands(number));
  }
  return success();
}

/// A fault if a is 0; the immediate is the text.
static const Instruction *assertTrue(const Instruction *at, WorkItem &item) {
  if (item.frame[at->a])
    return at + 1;
  item.fault(at)
      << "fails the assertion \""
      << StringAttr::getFromOpaquePointer(reinterpret_cast<void *>(at->immediate)).getValue()
      << "\"";
  return nullptr;
}

static LogicalResult lowerAssert(cf::AssertOp op, FunctionLowering &lowering) {
  lowering.emit(assertTrue, 0, lowering.slot(op.getArg()), 0, 0,
                reinterpret_cast<uint64_t>(op.getMsgAttr().getAsOpaquePointer()));
  return success();
}

namespace mettle::interpreter::detail {
void registerCFModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, cf::ControlFlowDialect *) {
    attachModels<lowerBranch, lowerCondBranch, lowerSwitch, lowerAssert>(context);
  });
}
} // namespace mettle::interpreter::detail
