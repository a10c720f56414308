//===- Barrier.cpp - where the work-items of a workgroup wait -===//
//
// A barrier orders memory only if its order both releases what was done before and acquires it
// after; with one half alone an access and a later one of another work-item still race.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/BarrierOps.h"

#include "Model.h"
#include "Workgroup.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

/// The immediate is the memory that is ordered.
static void meetAtBarrier(const Instruction &at, Workgroup &group) {
  auto regions = static_cast<MemoryRegion>(at.immediate);
  group.beginInterval(regions);
  group.shareAcquired(regions);
}

static const Instruction *barrier(const Instruction *at, WorkItem &item) {
  return item.wait(at, meetAtBarrier);
}

static LogicalResult lowerBarrier(BarrierOp op, FunctionLowering &lowering) {
  bool orders = op.getOrder() == MemoryOrder::AcqRel || op.getOrder() == MemoryOrder::SeqCst;
  lowering.emit(barrier, 0, 0, 0, 0, orders ? static_cast<uint64_t>(op.getRegions()) : 0);
  return success();
}

namespace mettle::interpreter::detail {
void registerBarrierModels(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *context, MettleDialect *) { attachModels<lowerBarrier>(context); });
}
} // namespace mettle::interpreter::detail
