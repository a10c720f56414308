//===- UB.cpp - values and places that have no meaning -===//
//
// Passes leave poison where no execution looks; one that does is a fault.
//
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "WorkItem.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

/// The lowering has marked the value: an instruction that computes with it is a fault, a copy is
/// not.
static LogicalResult lowerPoison(ub::PoisonOp op, FunctionLowering &lowering) {
  lowering.defineConstant(op, SmallVector<uint64_t>(*slotCount(op.getType()), 0));
  return success();
}

static const Instruction *unreachable(const Instruction *at, WorkItem &item) {
  item.fault(at) << "reaches a place that is marked unreachable";
  return nullptr;
}

static LogicalResult lowerUnreachable(ub::UnreachableOp, FunctionLowering &lowering) {
  lowering.emit(unreachable, 0);
  return success();
}

namespace mettle::interpreter::detail {
void registerUBModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ub::UBDialect *) {
    attachModels<lowerPoison, lowerUnreachable>(context);
  });
}
} // namespace mettle::interpreter::detail
