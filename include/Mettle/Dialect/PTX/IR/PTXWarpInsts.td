//===- PTXWarpInsts.td - What the threads of a warp do together -*- tablegen -*-===//
//
// Exchanges, votes and reductions among the threads of a mask, which must execute the same one.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXWARPINSTS
#define METTLE_DIALECT_PTX_IR_PTXWARPINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

let effects = [Convergent] in {
  let summary = "the threads of the warp that execute this together" in
  def Activemask : PTX_Inst<"activemask.b32 $d;", (outs B32:$d), (ins), PTX_Needs<"6.2", 30>>;

  // `clamp` holds the segment's mask in bits 8 to 12 and the last lane in bits 0 to 4.
  let summary = "the value of another lane: below, above, of the index xor-ed, or given" in
  def ShflB32 : PTX_Inst<"shfl.sync$mode.b32 $d, $a, $lane, $clamp, $mask;", (outs B32:$d),
                         (ins B32:$a, B32:$lane, B32:$clamp, B32:$mask, ShuffleMode:$mode), Volta>;
  let summary = "the value of another lane, and whether that lane is within the segment" in
  def ShflPredB32 : PTX_Inst<"shfl.sync$mode.b32 $d|$p, $a, $lane, $clamp, $mask;", (outs B32:$d, Pred:$p),
                             (ins B32:$a, B32:$lane, B32:$clamp, B32:$mask, ShuffleMode:$mode), Volta> {
    let mnemonic = "shfl.sync$mode.pred.b32";
  }

  let summary = "whether the predicate holds in all lanes, in any, or is the same in all" in
  def VotePred : PTX_Inst<"vote.sync$mode.pred $d, $p, $mask;", (outs Pred:$d),
                          (ins Pred:$p, B32:$mask, VoteMode:$mode), Volta>;
  let summary = "a bit for each lane whose predicate holds" in
  def VoteBallot : PTX_Inst<"vote.sync.ballot.b32 $d, $p, $mask;", (outs B32:$d), (ins Pred:$p, B32:$mask), Volta>;

  foreach reg = [B32, B64] in {
    let summary = "the lanes with the same value" in
    def MatchAny#reg : PTX_Inst<"match.any.sync."#reg.type#" $d, $a, $mask;", (outs B32:$d), (ins reg:$a, B32:$mask),
                                PTX_Needs<"6.0", 70>>;
    let summary = "the mask, and true, if all lanes have the same value, else zero" in
    def MatchAll#reg : PTX_Inst<"match.all.sync."#reg.type#" $d|$p, $a, $mask;", (outs B32:$d, Pred:$p),
                                (ins reg:$a, B32:$mask), PTX_Needs<"6.0", 70>>;
  }

  foreach t = [S32, U32] in
    let summary = "sum, smallest or largest of all lanes" in
    def Redux#t : PTX_Inst<"redux.sync$op."#t.ptx#" $d, $a, $mask;", (outs B32:$d),
                           (ins B32:$a, B32:$mask, ReduxArithmetic:$op), Ampere>;
  let summary = "bitwise combination of all lanes" in
  def ReduxB32 : PTX_Inst<"redux.sync$op.b32 $d, $a, $mask;", (outs B32:$d),
                          (ins B32:$a, B32:$mask, ReduxLogic:$op), Ampere>;
  let summary = "smallest or largest float of all lanes" in
  def ReduxF32 : PTX_Inst<"redux.sync$op$abs$nan.f32 $d, $a, $mask;", (outs B32:$d),
                          (ins B32:$a, B32:$mask, ReduxFloat:$op, Absolute:$abs, NaNResult:$nan),
                          PTX_Needs<"8.6", 100, ["sm_100a", "sm_100f"]>>;

  let summary = "one lane of the mask, and whether it is this one" in
  def Elect : PTX_Inst<"elect.sync $d|$p, $mask;", (outs B32:$d, Pred:$p), (ins B32:$mask), PTX_Needs<"8.0", 90>>;
}

#endif // METTLE_DIALECT_PTX_IR_PTXWARPINSTS
