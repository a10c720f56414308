//===- IndexOps.h - ids and extents of a launch -===//
//
// Where in the launch a work-item is.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_INDEXOPS_H
#define METTLE_DIALECT_METTLE_IR_INDEXOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/IndexOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_INDEXOPS_H
