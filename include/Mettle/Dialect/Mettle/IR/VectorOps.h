//===- VectorOps.h - vectors and their elements -===//
//
// What memory moves at once, put together and taken apart.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_VECTOROPS_H
#define METTLE_DIALECT_METTLE_IR_VECTOROPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/VectorOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_VECTOROPS_H
