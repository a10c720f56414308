//===- BarrierOps.cpp - mettle.barrier -===//
//
// Verification of barriers.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/BarrierOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/BarrierOps.cpp.inc"

namespace mettle::detail {
void registerBarrierOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/BarrierOps.cpp.inc"
      >();
}
} // namespace mettle::detail

LogicalResult BarrierOp::verify() {
  // barrier-c1
  if (getRegions() == MemoryRegion::None)
    return emitOpError() << "expected at least one of workgroup and global, got none";
  // barrier-c2
  if (getOrder() == MemoryOrder::Relaxed)
    return emitOpError() << "expected the order acquire, release, acq_rel or seq_cst, got relaxed";
  return success();
}
