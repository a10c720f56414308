//===- BranchOps.h - ptx.bra, ptx.cond_bra -===//
//
// Branches with block arguments, which the emitter turns into copies.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_BRANCHOPS_H
#define METTLE_DIALECT_PTX_IR_BRANCHOPS_H

#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/PTX/IR/BranchOps.h.inc"

#endif // METTLE_DIALECT_PTX_IR_BRANCHOPS_H
