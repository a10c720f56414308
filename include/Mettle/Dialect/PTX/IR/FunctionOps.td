// Entries, device functions and calls.

#ifndef METTLE_DIALECT_PTX_IR_FUNCTIONOPS_TD
#define METTLE_DIALECT_PTX_IR_FUNCTIONOPS_TD

include "Mettle/Dialect/PTX/IR/PTXBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"

class PTX_FunctionOp<string mnemonic> : PTX_Op<mnemonic, [
    FunctionOpInterface, HasParent<"::mlir::ModuleOp">, IsolatedFromAbove]> {
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
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

def PTX_EntryOp : PTX_FunctionOp<"entry"> {
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DenseI32ArrayAttr>:$required_threads,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let summary = "a launch entry";
  let description = [{
    A kernel. Its arguments are the registers that hold the parameters' values from
    the start on; `#ptx.param` on an argument says how the parameter is declared. With
    `required_threads = array<i32: 256, 1, 1>` every launch has such blocks.

    ```mlir
    ptx.entry @scale(%x: !ptx.b64 {ptx.param = #ptx.param<pointer = global, align = 4>}, %n: !ptx.b32) {
      ptx.ret
    }
    ```

    Constraints:
    * `entry-c1`: arguments are b16, b32 or b64 registers;
    * `entry-c2`: there are no results;
    * `entry-c3`: there is a body;
    * `entry-c4`: a parameter's type loads into its register: u8, s8, u16, s16, b32 into b32,
      b16 into b16, b64 into b64;
    * `entry-c5`: a pointer is a b64 register;
    * `entry-c6`: the name is letters, digits and `_`, begins with no digit, and is more than `_`
      and not WARP_SZ;
    * `entry-c7`: required threads are three numbers, each at least 1.
  }];
}

def PTX_FuncOp : PTX_FunctionOp<"func"> {
  let summary = "a device function";
  let description = [{
    What entries and functions call.

    Constraints:
    * `func-c1`: arguments and results are b32 or b64 registers, since PTX takes no narrower
      parameter in a function;
    * `func-c2`: there is a body;
    * `func-c3`: the name is as `entry-c6` says.
  }];
}

def PTX_CallOp : PTX_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a call of a device function";
  let description = [{
    ```mlir
    %r = ptx.call @f(%a, %b) : (!ptx.b32, !ptx.b64) -> !ptx.b32
    ```

    Constraints:
    * `call-c1`: the callee is a ptx.func of the module;
    * `call-c2`: operands and results have the types of the callee.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<PTX_AnyRegister>:$inputs,
    OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<PTX_AnyRegister>:$results);
  let assemblyFormat = "$callee `(` $inputs `)` attr-dict `:` functional-type($inputs, $results)";
  let extraClassDeclaration = [{
    ::mlir::CallInterfaceCallable getCallableForCallee() { return getCalleeAttr(); }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
    ::mlir::Operation::operand_range getArgOperands() { return getInputs(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getInputsMutable(); }
  }];
}

def PTX_RetOp : PTX_Op<"ret", [Pure, ReturnLike, Terminator]> {
  let summary = "the end of a function";
  let description = [{
    Constraints:
    * `ret-c1`: operands have the types of the function's results.
  }];
  let arguments = (ins Variadic<PTX_AnyRegister>:$inputs);
  let assemblyFormat = "($inputs^ `:` type($inputs))? attr-dict";
  let hasVerifier = 1;
}

#endif // METTLE_DIALECT_PTX_IR_FUNCTIONOPS_TD
