//===- PTXConvertInsts.td - Conversions of numbers -----------*- tablegen -*-===//
//
// Every conversion between integers and floats that one cvt makes. A rounding is written wherever
// the conversion can round; where PTX asks for one although it cannot, it is written too. Toward
// an integer type, values beyond the range clamp and NaN gives zero: PTX says so from float, and
// Saturate says it from integer.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXCONVERTINSTS
#define METTLE_DIALECT_PTX_IR_PTXCONVERTINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

/// From `from` to `to` with the modifiers `mods` between `cvt` and the types.
class PTX_Cvt<PTX_Type to, PTX_Type from, string mods, dag modifiers, PTX_Needs least = EveryTarget>
    : PTX_Inst<"cvt"#mods#"."#to.ptx#"."#from.ptx#" $d, $a;", (outs to.reg:$d),
               !con((ins from.reg:$a), modifiers), least> {
  let summary = from.ptx#" to "#to.ptx;
}

defvar AllIntegers = [U8, S8, U16, S16, U32, S32, U64, S64];

foreach to = AllIntegers in {
  foreach from = AllIntegers in {
    defvar isUnsigned = !eq(!substr(to.ptx, 0, 1), "u");
    defvar fromSigned = !eq(!substr(from.ptx, 0, 1), "s");
    if !ne(to.ptx, from.ptx) then {
      // PTX takes no clamp where every number fits.
      if !or(!le(to.size, from.size), !and(isUnsigned, fromSigned)) then
        def Cvt#to#from : PTX_Cvt<to, from, "$sat", (ins Saturate:$sat)>;
      else
        def Cvt#to#from : PTX_Cvt<to, from, "", (ins)>;
    }
  }

  def Cvt#to#F32 : PTX_Cvt<to, F32, "$rnd$ftz$sat", (ins IntegerRounding:$rnd, FlushToZero:$ftz, Saturate:$sat)>;
  def Cvt#to#F64 : PTX_Cvt<to, F64, "$rnd$sat", (ins IntegerRounding:$rnd, Saturate:$sat), Doubles>;
  def Cvt#to#F16 : PTX_Cvt<to, F16, "$rnd$sat", (ins IntegerRounding:$rnd, Saturate:$sat)>;
  if !gt(to.size, 8) then
    def Cvt#to#BF16 : PTX_Cvt<to, BF16, "$rnd", (ins IntegerRounding:$rnd), Hopper>;

  defvar from = to;
  def CvtF32#from : PTX_Cvt<F32, from, "$rnd$sat", (ins Rounding:$rnd, Saturate:$sat)>;
  def CvtF64#from : PTX_Cvt<F64, from, "$rnd$sat", (ins Rounding:$rnd, Saturate:$sat), Doubles>;
  def CvtF16#from : PTX_Cvt<F16, from, "$rnd$sat", (ins Rounding:$rnd, Saturate:$sat)>;
  if !gt(from.size, 8) then
    def CvtBF16#from : PTX_Cvt<BF16, from, "$rnd", (ins Rounding:$rnd), Hopper>;
}

// Narrower floats, rounded.
def CvtF32F64 : PTX_Cvt<F32, F64, "$rnd$ftz$sat", (ins Rounding:$rnd, FlushToZero:$ftz, Saturate:$sat), Doubles>;
def CvtF16F32 : PTX_Cvt<F16, F32, "$rnd$ftz$sat", (ins Rounding:$rnd, FlushToZero:$ftz, Saturate:$sat)>;
def CvtF16F64 : PTX_Cvt<F16, F64, "$rnd$sat", (ins Rounding:$rnd, Saturate:$sat), Doubles>;
def CvtBF16F32 : PTX_Cvt<BF16, F32, "$rnd", (ins NearestOrZero:$rnd), Ampere>;
def CvtBF16F64 : PTX_Cvt<BF16, F64, "$rnd", (ins Rounding:$rnd), Hopper>;
def CvtBF16F16 : PTX_Cvt<BF16, F16, "$rnd", (ins Rounding:$rnd), Hopper>;
def CvtF16BF16 : PTX_Cvt<F16, BF16, "$rnd", (ins Rounding:$rnd), Hopper>;

// Wider floats, exact.
def CvtF64F32 : PTX_Cvt<F64, F32, "$ftz$sat", (ins FlushToZero:$ftz, Saturate:$sat), Doubles>;
def CvtF32F16 : PTX_Cvt<F32, F16, "$ftz$sat", (ins FlushToZero:$ftz, Saturate:$sat)>;
def CvtF64F16 : PTX_Cvt<F64, F16, "$sat", (ins Saturate:$sat), Doubles>;
def CvtF32BF16 : PTX_Cvt<F32, BF16, "", (ins), PTX_Needs<"7.1", 80>>;
def CvtF64BF16 : PTX_Cvt<F64, BF16, "", (ins), Hopper>;

// To an integer of the same type.
def CvtF32F32 : PTX_Cvt<F32, F32, "$rnd$ftz$sat", (ins IntegerRounding:$rnd, FlushToZero:$ftz, Saturate:$sat)>;
def CvtF64F64 : PTX_Cvt<F64, F64, "$rnd$sat", (ins IntegerRounding:$rnd, Saturate:$sat), Doubles>;
def CvtF16F16 : PTX_Cvt<F16, F16, "$rnd$sat", (ins IntegerRounding:$rnd, Saturate:$sat)>;
def CvtBF16BF16 : PTX_Cvt<BF16, BF16, "$rnd", (ins IntegerRounding:$rnd), Hopper>;

// Two floats into the halves of one register: a into the upper, b into the lower.
foreach to = [F16x2, BF16x2] in {
  let summary = "two f32 to "#to.ptx#", a in the upper half" in
  def Cvt#to#F32 : PTX_Inst<"cvt$rnd."#to.ptx#".f32 $d, $a, $b;", (outs B32:$d),
                            (ins B32:$a, B32:$b, NearestOrZero:$rnd), Ampere>;
  let summary = "two f32 to "#to.ptx#", a in the upper half, negative ones to zero" in
  def CvtRelu#to#F32 : PTX_Inst<"cvt$rnd.relu."#to.ptx#".f32 $d, $a, $b;", (outs B32:$d),
                                (ins B32:$a, B32:$b, NearestOrZero:$rnd), Ampere>;
}
foreach to = [F16, BF16] in
  let summary = "f32 to "#to.ptx#", negative ones to zero" in
  def CvtRelu#to#F32 : PTX_Inst<"cvt$rnd.relu."#to.ptx#".f32 $d, $a;", (outs B16:$d),
                                (ins B32:$a, NearestOrZero:$rnd), Ampere>;

let summary = "f32 to tf32, to nearest, ties away from zero" in
def CvtRnaTF32F32 : PTX_Inst<"cvt.rna.tf32.f32 $d, $a;", (outs B32:$d), (ins B32:$a), Ampere>;
foreach to = ["e4m3x2", "e5m2x2"] in {
  defvar To = !toupper(!substr(to, 0, 4))#"x2";
  let summary = "two f32 to "#to#", a in the upper half, clamping at the largest number" in
  def Cvt#To#F32 : PTX_Inst<"cvt.rn.satfinite."#to#".f32 $d, $a, $b;", (outs B16:$d), (ins B32:$a, B32:$b),
                            PTX_Needs<"8.1", 89>>;
  let summary = "two f16 to "#to#", clamping at the largest number" in
  def Cvt#To#F16x2 : PTX_Inst<"cvt.rn.satfinite."#to#".f16x2 $d, $a;", (outs B16:$d), (ins B32:$a),
                              PTX_Needs<"8.1", 89>>;
  let summary = to#" to two f16" in
  def CvtF16x2#To : PTX_Inst<"cvt.rn.f16x2."#to#" $d, $a;", (outs B32:$d), (ins B16:$a), PTX_Needs<"8.1", 89>>;
}

#endif // METTLE_DIALECT_PTX_IR_PTXCONVERTINSTS
