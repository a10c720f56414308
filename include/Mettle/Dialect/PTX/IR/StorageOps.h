//===- StorageOps.h - ptx.shared, ptx.local, ptx.dynamic_shared -===//
//
// Declarations of memory, as the addresses they give.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_STORAGEOPS_H
#define METTLE_DIALECT_PTX_IR_STORAGEOPS_H

#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/PTX/IR/StorageOps.h.inc"

#endif // METTLE_DIALECT_PTX_IR_STORAGEOPS_H
