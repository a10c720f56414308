//===- PTXSpecialInsts.td - Special registers --------------*- tablegen -*-===//
//
// Where a thread is, and what it can know of the machine. What cannot change while a thread runs has
// no effect; what can differs at every read.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXSPECIALINSTS
#define METTLE_DIALECT_PTX_IR_PTXSPECIALINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

class PTX_Special<string register, PTX_Register registers, string type, PTX_Needs least = EveryTarget>
    : PTX_Inst<"mov."#type#" $d, %"#register#";", (outs registers:$d), (ins), least> {
  let mnemonic = "mov."#type#"."#register;
  let summary = "%"#register;
}

foreach axis = ["x", "y", "z"] in {
  defvar Axis = !toupper(axis);
  def MovTid#Axis : PTX_Special<"tid."#axis, B32, "u32">;
  def MovNtid#Axis : PTX_Special<"ntid."#axis, B32, "u32">;
  def MovCtaid#Axis : PTX_Special<"ctaid."#axis, B32, "u32">;
  def MovNctaid#Axis : PTX_Special<"nctaid."#axis, B32, "u32">;
  def MovClusterid#Axis : PTX_Special<"clusterid."#axis, B32, "u32", Hopper>;
  def MovNclusterid#Axis : PTX_Special<"nclusterid."#axis, B32, "u32", Hopper>;
  def MovClusterCtaid#Axis : PTX_Special<"cluster_ctaid."#axis, B32, "u32", Hopper>;
  def MovClusterNctaid#Axis : PTX_Special<"cluster_nctaid."#axis, B32, "u32", Hopper>;
}
def MovClusterCtarank : PTX_Special<"cluster_ctarank", B32, "u32", Hopper>;
def MovClusterNctarank : PTX_Special<"cluster_nctarank", B32, "u32", Hopper>;

def MovLaneid : PTX_Special<"laneid", B32, "u32", PTX_Needs<"1.3", 10>>;
def MovGridid : PTX_Special<"gridid", B64, "u64", PTX_Needs<"3.0", 30>>;
foreach which = ["eq", "le", "lt", "ge", "gt"] in
  def MovLanemask#!toupper(!substr(which, 0, 1))#!substr(which, 1)
      : PTX_Special<"lanemask_"#which, B32, "u32", Fermi>;
def MovNsmid : PTX_Special<"nsmid", B32, "u32", Fermi>;
def MovNwarpid : PTX_Special<"nwarpid", B32, "u32", Fermi>;
def MovTotalSmemSize : PTX_Special<"total_smem_size", B32, "u32", PTX_Needs<"4.1", 20>>;
def MovDynamicSmemSize : PTX_Special<"dynamic_smem_size", B32, "u32", PTX_Needs<"4.1", 20>>;
def MovAggrSmemSize : PTX_Special<"aggr_smem_size", B32, "u32", PTX_Needs<"8.1", 90>>;

let effects = [Volatile] in {
  def MovWarpid : PTX_Special<"warpid", B32, "u32", PTX_Needs<"1.3", 10>>;
  def MovSmid : PTX_Special<"smid", B32, "u32", PTX_Needs<"1.3", 10>>;
  def MovClock : PTX_Special<"clock", B32, "u32">;
  def MovClockHi : PTX_Special<"clock_hi", B32, "u32", PTX_Needs<"5.0", 20>>;
  def MovClock64 : PTX_Special<"clock64", B64, "u64", Fermi>;
  def MovGlobaltimer : PTX_Special<"globaltimer", B64, "u64", PTX_Needs<"3.1", 30>>;
  def MovGlobaltimerLo : PTX_Special<"globaltimer_lo", B32, "u32", PTX_Needs<"3.1", 30>>;
  def MovGlobaltimerHi : PTX_Special<"globaltimer_hi", B32, "u32", PTX_Needs<"3.1", 30>>;

  let summary = "sleep for about that many nanoseconds" in
  def NanosleepU32 : PTX_Inst<"nanosleep.u32 $duration;", (outs), (ins B32:$duration), PTX_Needs<"6.3", 70>>;
  let summary = "stop the launch with an error" in
  def Trap : PTX_Inst<"trap;", (outs), (ins)>;
  let summary = "stop in the debugger" in
  def Brkpt : PTX_Inst<"brkpt;", (outs), (ins)>;
}

#endif // METTLE_DIALECT_PTX_IR_PTXSPECIALINSTS
