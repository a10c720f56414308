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

def ConvertMettleToSPIRV : Pass<"convert-mettle-to-spirv", "::mlir::ModuleOp"> {
  let summary = "turn kernels into a SPIR-V module for OpenCL";
  let description = [{
    Why: the SPIR-V target. Every kernel, and every function that one reaches,
    becomes an operation of a `spirvx.module`; functions that no kernel reaches are
    dropped, for they are the host's.

    Needs control flow in `cf` (`flatten-scf`) and floats that
    `mettle-verify-strict-float` let pass. Keeps bits and the order of memory
    accesses and barriers. Nothing may merge or move operations afterwards, because
    upstream's subgroup operations claim to be pure.

    * Every entry point has the execution mode ContractionOff.
    * A kernel with `mettle.dynamic_workgroup` gets one argument more, the last: a
      pointer into workgroup memory with the most strictly aligned element of its
      views. The launch binds memory to it.
    * A function with several results returns a structure.
    * bf16, and before SPIR-V 1.4 f16, is held as the i16 of its bits. Sums, products,
      quotients and square roots are computed in f32 and rounded, which is exact (f32
      has at least twice the digits and two).

    Constraints:
    * `convert_mettle_to_spirv-c1`: there is a kernel;
    * `convert_mettle_to_spirv-c2`: a called function has a body;
    * `convert_mettle_to_spirv-c3`: no function reaches itself through calls;
    * `convert_mettle_to_spirv-c4`: no fused multiply-add on a float that is held as
      its bits;
    * `convert_mettle_to_spirv-c5`: no i64 is converted to bf16;
    * `convert_mettle_to_spirv-c6`: an atomic's pointer is into global or workgroup memory, or was
      made in its function from one that is.

    Before:
    ```mlir
    mettle.kernel @copy(%x: !mettle.ptr<f32, global>, %y: !mettle.ptr<f32, global>) {
      %v = mettle.load %x : !mettle.ptr<f32, global> -> f32
      mettle.store %v, %y : f32, !mettle.ptr<f32, global>
      mettle.return
    }
    ```
    After:
    ```mlir
    spirvx.module v1.4 {
      spirv.func @copy(%x: !spirv.ptr<f32, CrossWorkgroup>, %y: !spirv.ptr<f32, CrossWorkgroup>) "None" {
        %v = spirv.Load "CrossWorkgroup" %x ["Aligned", 4] : f32
        spirv.Store "CrossWorkgroup" %y, %v ["Aligned", 4] : f32
        spirv.Return
      }
      spirv.EntryPoint "Kernel" @copy
      spirv.ExecutionMode @copy "ContractionOff"
    }
    ```
  }];
  let options = [
    Option<"version", "version", "::mlir::spirv::Version", "::mlir::spirv::Version::V_1_4",
           "Version of SPIR-V to produce", [{::llvm::cl::values(
             clEnumValN(::mlir::spirv::Version::V_1_0, "1.0", "for OpenCL 2.0"),
             clEnumValN(::mlir::spirv::Version::V_1_4, "1.4", "for OpenCL 2.1 and later with SPIR-V 1.4"))}]>,
  ];
  let dependentDialects = [
    "::mlir::spirv::SPIRVDialect", "::mettle::spirvx::SPIRVXDialect",
  ];
}

#endif // METTLE_CONVERSION_PASSES_TD
