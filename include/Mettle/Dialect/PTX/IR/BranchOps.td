// Branches: how control leaves a block of a function.

#ifndef METTLE_DIALECT_PTX_IR_BRANCHOPS_TD
#define METTLE_DIALECT_PTX_IR_BRANCHOPS_TD

include "Mettle/Dialect/PTX/IR/PTXBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def PTX_BraOp : PTX_Op<"bra", [DeclareOpInterfaceMethods<BranchOpInterface>, Pure, Terminator]> {
  let summary = "a branch";
  let arguments = (ins Variadic<PTX_AnyRegister>:$destOperands);
  let successors = (successor AnySuccessor:$dest);
  let assemblyFormat = "$dest (`(` $destOperands^ `:` type($destOperands) `)`)? attr-dict";
}

def PTX_CondBraOp : PTX_Op<"cond_bra", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<BranchOpInterface>, Pure, Terminator]> {
  let summary = "a branch that a predicate decides";
  let description = [{
    Goes to the first block where the predicate is true, else to the second.

    Constraints:
    * `cond_bra-c1`: the condition is a predicate.
  }];
  let arguments = (ins PTX_Pred:$condition, Variadic<PTX_AnyRegister>:$trueOperands,
                       Variadic<PTX_AnyRegister>:$falseOperands);
  let successors = (successor AnySuccessor:$trueDest, AnySuccessor:$falseDest);
  let assemblyFormat = [{
    $condition `,` $trueDest (`(` $trueOperands^ `:` type($trueOperands) `)`)? `,`
    $falseDest (`(` $falseOperands^ `:` type($falseOperands) `)`)? attr-dict
  }];
}

#endif // METTLE_DIALECT_PTX_IR_BRANCHOPS_TD
