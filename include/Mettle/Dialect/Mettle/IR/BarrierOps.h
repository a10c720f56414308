//===- BarrierOps.h - barriers -===//
//
// Where the work-items of a workgroup wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_BARRIEROPS_H
#define METTLE_DIALECT_METTLE_IR_BARRIEROPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/BarrierOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_BARRIEROPS_H
