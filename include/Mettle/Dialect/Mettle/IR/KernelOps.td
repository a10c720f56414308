// The launch entry of a module and how its body ends.

#ifndef METTLE_DIALECT_METTLE_IR_KERNELOPS_TD
#define METTLE_DIALECT_METTLE_IR_KERNELOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

def Mettle_KernelOp : Mettle_Op<"kernel", [
    AutomaticAllocationScope, FunctionOpInterface, HasParent<"::mlir::ModuleOp">, IsolatedFromAbove]> {
  let summary = "a function that a launch runs once for every work-item";
  let description = [{
    The only launch entry. Helper functions are `func.func` and are called with
    `func.call`; nothing calls a kernel.

    ```mlir
    mettle.kernel @scale(%x: !mettle.ptr<f32, global>, %n: i32) {
      mettle.return
    }
    ```

    `attributes {subgroup_size = 32 : i32}` fixes the number of lanes of a subgroup. A
    target that has another is refused; without it the size is the target's.

    `attributes {block_size = array<i32: 16, 8, 1>}` fixes the work-items of a workgroup along
    x, y and z, and `mettle.block_dim` with them. A launch with others is refused.

    Constraints:
    * `kernel-c1`: every argument is i8, i16, i32, i64, f16, bf16, f32, f64 or a
      pointer into global memory;
    * `kernel-c2`: there are no results;
    * `kernel-c3`: there is a body;
    * `kernel-c4`: a fixed subgroup size is a power of two from 1 to 64;
    * `kernel-c5`: a fixed block size is three extents of at least 1, together at most 1024.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<I32Attr>:$subgroup_size,
    OptionalAttr<DenseI32ArrayAttr>:$block_size,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Fails with an error for a launch with other workgroups than the kernel fixes.
    ::llvm::LogicalResult verifyBlock(std::array<uint64_t, 3> block);

    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::LogicalResult verifyType();
    ::llvm::LogicalResult verifyBody();
  }];
}

def Mettle_ReturnOp : Mettle_Op<"return", [HasParent<"::mettle::KernelOp">, Pure, ReturnLike, Terminator]> {
  let summary = "the end of a work-item";
  let assemblyFormat = "attr-dict";
}

#endif // METTLE_DIALECT_METTLE_IR_KERNELOPS_TD
