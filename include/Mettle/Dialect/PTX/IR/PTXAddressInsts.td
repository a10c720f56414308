//===- PTXAddressInsts.td - Address spaces -----------------*- tablegen -*-===//
//
// Conversions between generic addresses and those of a space, and tests of a generic address.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXADDRESSINSTS
#define METTLE_DIALECT_PTX_IR_PTXADDRESSINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

foreach space = ["global", "shared", "local", "const"] in {
  defvar Space = !toupper(!substr(space, 0, 1))#!substr(space, 1);
  defvar isConst = !eq(space, "const");
  let summary = "the generic address of one in "#space#" memory" in
  def Cvta#Space : PTX_Inst<"cvta."#space#".u64 $d, $a;", (outs B64:$d), (ins B64:$a),
                            PTX_Needs<!if(isConst, "3.1", "2.0"), 20>>;
  let summary = "the address in "#space#" memory of a generic one" in
  def CvtaTo#Space : PTX_Inst<"cvta.to."#space#".u64 $d, $a;", (outs B64:$d), (ins B64:$a),
                              PTX_Needs<!if(isConst, "3.1", "2.0"), 20>>;
  let summary = "whether a generic address is in "#space#" memory" in
  def Isspacep#Space : PTX_Inst<"isspacep."#space#" $d, $a;", (outs Pred:$d), (ins B64:$a),
                                PTX_Needs<!if(isConst, "3.1", "2.0"), 20>>;
}

let summary = "bring a cache line near" in
foreach level = ["L1", "L2"] in {
  def PrefetchGlobal#level : PTX_Inst<"prefetch.global."#level#" [$address+$offset];", (outs),
                                      (ins B64:$address, Offset:$offset), Fermi> {
    let effects = [Volatile];
  }
}

#endif // METTLE_DIALECT_PTX_IR_PTXADDRESSINSTS
