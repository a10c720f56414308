//===- KernelOps.h - mettle.kernel and mettle.return -===//
//
// The launch entry and its end.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_KERNELOPS_H
#define METTLE_DIALECT_METTLE_IR_KERNELOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/KernelOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_KERNELOPS_H
