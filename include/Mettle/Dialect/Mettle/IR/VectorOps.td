// Vectors and their elements.

#ifndef METTLE_DIALECT_METTLE_IR_VECTOROPS_TD
#define METTLE_DIALECT_METTLE_IR_VECTOROPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"
include "Mettle/Dialect/Mettle/IR/MettleTypes.td"

def Mettle_PackOp : Mettle_Op<"pack", [Pure]> {
  let summary = "the vector of some elements";
  let description = [{
    `%v = mettle.pack %a, %b : vector<2xf32>`: element `k` of the vector is operand `k`, every
    bit of it.

    Constraints:
    * `pack-c1`: there is an operand of the element's type for each element.
  }];
  let arguments = (ins Variadic<AnyType>:$elements);
  let results = (outs Mettle_Storable:$vector);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Mettle_UnpackOp : Mettle_Op<"unpack", [Pure]> {
  let summary = "the elements of a vector";
  let description = [{
    `%a, %b = mettle.unpack %v : vector<2xf32>`: result `k` is element `k` of the vector, every
    bit of it.

    Constraints:
    * `unpack-c1`: there is a result of the element's type for each element.
  }];
  let arguments = (ins Mettle_Storable:$vector);
  let results = (outs Variadic<AnyType>:$elements);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$vector)>];
}

#endif // METTLE_DIALECT_METTLE_IR_VECTOROPS_TD
