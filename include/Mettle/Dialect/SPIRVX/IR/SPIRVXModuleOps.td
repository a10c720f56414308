// The module that holds operations of spirv and of spirvx.

#ifndef METTLE_DIALECT_SPIRVX_IR_SPIRVXMODULEOPS_TD
#define METTLE_DIALECT_SPIRVX_IR_SPIRVXMODULEOPS_TD

include "Mettle/Dialect/SPIRVX/IR/SPIRVXBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def SPIRVX_ModuleOp : Op<SPIRVX_Dialect, "module", [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, SymbolTable]> {
  let summary = "one SPIR-V module for OpenCL";
  let description = [{
    `spirvx.module v1.4 { ... }` becomes one SPIR-V binary of that version: addressing
    model Physical64, memory model OpenCL. Capabilities and extensions are not
    written; they follow from what the module holds.

    Constraints:
    * `module-c1`: the version is v1.0 or v1.4;
    * `module-c2`: every operation in it is of the dialects spirv and spirvx.
  }];
  let arguments = (ins SPIRV_VersionAttr:$version);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::spirv::Version":$version)>];
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXMODULEOPS_TD
