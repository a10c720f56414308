//===- PTXLogicInsts.td - Bitwise logic and shifts ---------*- tablegen -*-===//
//
// Logic on predicates and bits. A shift count of the width or more gives what shifting that far one
// bit at a time gives.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXLOGICINSTS
#define METTLE_DIALECT_PTX_IR_PTXLOGICINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

foreach op = ["and", "or", "xor"] in
  foreach reg = [Pred, B16, B32, B64] in
    let summary = "bitwise "#op in
    def !toupper(!substr(op, 0, 1))#!substr(op, 1)#reg
        : PTX_Inst<op#"."#reg.type#" $d, $a, $b;", (outs reg:$d), (ins reg:$a, reg:$b)>;
foreach reg = [Pred, B16, B32, B64] in
  let summary = "bitwise complement" in
  def Not#reg : PTX_Inst<"not."#reg.type#" $d, $a;", (outs reg:$d), (ins reg:$a)>;
foreach reg = [B16, B32, B64] in {
  let summary = "1 for zero, else 0" in
  def Cnot#reg : PTX_Inst<"cnot."#reg.type#" $d, $a;", (outs reg:$d), (ins reg:$a)>;
  let summary = "shift to the left" in
  def Shl#reg : PTX_Inst<"shl."#reg.type#" $d, $a, $count;", (outs reg:$d), (ins reg:$a, B32:$count)>;
}
foreach t = [U16, U32, U64, S16, S32, S64] in
  let summary = "shift to the right, filling with zeros (u) or the sign (s)" in
  def Shr#t : PTX_Inst<"shr."#t.ptx#" $d, $a, $count;", (outs t.reg:$d), (ins t.reg:$a, B32:$count)>;

#endif // METTLE_DIALECT_PTX_IR_PTXLOGICINSTS
