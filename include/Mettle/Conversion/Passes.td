// Passes that lower the neutral dialects to a target's.

#ifndef METTLE_CONVERSION_PASSES_TD
#define METTLE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlattenSCF : Pass<"flatten-scf"> {
  let summary = "lower structured control flow to branches, in linear time";
  let description = [{
    Why: the targets' conversions start from `cf`, and upstream's `convert-scf-to-cf`
    takes time quadratic in the number of operations of a block.

    Needs nothing. Keeps bits and order: the patterns are upstream's, applied from the
    end of each block to its start. `scf.parallel`, `scf.forall` and `scf.execute_region`
    are lowered too; whatever has no pattern is an error at its place.

    ```mlir
    scf.if %c { "then"() : () -> () }
    ```
    becomes
    ```mlir
      cf.cond_br %c, ^then, ^join
    ^then:
      "then"() : () -> ()
      cf.br ^join
    ^join:
    ```
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

def ConvertMettleToPTX : Pass<"convert-mettle-to-ptx", "::mlir::ModuleOp"> {
  let summary = "lower kernels and helper functions to PTX instructions";
  let description = [{
    Why: the last neutral step of the PTX road; what follows only prints.

    Needs control flow in `cf` (`flatten-scf`) and floats that
    `mettle-verify-strict-float` let pass. Keeps bits and the order of memory
    accesses. What it leaves is `ptx` alone; an operation or type without PTX
    instructions is an error at its place.

    ```mlir
    %s = arith.addf %a, %b : f32
    ```
    becomes
    ```mlir
    %s = ptx.inst add.rn.f32 %a, %b
    ```
  }];
  let dependentDialects = ["::mettle::ptx::PTXDialect"];
}

#endif // METTLE_CONVERSION_PASSES_TD
