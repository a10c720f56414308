//===- BranchOps.cpp - ptx.bra, ptx.cond_bra -===//
//
// Successor operands of branches.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/PTX/IR/BranchOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle::ptx;

#define GET_OP_CLASSES
#include "Mettle/Dialect/PTX/IR/BranchOps.cpp.inc"

namespace mettle::ptx::detail {
void registerBranchOps(PTXDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/PTX/IR/BranchOps.cpp.inc"
      >();
}
} // namespace mettle::ptx::detail

SuccessorOperands BraOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getDestOperandsMutable());
}

SuccessorOperands CondBraOp::getSuccessorOperands(unsigned index) {
  return SuccessorOperands(index == 0 ? getTrueOperandsMutable() : getFalseOperandsMutable());
}
