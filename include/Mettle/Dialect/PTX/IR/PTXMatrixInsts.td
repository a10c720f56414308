//===- PTXMatrixInsts.td - Matrix instructions of a warp ---*- tablegen -*-===//
//
// D = A * B + C on fragments that the lanes of a warp hold, and what brings fragments there. Element
// types below 32 bits are packed, the lowest first. How a fragment lies in the lanes, and how its
// products are summed and rounded, is in the PTX manual and in Numerics.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXMATRIXINSTS
#define METTLE_DIALECT_PTX_IR_PTXMATRIXINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

/// A shape with the number of registers that a lane holds of A, B and D.
class PTX_Tile<string mnk, int countA, int countB, int countD> {
  string shape = mnk;
  string cpp = !toupper(mnk);
  int a = countA;
  int b = countB;
  int d = countD;
}

/// `types` are those of D, A, B and C as the mnemonic lists them, `flags` what stands before them.
class PTX_Mma<string head, PTX_Tile t, string flags, string types, PTX_Register accumulator, PTX_Register factor,
              dag modifiers, PTX_Needs least>
    : PTX_Inst<head#"."#t.shape#".row.col"#flags#"."#types#" {$d}, {$a}, {$b}, {$c};", (outs List<accumulator, t.d>:$d),
               !con((ins List<factor, t.a>:$a, List<factor, t.b>:$b, List<accumulator, t.d>:$c), modifiers), least> {
  let summary = "matrix product and sum";
}

defvar MmaHead = "mma.sync.aligned";
// An accumulator of f16 takes half the registers.
class PTX_Narrow<PTX_Tile t> : PTX_Tile<t.shape, t.a, t.b, 2>;

let effects = [Convergent] in {
  foreach t = [PTX_Tile<"m16n8k8", 2, 1, 4>, PTX_Tile<"m16n8k16", 4, 2, 4>] in {
    defvar HalfNeeds = !if(!eq(t.shape, "m16n8k8"), PTX_Needs<"6.5", 75>, Ampere);
    def Mma#t.cpp#F32F16 : PTX_Mma<MmaHead, t, "", "f32.f16.f16.f32", B32, B32, (ins), HalfNeeds>;
    def Mma#t.cpp#F16F16 : PTX_Mma<MmaHead, PTX_Narrow<t>, "", "f16.f16.f16.f16", B32, B32, (ins), HalfNeeds>;
    def Mma#t.cpp#F32BF16 : PTX_Mma<MmaHead, t, "", "f32.bf16.bf16.f32", B32, B32, (ins), Ampere>;
  }
  foreach t = [PTX_Tile<"m16n8k4", 2, 1, 4>, PTX_Tile<"m16n8k8", 4, 2, 4>] in
    def Mma#t.cpp#F32TF32 : PTX_Mma<MmaHead, t, "", "f32.tf32.tf32.f32", B32, B32, (ins), Ampere>;

  foreach t = [PTX_Tile<"m8n8k4", 1, 1, 2>, PTX_Tile<"m16n8k4", 2, 1, 4>, PTX_Tile<"m16n8k8", 4, 2, 4>,
               PTX_Tile<"m16n8k16", 8, 4, 4>] in
    def Mma#t.cpp#F64 : PTX_Mma<MmaHead, t, "", "f64.f64.f64.f64", B64, B64, (ins),
                                !if(!eq(t.shape, "m8n8k4"), Ampere, Hopper)>;

  foreach a = ["s8", "u8"] in
    foreach b = ["s8", "u8"] in
      foreach t = [PTX_Tile<"m8n8k16", 1, 1, 2>, PTX_Tile<"m16n8k16", 2, 1, 4>, PTX_Tile<"m16n8k32", 4, 2, 4>] in
        def Mma#t.cpp#S32#!toupper(a)#!toupper(b)
            : PTX_Mma<MmaHead, t, "$sat", "s32."#a#"."#b#".s32", B32, B32, (ins SaturateFinite:$sat),
                      !if(!eq(t.shape, "m8n8k16"), PTX_Needs<"6.5", 75>, Ampere)>;
  foreach a = ["s4", "u4"] in
    foreach b = ["s4", "u4"] in
      foreach t = [PTX_Tile<"m8n8k32", 1, 1, 2>, PTX_Tile<"m16n8k32", 2, 1, 4>, PTX_Tile<"m16n8k64", 4, 2, 4>] in
        def Mma#t.cpp#S32#!toupper(a)#!toupper(b)
            : PTX_Mma<MmaHead, t, "$sat", "s32."#a#"."#b#".s32", B32, B32, (ins SaturateFinite:$sat),
                      !if(!eq(t.shape, "m8n8k32"), PTX_Needs<"6.5", 75>, Ampere)>;
  foreach t = [PTX_Tile<"m8n8k128", 1, 1, 2>, PTX_Tile<"m16n8k128", 2, 1, 4>, PTX_Tile<"m16n8k256", 4, 2, 4>] in {
    def Mma#t.cpp#S32B1Xor : PTX_Mma<MmaHead, t, "", "s32.b1.b1.s32.xor.popc", B32, B32, (ins),
                                     !if(!eq(t.shape, "m8n8k128"), Turing, Ampere)>;
    def Mma#t.cpp#S32B1And : PTX_Mma<MmaHead, t, "", "s32.b1.b1.s32.and.popc", B32, B32, (ins), PTX_Needs<"7.1", 80>>;
  }

  foreach a = ["e4m3", "e5m2"] in
    foreach b = ["e4m3", "e5m2"] in {
      defvar Types = !toupper(a)#!toupper(b);
      foreach t = [PTX_Tile<"m16n8k16", 2, 1, 4>, PTX_Tile<"m16n8k32", 4, 2, 4>] in {
        def Mma#t.cpp#F32#Types : PTX_Mma<MmaHead, t, "", "f32."#a#"."#b#".f32", B32, B32, (ins),
                                          PTX_Needs<!if(!eq(t.shape, "m16n8k32"), "8.4", "8.7"), 89>>;
        def Mma#t.cpp#F16#Types : PTX_Mma<MmaHead, PTX_Narrow<t>, "", "f16."#a#"."#b#".f16", B32, B32, (ins),
                                          PTX_Needs<"8.7", 89>>;
      }
    }

  // A of a 2:4 sparse matrix holds the two of four elements that are there; `metadata` says which, by the lanes
  // that `selector` names.
  foreach kind = ["", "::ordered_metadata"] in {
    defvar Kind = !if(!empty(kind), "", "Ordered");
    defvar SparseNeeds = !if(!empty(kind), PTX_Needs<"7.1", 80>, PTX_Needs<"8.5", 80>);
    foreach row = [["m16n8k16", "f32", "f16", "half"], ["m16n8k32", "f32", "f16", "whole"],
                   ["m16n8k16", "f16", "f16", "half"], ["m16n8k32", "f16", "f16", "whole"],
                   ["m16n8k16", "f32", "bf16", "half"], ["m16n8k32", "f32", "bf16", "whole"],
                   ["m16n8k8", "f32", "tf32", "half"], ["m16n8k16", "f32", "tf32", "whole"]] in {
      defvar count = !if(!eq(row[3], "half"), 2, 4);
      defvar countD = !if(!eq(row[1], "f16"), 2, 4);
      let summary = "matrix product and sum with a sparse A" in
      def MmaSp#Kind#!toupper(row[0])#!toupper(row[1])#!toupper(row[2])
          : PTX_Inst<"mma.sp"#kind#".sync.aligned."#row[0]#".row.col."#row[1]#"."#row[2]#"."#row[2]#"."#row[1]
                     #" {$d}, {$a}, {$b}, {$c}, $metadata, $selector;", (outs List<B32, countD>:$d),
                     (ins List<B32, count>:$a, List<B32, count>:$b, List<B32, countD>:$c, B32:$metadata,
                          Selector:$selector), SparseNeeds>;
    }
  }

  defvar Blackwell = PTX_Needs<"8.7", 120, ["sm_120a", "sm_121a", "sm_120f"]>;
  foreach a = ["e2m1", "e2m3", "e3m2", "e4m3", "e5m2"] in
    foreach b = ["e2m1", "e2m3", "e3m2", "e4m3", "e5m2"] in {
      defvar Types = !toupper(a)#!toupper(b);
      defvar t = PTX_Tile<"m16n8k32", 4, 2, 4>;
      def MmaMixed#t.cpp#F32#Types : PTX_Mma<MmaHead, t, ".kind::f8f6f4", "f32."#a#"."#b#".f32", B32, B32, (ins),
                                             Blackwell>;
      def MmaMixed#t.cpp#F16#Types : PTX_Mma<MmaHead, PTX_Narrow<t>, ".kind::f8f6f4", "f16."#a#"."#b#".f16", B32, B32,
                                             (ins), Blackwell>;
    }

  // Each block of a row of A and of a column of B has a scale; `byteA` and `laneA` name the byte of the register
  // and the pair of lanes that hold them.
  class PTX_Scaled<PTX_Tile t, string flags, string types>
      : PTX_Inst<MmaHead#"."#t.shape#".row.col."#flags#"."#types
                 #" {$d}, {$a}, {$b}, {$c}, {$scaleA}, {$byteA, $laneA}, {$scaleB}, {$byteB, $laneB};",
                 (outs List<B32, 4>:$d),
                 (ins List<B32, 4>:$a, List<B32, 2>:$b, List<B32, 4>:$c, List<B32, 1>:$scaleA, Selector:$byteA,
                      Selector:$laneA, List<B32, 1>:$scaleB, Selector:$byteB, Selector:$laneB), Blackwell> {
    let summary = "matrix product and sum with scales";
  }
  foreach a = ["e2m1", "e2m3", "e3m2", "e4m3", "e5m2"] in
    foreach b = ["e2m1", "e2m3", "e3m2", "e4m3", "e5m2"] in
      def MmaScaledM16N8K32#!toupper(a)#!toupper(b)
          : PTX_Scaled<PTX_Tile<"m16n8k32", 4, 2, 4>, "kind::mxf8f6f4.block_scale.scale_vec::1X",
                       "f32."#a#"."#b#".f32.ue8m0">;
  defvar K64 = PTX_Tile<"m16n8k64", 4, 2, 4>;
  def MmaScaledM16N8K64MXF4 : PTX_Scaled<K64, "kind::mxf4.block_scale.scale_vec::2X", "f32.e2m1.e2m1.f32.ue8m0">;
  def MmaScaledM16N8K64NVF4 : PTX_Scaled<K64, "kind::mxf4nvf4.block_scale.scale_vec::4X", "f32.e2m1.e2m1.f32.ue4m3">;

  let summary = "an 8 by 8 matrix of 16-bit elements, transposed" in
  def MovmatrixTransB16 : PTX_Inst<"movmatrix.sync.aligned.m8n8.trans.b16 $d, $a;", (outs B32:$d), (ins B32:$a),
                                   PTX_Needs<"7.8", 75>>;
}

foreach n = [1, 2, 4] in {
  let summary = "8 by 8 matrices of 16-bit elements from shared memory, whose rows the lanes' addresses name",
      effects = [Convergent, Read<Shared>] in
  def LdmatrixX#n : PTX_Inst<"ldmatrix.sync.aligned.m8n8.x"#n#"$trans.shared.b16 {$d}, [$address+$offset];",
                             (outs List<B32, n>:$d), (ins B64:$address, Offset:$offset, Transpose:$trans),
                             PTX_Needs<"6.5", 75>>;
  let summary = "8 by 8 matrices of 16-bit elements to shared memory, whose rows the lanes' addresses name",
      effects = [Convergent, Write<Shared>] in
  def StmatrixX#n : PTX_Inst<"stmatrix.sync.aligned.m8n8.x"#n#"$trans.shared.b16 [$address+$offset], {$a};", (outs),
                             (ins B64:$address, Offset:$offset, List<B32, n>:$a, Transpose:$trans),
                             PTX_Needs<"7.8", 90>>;
}

#endif // METTLE_DIALECT_PTX_IR_PTXMATRIXINSTS
