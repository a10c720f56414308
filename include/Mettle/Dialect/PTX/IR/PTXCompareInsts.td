//===- PTXCompareInsts.td - Comparison and selection -------*- tablegen -*-===//
//
// Predicates from numbers, and numbers from predicates.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXCOMPAREINSTS
#define METTLE_DIALECT_PTX_IR_PTXCOMPAREINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

foreach t = [S16, S32, S64, U16, U32, U64] in
  let summary = "whether the comparison holds" in
  def Setp#t : PTX_Inst<"setp$compare."#t.ptx#" $d, $a, $b;", (outs Pred:$d),
                        (ins t.reg:$a, t.reg:$b, IntegerCompare:$compare)>;
foreach reg = [B16, B32, B64] in
  let summary = "whether the bits are the same, or differ" in
  def Setp#reg : PTX_Inst<"setp$compare."#reg.type#" $d, $a, $b;", (outs Pred:$d),
                          (ins reg:$a, reg:$b, BitsCompare:$compare)>;

let summary = "whether the comparison holds; eq to ge are false for NaN, equ to geu true" in {
  def SetpF32 : PTX_Inst<"setp$compare$ftz.f32 $d, $a, $b;", (outs Pred:$d),
                         (ins B32:$a, B32:$b, FloatCompare:$compare, FlushToZero:$ftz)>;
  def SetpF64 : PTX_Inst<"setp$compare.f64 $d, $a, $b;", (outs Pred:$d),
                         (ins B64:$a, B64:$b, FloatCompare:$compare), Doubles>;
  def SetpF16 : PTX_Inst<"setp$compare$ftz.f16 $d, $a, $b;", (outs Pred:$d),
                         (ins B16:$a, B16:$b, FloatCompare:$compare, FlushToZero:$ftz), PTX_Needs<"4.2", 53>>;
  def SetpBF16 : PTX_Inst<"setp$compare.bf16 $d, $a, $b;", (outs Pred:$d),
                          (ins B16:$a, B16:$b, FloatCompare:$compare), Hopper>;
}
foreach t = [F32, F64] in
  let summary = "whether the number is of the class" in
  def Testp#t : PTX_Inst<"testp$kind."#t.ptx#" $d, $a;", (outs Pred:$d),
                         (ins t.reg:$a, FloatClass:$kind), Fermi>;

foreach reg = [B16, B32, B64] in
  let summary = "a where the predicate is true, else b" in
  def Selp#reg : PTX_Inst<"selp."#reg.type#" $d, $a, $b, $p;", (outs reg:$d), (ins reg:$a, reg:$b, Pred:$p)>;

#endif // METTLE_DIALECT_PTX_IR_PTXCOMPAREINSTS
