// Products of the bytes of words.

#ifndef METTLE_DIALECT_METTLE_IR_DOTOPS_TD
#define METTLE_DIALECT_METTLE_IR_DOTOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

def Mettle_Dot4Op : Mettle_Op<"dot4", [Pure, SameOperandsAndResultType]> {
  let summary = "the sum of the products of four bytes, added to a number";
  let description = [{
    `%d = mettle.dot4 %a, %b, %c : i32` is `c + a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3` modulo 2^32,
    where `a0` is the lowest byte of `a`, and bytes are numbers from -128 to 127, or from 0 to 255
    with `unsigned`. No partial sum is rounded or clamped, so their order does not matter.
  }];
  let arguments = (ins UnitAttr:$is_unsigned, I32:$a, I32:$b, I32:$c);
  let results = (outs I32:$result);
  let assemblyFormat = "(`unsigned` $is_unsigned^)? $a `,` $b `,` $c attr-dict `:` type($result)";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// What the operation returns.
    static uint32_t evaluate(uint32_t a, uint32_t b, uint32_t c, bool isUnsigned);
  }];
}

#endif // METTLE_DIALECT_METTLE_IR_DOTOPS_TD
