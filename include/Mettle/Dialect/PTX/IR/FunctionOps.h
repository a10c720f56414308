//===- FunctionOps.h - ptx.entry, ptx.func, ptx.call, ptx.ret -===//
//
// What is launched and what is called.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_FUNCTIONOPS_H
#define METTLE_DIALECT_PTX_IR_FUNCTIONOPS_H

#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/PTX/IR/FunctionOps.h.inc"

#endif // METTLE_DIALECT_PTX_IR_FUNCTIONOPS_H
