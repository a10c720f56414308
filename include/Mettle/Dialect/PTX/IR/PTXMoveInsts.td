//===- PTXMoveInsts.td - Moves, constants, packing ---------*- tablegen -*-===//
//
// Copies of registers, constants into registers (of floats by their bits), and registers made of
// smaller ones, the lowest first.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXMOVEINSTS
#define METTLE_DIALECT_PTX_IR_PTXMOVEINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

foreach reg = [Pred, B16, B32, B64] in
  let summary = "copy" in
  def Mov#reg : PTX_Inst<"mov."#reg.type#" $d, $a;", (outs reg:$d), (ins reg:$a)>;

let summary = "constant" in {
  def MovPredImm : PTX_Inst<"mov.pred $d, $value;", (outs Pred:$d), (ins BoolImm:$value)> {
    let mnemonic = "mov.pred.imm";
  }
  def MovS16 : PTX_Inst<"mov.s16 $d, $value;", (outs B16:$d), (ins S16Imm:$value)>;
  def MovS32 : PTX_Inst<"mov.s32 $d, $value;", (outs B32:$d), (ins S32Imm:$value)>;
  def MovS64 : PTX_Inst<"mov.s64 $d, $value;", (outs B64:$d), (ins S64Imm:$value)>;
}
let summary = "float constant, given by its bits" in {
  def MovF16 : PTX_Inst<"mov.b16 $d, $bits;", (outs B16:$d), (ins F16Bits:$bits)> {
    let mnemonic = "mov.f16";
  }
  def MovF32 : PTX_Inst<"mov.f32 $d, $bits;", (outs B32:$d), (ins F32Bits:$bits)>;
  def MovF64 : PTX_Inst<"mov.f64 $d, $bits;", (outs B64:$d), (ins F64Bits:$bits)>;
}

class PTX_Pack<string type, PTX_Register whole, PTX_Register part, int number>
    : PTX_Inst<"mov."#type#" $d, {$parts};", (outs whole:$d), (ins List<part, number>:$parts)> {
  let summary = "one register from parts";
  let mnemonic = "mov.pack.v"#number#"."#type;
}
class PTX_Unpack<string type, PTX_Register whole, PTX_Register part, int number>
    : PTX_Inst<"mov."#type#" {$parts}, $a;", (outs List<part, number>:$parts), (ins whole:$a)> {
  let summary = "parts of one register";
  let mnemonic = "mov.unpack.v"#number#"."#type;
}
def PackV2B32 : PTX_Pack<"b32", B32, B16, 2>;
def PackV2B64 : PTX_Pack<"b64", B64, B32, 2>;
def PackV4B64 : PTX_Pack<"b64", B64, B16, 4>;
def UnpackV2B32 : PTX_Unpack<"b32", B32, B16, 2>;
def UnpackV2B64 : PTX_Unpack<"b64", B64, B32, 2>;
def UnpackV4B64 : PTX_Unpack<"b64", B64, B16, 4>;

#endif // METTLE_DIALECT_PTX_IR_PTXMOVEINSTS
