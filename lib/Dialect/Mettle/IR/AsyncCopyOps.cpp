//===- AsyncCopyOps.cpp - copies that go on beside the work-item -===//
//
// Verification of single copies and waits. What concerns a whole function is in
// VerifyAsyncCopies.cpp.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.cpp.inc"

namespace mettle::detail {
void registerAsyncCopyOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.cpp.inc"
      >();
}
} // namespace mettle::detail

uint64_t AsyncCopyOp::getSpan() { return getCount() * getTarget().getType().getElementBytes(); }

uint64_t AsyncCopyOp::getAlignmentInBytes() {
  return std::max<uint64_t>(getTransaction(), getTarget().getType().getElementBytes());
}

LogicalResult AsyncCopyOp::verify() {
  PtrType to = getTarget().getType(), from = getSource().getType();
  // async_copy-c1
  if (to.getSpace() != AddressSpace::Workgroup || from.getSpace() != AddressSpace::Global)
    return emitOpError() << "expected a copy from global to workgroup memory, got one from "
                         << stringifyAddressSpace(from.getSpace()) << " to "
                         << stringifyAddressSpace(to.getSpace());
  // async_copy-c2
  if (to.getElementType() != from.getElementType())
    return emitOpError() << "expected pointers to the same elements, got " << to.getElementType()
                         << " and " << from.getElementType();
  // async_copy-c3
  auto transaction = static_cast<int64_t>(getTransaction());
  if (transaction != 4 && transaction != 8 && transaction != 16)
    return emitOpError() << "expected a transaction of 4, 8 or 16 bytes, got " << transaction;
  // async_copy-c4
  auto count = static_cast<int64_t>(getCount());
  int64_t element = to.getElementBytes();
  if (count < 1 || count > static_cast<int64_t>(maxSpan) / element ||
      count * element % transaction != 0)
    return emitOpError() << "expected a span of 1 to " << maxSpan
                         << " bytes that is a multiple of the transaction's " << transaction
                         << ", got " << count << " elements of " << element << " bytes";
  return success();
}

LogicalResult AsyncWaitOp::verify() {
  // async_wait-c1
  auto pending = static_cast<int64_t>(getPending());
  if (pending < 0 || pending > static_cast<int64_t>(maxPending))
    return emitOpError() << "expected to leave 0 to " << maxPending << " groups, got " << pending;
  return success();
}
