// What the lanes of a subgroup do together.

#ifndef METTLE_DIALECT_METTLE_IR_SUBGROUPOPS_TD
#define METTLE_DIALECT_METTLE_IR_SUBGROUPOPS_TD

include "Mettle/Dialect/Mettle/IR/MettleBase.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"

// A subgroup is `subgroup_size` neighbours of the workgroup, of which the last subgroup may lack
// some. A lane is absent if there is no such work-item or it has returned. Every lane that is not
// absent must arrive at a collective; the interpreter reports one that does not.

class Mettle_LaneOp<string mnemonic, string what, list<Trait> traits = []> : Mettle_Op<mnemonic, [
    Pure, DeclareOpInterfaceMethods<InferIntRangeInterface, ["inferResultRanges"]>] # traits> {
  let summary = what;
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Mettle_SubgroupLocalIdOp : Mettle_LaneOp<"subgroup_local_id", "number of the lane in its subgroup"> {
  let description = "From 0 to the subgroup's size less one: `%lane = mettle.subgroup_local_id`.";
}

def Mettle_SubgroupSizeOp : Mettle_LaneOp<"subgroup_size", "number of lanes of a full subgroup"> {
  let description = [{
    `%n = mettle.subgroup_size`. The full size, also in a subgroup that lacks lanes. A
    kernel's `subgroup_size` is its value; without that it is the target's.
  }];
  let hasFolder = 1;
}

def Mettle_LaneValue : AnyTypeOf<[I32, I64, F16, F32, F64], "i32, i64, f16, f32 or f64">;

class Mettle_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Mettle_Op<mnemonic, [MemoryEffects<[MemRead<Mettle_Convergence>]>] # traits>;

def Mettle_SubgroupBroadcastOp : Mettle_CollectiveOp<"subgroup_broadcast", [AllTypesMatch<["value", "result"]>]> {
  let summary = "the value of one lane, in every lane";
  let description = [{
    `%r = mettle.subgroup_broadcast %v, %lane : f32`. The lane is the same in the whole
    subgroup and not absent; anything else is undefined and the interpreter reports it.
    All bits are kept.
  }];
  let arguments = (ins Mettle_LaneValue:$value, I32:$lane);
  let results = (outs Mettle_LaneValue:$result);
  let assemblyFormat = "$value `,` $lane attr-dict `:` type($value)";
}

def Mettle_SubgroupShuffleOp : Mettle_CollectiveOp<"subgroup_shuffle", [AllTypesMatch<["value", "result"]>]> {
  let summary = "the value of a lane that each lane chooses";
  let description = [{
    `%r = mettle.subgroup_shuffle xor %v, %mask : f32` reads the lane `selector` (idx),
    or that of the caller's number xor-ed with it (xor), less it (up) or plus it (down),
    as numbers that do not wrap. Where that lane is absent or there is none, the result is
    the caller's own value. All bits are kept.

    With `present` the lane read is not absent; anything else is undefined and the
    interpreter reports it.
  }];
  let arguments = (ins Mettle_ShuffleModeAttr:$mode, Mettle_LaneValue:$value, I32:$selector, UnitAttr:$present);
  let results = (outs Mettle_LaneValue:$result);
  let assemblyFormat = "`` $mode $value `,` $selector (`present` $present^)? attr-dict `:` type($value)";
}

def Mettle_SubgroupReduceOp : Mettle_CollectiveOp<"subgroup_reduce", [AllTypesMatch<["value", "result"]>]> {
  let summary = "the values of all lanes combined, in every lane";
  let description = [{
    `%s = mettle.subgroup_reduce add inner_tree %v : f32`. Integers are added modulo
    2^width. The smaller of two floats is that of `arith.minimumf`: NaN if one is NaN, and
    -0.0 is below +0.0; the larger likewise. So only a sum of floats depends on the order:

    * `inner_tree`: the balanced tree over the lanes' numbers that pairs neighbours first,
      (v0 + v1) + (v2 + v3) for four;
    * `sequential`: ((v0 + v1) + v2) + v3;
    * `unordered`: any, and another one the next time.

    An absent lane is left out: its partner passes through unchanged, so that no zero is
    added.

    Constraints:
    * `subgroup_reduce-c1`: integers are combined by add, smin, smax, umin or umax, floats
      by add, fmin or fmax;
    * `subgroup_reduce-c2`: a sum of floats states its order, and nothing else does.
  }];
  let arguments = (ins Mettle_CombineKindAttr:$kind, OptionalAttr<Mettle_FoldOrderAttr>:$order,
    Mettle_LaneValue:$value);
  let results = (outs Mettle_LaneValue:$result);
  let assemblyFormat = "`` $kind `` custom<FoldOrder>($order) $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Mettle_SubgroupScanOp : Mettle_CollectiveOp<"subgroup_scan", [AllTypesMatch<["value", "result"]>]> {
  let summary = "the sum of the values of the lanes up to this one";
  let description = [{
    `%s = mettle.subgroup_scan inclusive inner_tree %v : f32` is, in lane i, what
    `mettle.subgroup_reduce add` of that order gives for the lanes 0 to i, with the others
    absent. The exclusive sum is the inclusive one of the lane before that is not absent;
    the first lane has 0, or +0.0, and no other result contains it.

    Constraints:
    * `subgroup_scan-c1`: a sum of floats states its order, and nothing else does.
  }];
  let arguments = (ins Mettle_ScanKindAttr:$kind, OptionalAttr<Mettle_FoldOrderAttr>:$order,
    Mettle_LaneValue:$value);
  let results = (outs Mettle_LaneValue:$result);
  let assemblyFormat = "`` $kind `` custom<FoldOrder>($order) $value attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Mettle_SubgroupBallotOp : Mettle_CollectiveOp<"subgroup_ballot"> {
  let summary = "a bit for each lane whose predicate holds";
  let description = [{
    `%bits = mettle.subgroup_ballot %p, %word`. Bit i of word w is the predicate of lane
    32 w + i; it is clear for a lane that is absent or beyond the subgroup's size, and so is
    every bit of a word above 3.
  }];
  let arguments = (ins I1:$predicate, I32:$word);
  let results = (outs I32:$result);
  let assemblyFormat = "$predicate `,` $word attr-dict";
}

class Mettle_VoteOp<string mnemonic, string what> : Mettle_CollectiveOp<mnemonic> {
  let summary = what;
  let arguments = (ins I1:$predicate);
  let results = (outs I1:$result);
  let assemblyFormat = "$predicate attr-dict";
}

def Mettle_SubgroupAnyOp : Mettle_VoteOp<"subgroup_any", "whether the predicate holds in a lane"> {
  let description = "`%r = mettle.subgroup_any %p`. Absent lanes do not count.";
}

def Mettle_SubgroupAllOp : Mettle_VoteOp<"subgroup_all", "whether the predicate holds in all lanes"> {
  let description = "`%r = mettle.subgroup_all %p`. Absent lanes do not count.";
}

#endif // METTLE_DIALECT_METTLE_IR_SUBGROUPOPS_TD
