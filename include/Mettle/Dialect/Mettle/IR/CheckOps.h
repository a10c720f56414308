//===- CheckOps.h - assertions and prints -===//
//
// What a kernel says about its own run.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_CHECKOPS_H
#define METTLE_DIALECT_METTLE_IR_CHECKOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/OpImplementation.h"

namespace mettle {

/// What assertions and prints write: nothing reads it but the one who launched.
struct Report : mlir::SideEffects::Resource::Base<Report> {
  llvm::StringRef getName() final { return "Report"; }
};

} // namespace mettle

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/CheckOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_CHECKOPS_H
