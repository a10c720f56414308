// The dialect beside upstream's spirv: a module that holds both, and what spirv lacks for OpenCL.

#ifndef METTLE_DIALECT_SPIRVX_IR_SPIRVXDIALECT_TD
#define METTLE_DIALECT_SPIRVX_IR_SPIRVXDIALECT_TD

include "mlir/IR/DialectBase.td"

def SPIRVX_Dialect : Dialect {
  let name = "spirvx";
  let summary = "SPIR-V for OpenCL beyond upstream's spirv dialect";
  let description = [{
    Upstream's `spirv.module` admits no foreign operation, and upstream has no
    operation for a good part of what OpenCL kernels need. `spirvx.module` holds
    operations of `spirv` together with those of this dialect, each of which is one
    SPIR-V instruction. Both kinds are encoded from their records.

    Two attributes stand on operations of `spirv`, where upstream has no place for
    the fact:
    * `spirvx.alignment`, an i32 on `spirv.GlobalVariable` and `spirv.Variable`: the
      address is a multiple of so many bytes (decoration Alignment);
    * `spirvx.hidden_workgroup`, a unit on an argument of a kernel's `spirv.func`:
      the argument is not the kernel author's, the launch binds the dynamic
      workgroup memory to it.
  }];
  let cppNamespace = "::mettle::spirvx";
  let dependentDialects = ["::mlir::spirv::SPIRVDialect"];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral alignmentAttrName{"spirvx.alignment"};
    static constexpr ::llvm::StringLiteral hiddenWorkgroupAttrName{"spirvx.hidden_workgroup"};

    /// Registers the operations of one family; each family's source calls it.
    template <typename... Ops>
    void addFamily() {
      addOperations<Ops...>();
    }
  }];
}

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXDIALECT_TD
