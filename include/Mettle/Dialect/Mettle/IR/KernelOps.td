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

    Constraints:
    * `kernel-c1`: every argument is i8, i16, i32, i64, f16, bf16, f32, f64 or a
      pointer into global memory;
    * `kernel-c2`: there are no results;
    * `kernel-c3`: there is a body;
    * `kernel-c4`: a fixed subgroup size is a power of two from 1 to 64.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<I32Attr>:$subgroup_size,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
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
