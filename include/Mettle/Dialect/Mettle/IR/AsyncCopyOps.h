//===- AsyncCopyOps.h - copies that go on beside the work-item -===//
//
// Copies from global to workgroup memory, the groups they form and the waits for these.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_ASYNCCOPYOPS_H
#define METTLE_DIALECT_METTLE_IR_ASYNCCOPYOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/OpImplementation.h"

namespace mettle {
/// Which copies of a work-item are under way, and in which groups.
struct AsyncGroups : mlir::SideEffects::Resource::Base<AsyncGroups> {
  llvm::StringRef getName() final { return "AsyncGroups"; }
};
} // namespace mettle

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/AsyncCopyOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_ASYNCCOPYOPS_H
