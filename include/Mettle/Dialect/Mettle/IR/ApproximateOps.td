// Functions whose bits are a device's own.

#ifndef METTLE_DIALECT_METTLE_IR_APPROXIMATEOPS_TD
#define METTLE_DIALECT_METTLE_IR_APPROXIMATEOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Mettle_ApproximateOp : Mettle_Op<"approximate", [Pure, SameOperandsAndResultType]> {
  let summary = "a function as the device approximates it";
  let description = [{
    The result differs between targets; on one target it is a function of the operand:

    | function | PTX | SPIR-V |
    |---|---|---|
    | `exp` | `ex2.approx.f32` of the product with log2(e), rounded to nearest even (0x3FB8AA3B) | `native_exp` |
    | `log` | `lg2.approx.f32`, its product with ln(2), rounded to nearest even (0x3F317218) | `native_log` |
    | `sin` | `sin.approx.f32` | `native_sin` |
    | `cos` | `cos.approx.f32` | `native_cos` |
    | `rsqrt` | `rsqrt.approx.f32` | `native_rsqrt` |

    The interpreter returns what the PTX forms return on sm_90, bit for bit (docs/approximate-functions.md).

    ```mlir
    %y = mettle.approximate exp %x : f32
    ```
  }];
  let arguments = (ins Mettle_ApproximateFunctionAttr:$function, F32:$operand);
  let results = (outs F32:$result);
  let assemblyFormat = "$function $operand attr-dict `:` type($operand)";
}

#endif // METTLE_DIALECT_METTLE_IR_APPROXIMATEOPS_TD
