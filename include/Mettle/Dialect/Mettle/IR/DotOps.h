//===- DotOps.h - products of bytes -===//
//
// Sums of products of the bytes of words.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_DOTOPS_H
#define METTLE_DIALECT_METTLE_IR_DOTOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/DotOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_DOTOPS_H
