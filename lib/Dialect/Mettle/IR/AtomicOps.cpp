//===- AtomicOps.cpp - accesses that several work-items may make at once -===//
//
// Verification of the atomic operations.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/AtomicOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/AtomicOps.cpp.inc"

namespace mettle::detail {
void registerAtomicOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/AtomicOps.cpp.inc"
      >();
}
} // namespace mettle::detail

/// The rules that all atomic operations share; their labels differ in the operation's name only.
template <typename Op> static LogicalResult verifyAtomic(Op op, bool isFloatSum = false) {
  PtrType pointer = op.getPointer().getType();
  Type element = pointer.getElementType();
  // atomic_load-c1, atomic_store-c1, atomic_rmw-c1, atomic_cmpxchg-c1
  if (isFloatSum ? !element.isF32() && !element.isF64()
                 : !element.isInteger(32) && !element.isInteger(64))
    return op.emitOpError() << "expected a pointer to "
                            << (isFloatSum ? "f32 or f64" : "i32 or i64") << ", got one to "
                            << element;
  // atomic_load-c2, atomic_store-c2, atomic_rmw-c2, atomic_cmpxchg-c2
  if (pointer.getSpace() == AddressSpace::Private)
    return op.emitOpError() << "expected a pointer into global or workgroup memory, got private: "
                               "nobody else sees it";
  // atomic_load-c3, atomic_store-c3, atomic_rmw-c3, atomic_cmpxchg-c3
  if (pointer.getSpace() == AddressSpace::Workgroup && op.getScope() != MemoryScope::Workgroup)
    return op.emitOpError() << "expected the scope workgroup for workgroup memory, got "
                            << stringifyMemoryScope(op.getScope());
  return success();
}

LogicalResult AtomicLoadOp::verify() {
  // atomic_load-c4
  if (getOrder() == MemoryOrder::Release || getOrder() == MemoryOrder::AcqRel)
    return emitOpError() << "expected the order relaxed, acquire or seq_cst, got "
                         << stringifyMemoryOrder(getOrder());
  return verifyAtomic(*this);
}

LogicalResult AtomicStoreOp::verify() {
  // atomic_store-c4
  if (getOrder() == MemoryOrder::Acquire || getOrder() == MemoryOrder::AcqRel)
    return emitOpError() << "expected the order relaxed, release or seq_cst, got "
                         << stringifyMemoryOrder(getOrder());
  return verifyAtomic(*this);
}

LogicalResult AtomicRMWOp::verify() {
  bool isFloatSum = getKind() == AtomicKind::FAdd;
  // atomic_rmw-c4
  if (isFloatSum != getUnordered())
    return emitOpError() << (isFloatSum ? "expected a sum of floats to be unordered: its result "
                                          "depends on the order of arrival"
                                        : "expected only a sum of floats to be unordered, got ")
                         << (isFloatSum ? "" : stringifyAtomicKind(getKind()));
  return verifyAtomic(*this, isFloatSum);
}

LogicalResult AtomicCmpXchgOp::verify() {
  MemoryOrder success = getSuccessOrder(), failure = getFailureOrder();
  // atomic_cmpxchg-c4
  if (failure == MemoryOrder::Release || failure == MemoryOrder::AcqRel)
    return emitOpError() << "expected the failure order relaxed, acquire or seq_cst, got "
                         << stringifyMemoryOrder(failure);
  // atomic_cmpxchg-c5
  if ((failure == MemoryOrder::SeqCst && success != MemoryOrder::SeqCst) ||
      (acquires(failure) && !acquires(success)))
    return emitOpError() << "expected a failure order no stronger than "
                         << stringifyMemoryOrder(success) << ", that of success, got "
                         << stringifyMemoryOrder(failure);
  return verifyAtomic(*this);
}
