// What an operation must say so that the interpreter can execute it.

#ifndef METTLE_INTERPRETER_INTERPRETABLEOPINTERFACE_TD
#define METTLE_INTERPRETER_INTERPRETABLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def InterpretableOpInterface : OpInterface<"InterpretableOpInterface"> {
  let description = [{
    The meaning of an operation, as instructions of the interpreter's flat program. It is
    attached as an external model, one source file a family of operations under
    lib/Interpreter, so no dialect depends on the interpreter.
  }];
  let cppNamespace = "::mettle::interpreter";
  let methods = [
    InterfaceMethod<[{
        Appends the instructions that compute the operation's results from its operands.
        Emits a located error and fails where the operation cannot be executed, for
        example because of a type. A terminator transfers control.
      }],
      "::llvm::LogicalResult", "lower", (ins "::mettle::interpreter::FunctionLowering &":$lowering)>,
  ];
}

#endif // METTLE_INTERPRETER_INTERPRETABLEOPINTERFACE_TD
