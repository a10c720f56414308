//===- Index.cpp - ids and extents of a launch -===//
//
// Reads where the work-item is; the immediate is the axis.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/IndexOps.h"

#include "Model.h"
#include "Workgroup.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

static const Instruction *threadId(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.index[at->immediate];
  return at + 1;
}

static const Instruction *blockId(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.group.index[at->immediate];
  return at + 1;
}

static const Instruction *blockDim(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.group.launch.config.block[at->immediate];
  return at + 1;
}

static const Instruction *gridDim(const Instruction *at, WorkItem &item) {
  item.frame[at->result] = item.group.launch.config.grid[at->immediate];
  return at + 1;
}

template <typename Op, Handler Read>
static LogicalResult lowerIndex(Op op, FunctionLowering &lowering) {
  lowering.emit(Read, lowering.slot(op.getResult()), 0, 0, 0,
                static_cast<uint64_t>(op.getDimension()));
  return success();
}

namespace mettle::interpreter::detail {
void registerIndexModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MettleDialect *) {
    attachModels<lowerIndex<ThreadIdOp, threadId>, lowerIndex<BlockIdOp, blockId>,
                 lowerIndex<BlockDimOp, blockDim>, lowerIndex<GridDimOp, gridDim>>(context);
  });
}
} // namespace mettle::interpreter::detail
