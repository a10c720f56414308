//===- AsyncCopy.cpp - copies that go on beside the work-item -===//
//
// A copy counts as an access of the work-item where it is issued and again where it is waited for:
// it may happen at any time between.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h"

#include "Model.h"
#include "Workgroup.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

/// `immediate` bytes at the pointer a = those at the pointer b, in pieces of Unit bytes
template <unsigned Unit> static const Instruction *copy(const Instruction *at, WorkItem &item) {
  AsyncCopies &copies = item.group.asyncCopies;
  ByteRange target{item.frame[at->a + 1], item.frame[at->a], at->immediate};
  ByteRange source{item.frame[at->b + 1], item.frame[at->b], at->immediate};
  for (uint64_t done = 0; done < at->immediate; done += Unit) {
    const uint8_t *from =
        item.accessAt<Unit, AccessKind::Read>(at, source.handle, source.offset + done, Unit);
    if (!from)
      return nullptr;
    uint8_t *to =
        item.accessAt<Unit, AccessKind::Write>(at, target.handle, target.offset + done, Unit);
    if (!to)
      return nullptr;
    std::memcpy(to, from, Unit);
  }
  copies.issue({at, item.linear, item.committedGroups, target, source});
  return at + 1;
}

static const Instruction *commit(const Instruction *at, WorkItem &item) {
  ++item.committedGroups;
  return at + 1;
}

/// Waits until at most `immediate` groups are outstanding.
static const Instruction *wait(const Instruction *at, WorkItem &item) {
  AsyncCopies &copies = item.group.asyncCopies;
  if (copies.none() || item.committedGroups <= at->immediate)
    return at + 1;
  for (const AsyncCopy &copy : copies.complete(item.linear, item.committedGroups - at->immediate))
    if (!item.recordCopy(copy))
      return nullptr;
  return at + 1;
}

static LogicalResult lowerCopy(AsyncCopyOp op, FunctionLowering &lowering) {
  uint64_t unit = op.getAlignmentInBytes();
  lowering.emit(unit == 4   ? copy<4>
                : unit == 8 ? copy<8>
                            : copy<16>,
                0, lowering.slot(op.getTarget()), lowering.slot(op.getSource()), 0, op.getSpan());
  return success();
}

static LogicalResult lowerCommit(AsyncCommitOp, FunctionLowering &lowering) {
  lowering.emit(commit, 0);
  return success();
}

static LogicalResult lowerWait(AsyncWaitOp op, FunctionLowering &lowering) {
  lowering.emit(wait, 0, 0, 0, 0, op.getPending());
  return success();
}

namespace mettle::interpreter::detail {
void registerAsyncCopyModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, MettleDialect *) {
    attachModels<lowerCopy, lowerCommit, lowerWait>(context);
  });
}
} // namespace mettle::interpreter::detail
