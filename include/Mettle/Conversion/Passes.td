// Passes that lower the neutral dialects to a target's.

#ifndef METTLE_CONVERSION_PASSES_TD
#define METTLE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMettleToPTX : Pass<"convert-mettle-to-ptx", "::mlir::ModuleOp"> {
  let summary = "lower kernels and helper functions to PTX instructions";
  let description = [{
    Why: the last neutral step of the PTX road; what follows only prints.

    Needs control flow in `cf` (`convert-scf-to-cf`) and floats that
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
