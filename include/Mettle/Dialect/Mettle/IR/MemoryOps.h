//===- MemoryOps.h - storage, addresses and accesses -===//
//
// Allocations, address arithmetic, loads, stores and pointer casts.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_MEMORYOPS_H
#define METTLE_DIALECT_METTLE_IR_MEMORYOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/MemoryOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_MEMORYOPS_H
