//===- AtomicOps.h - accesses that several work-items may make at once -===//
//
// Atomic loads, stores and updates, and what their orders do.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_ATOMICOPS_H
#define METTLE_DIALECT_METTLE_IR_ATOMICOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/AtomicOps.h.inc"

namespace mettle {

/// Whether an access of this order makes visible what a release has published.
inline bool acquires(MemoryOrder order) {
  return order == MemoryOrder::Acquire || order == MemoryOrder::AcqRel ||
         order == MemoryOrder::SeqCst;
}
/// Whether an access of this order publishes what came before it.
inline bool releases(MemoryOrder order) {
  return order == MemoryOrder::Release || order == MemoryOrder::AcqRel ||
         order == MemoryOrder::SeqCst;
}

} // namespace mettle

#endif // METTLE_DIALECT_METTLE_IR_ATOMICOPS_H
