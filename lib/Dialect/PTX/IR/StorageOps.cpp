//===- StorageOps.cpp - ptx.shared, ptx.local, ptx.dynamic_shared -===//
//
// Verification and effects of storage. Static storage counts as an allocation, so that no pass
// merges two of them.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/PTX/IR/StorageOps.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle::ptx;

#define GET_OP_CLASSES
#include "Mettle/Dialect/PTX/IR/StorageOps.cpp.inc"

namespace mettle::ptx::detail {
void registerStorageOps(PTXDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/PTX/IR/StorageOps.cpp.inc"
      >();
}
} // namespace mettle::ptx::detail

static LogicalResult verifyAlignment(Operation *op, uint64_t alignment) {
  // shared-c2, local-c2, dynamic_shared-c1
  if (!llvm::isPowerOf2_64(alignment) || alignment > 1024)
    return op->emitOpError() << "expected the alignment to be a power of two up to 1024, got "
                             << int64_t(alignment);
  return success();
}

static LogicalResult verifySize(Operation *op, uint64_t size) {
  // shared-c1, local-c1
  if (int64_t(size) <= 0)
    return op->emitOpError() << "expected a size above zero, got " << int64_t(size);
  return success();
}

LogicalResult SharedOp::verify() {
  return success(succeeded(verifySize(*this, getSize())) &&
                 succeeded(verifyAlignment(*this, getAlignment())));
}

LogicalResult LocalOp::verify() {
  return success(succeeded(verifySize(*this, getSize())) &&
                 succeeded(verifyAlignment(*this, getAlignment())));
}

LogicalResult DynamicSharedOp::verify() { return verifyAlignment(*this, getAlignment()); }

void SharedOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0),
                       resourceOf(Memory::Shared));
}

void LocalOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0),
                       resourceOf(Memory::Local));
}
