//===- PTXFloatInsts.td - Exactly rounded float arithmetic -*- tablegen -*-===//
//
// Float operations whose every result PTX defines. A rounding is always written: without one ptxas
// may contract a product and a sum. Approximations are PTXMathInsts.td.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXFLOATINSTS
#define METTLE_DIALECT_PTX_IR_PTXFLOATINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

defvar HalfArithmetic = PTX_Needs<"4.2", 53>;

foreach op = ["add", "sub", "mul"] in {
  defvar Op = !toupper(!substr(op, 0, 1))#!substr(op, 1);
  let summary = !cond(!eq(op, "add"): "sum", !eq(op, "sub"): "difference", true: "product") in {
    def Op#F32 : PTX_Inst<op#"$rnd$ftz$sat.f32 $d, $a, $b;", (outs B32:$d),
                          (ins B32:$a, B32:$b, Rounding:$rnd, FlushToZero:$ftz, Saturate:$sat)>;
    def Op#F64 : PTX_Inst<op#"$rnd.f64 $d, $a, $b;", (outs B64:$d), (ins B64:$a, B64:$b, Rounding:$rnd),
                          PTX_Needs<"1.4", 13>>;
    foreach t = [F16, F16x2] in
      def Op#t : PTX_Inst<op#".rn$ftz$sat."#t.ptx#" $d, $a, $b;", (outs t.reg:$d),
                          (ins t.reg:$a, t.reg:$b, FlushToZero:$ftz, Saturate:$sat), HalfArithmetic>;
    foreach t = [BF16, BF16x2] in
      def Op#t : PTX_Inst<op#".rn."#t.ptx#" $d, $a, $b;", (outs t.reg:$d), (ins t.reg:$a, t.reg:$b), Hopper>;
    def Op#F32x2 : PTX_Inst<op#"$rnd$ftz.f32x2 $d, $a, $b;", (outs B64:$d),
                            (ins B64:$a, B64:$b, Rounding:$rnd, FlushToZero:$ftz), PTX_Needs<"8.6", 100>>;
  }
}

let summary = "a * b + c, rounded once" in {
  def FmaF32 : PTX_Inst<"fma$rnd$ftz$sat.f32 $d, $a, $b, $c;", (outs B32:$d),
                        (ins B32:$a, B32:$b, B32:$c, Rounding:$rnd, FlushToZero:$ftz, Saturate:$sat),
                        Fermi>;
  def FmaF64 : PTX_Inst<"fma$rnd.f64 $d, $a, $b, $c;", (outs B64:$d), (ins B64:$a, B64:$b, B64:$c, Rounding:$rnd),
                        PTX_Needs<"1.4", 13>>;
  foreach t = [F16, F16x2] in
    def Fma#t : PTX_Inst<"fma.rn$ftz$sat."#t.ptx#" $d, $a, $b, $c;", (outs t.reg:$d),
                         (ins t.reg:$a, t.reg:$b, t.reg:$c, FlushToZero:$ftz, Saturate:$sat), HalfArithmetic>;
  foreach t = [BF16, BF16x2] in
    def Fma#t : PTX_Inst<"fma.rn."#t.ptx#" $d, $a, $b, $c;", (outs t.reg:$d),
                         (ins t.reg:$a, t.reg:$b, t.reg:$c), Ampere>;
  def FmaF32x2 : PTX_Inst<"fma$rnd$ftz.f32x2 $d, $a, $b, $c;", (outs B64:$d),
                          (ins B64:$a, B64:$b, B64:$c, Rounding:$rnd, FlushToZero:$ftz), PTX_Needs<"8.6", 100>>;
}
let summary = "a * b + c, rounded once, not below zero" in {
  foreach t = [F16, F16x2] in
    def FmaRelu#t : PTX_Inst<"fma.rn$ftz.relu."#t.ptx#" $d, $a, $b, $c;", (outs t.reg:$d),
                             (ins t.reg:$a, t.reg:$b, t.reg:$c, FlushToZero:$ftz), Ampere>;
  foreach t = [BF16, BF16x2] in
    def FmaRelu#t : PTX_Inst<"fma.rn.relu."#t.ptx#" $d, $a, $b, $c;", (outs t.reg:$d),
                             (ins t.reg:$a, t.reg:$b, t.reg:$c), Ampere>;
}

let summary = "quotient" in {
  def DivF32 : PTX_Inst<"div$rnd$ftz.f32 $d, $a, $b;", (outs B32:$d),
                        (ins B32:$a, B32:$b, Rounding:$rnd, FlushToZero:$ftz), PTX_Needs<"1.4", 20>>;
  def DivF64 : PTX_Inst<"div$rnd.f64 $d, $a, $b;", (outs B64:$d), (ins B64:$a, B64:$b, Rounding:$rnd),
                        PTX_Needs<"1.4", 20>>;
}
foreach op = ["sqrt", "rcp"] in {
  defvar Op = !toupper(!substr(op, 0, 1))#!substr(op, 1);
  let summary = !if(!eq(op, "sqrt"), "square root", "reciprocal") in {
    def Op#F32 : PTX_Inst<op#"$rnd$ftz.f32 $d, $a;", (outs B32:$d),
                          (ins B32:$a, Rounding:$rnd, FlushToZero:$ftz), PTX_Needs<"1.4", 20>>;
    def Op#F64 : PTX_Inst<op#"$rnd.f64 $d, $a;", (outs B64:$d), (ins B64:$a, Rounding:$rnd), PTX_Needs<"1.4", 20>>;
  }
}

foreach op = ["min", "max"] in {
  defvar Op = !toupper(!substr(op, 0, 1))#!substr(op, 1);
  defvar which = !if(!eq(op, "min"), "the smaller", "the larger");
  let summary = which#"; the other one if one is NaN; -0.0 is below +0.0" in {
    def Op#F32 : PTX_Inst<op#"$ftz.f32 $d, $a, $b;", (outs B32:$d), (ins B32:$a, B32:$b, FlushToZero:$ftz)>;
    def Op#F64 : PTX_Inst<op#".f64 $d, $a, $b;", (outs B64:$d), (ins B64:$a, B64:$b), Doubles>;
    foreach t = [F16, F16x2] in
      def Op#t : PTX_Inst<op#"$ftz."#t.ptx#" $d, $a, $b;", (outs t.reg:$d),
                          (ins t.reg:$a, t.reg:$b, FlushToZero:$ftz), Ampere>;
    foreach t = [BF16, BF16x2] in
      def Op#t : PTX_Inst<op#"."#t.ptx#" $d, $a, $b;", (outs t.reg:$d), (ins t.reg:$a, t.reg:$b), Ampere>;
  }
  let summary = which#"; NaN if one is NaN; -0.0 is below +0.0" in {
    foreach t = [F32, F16, F16x2] in
      def Op#NaN#t : PTX_Inst<op#"$ftz.NaN."#t.ptx#" $d, $a, $b;", (outs t.reg:$d),
                              (ins t.reg:$a, t.reg:$b, FlushToZero:$ftz), Ampere>;
    foreach t = [BF16, BF16x2] in
      def Op#NaN#t : PTX_Inst<op#".NaN."#t.ptx#" $d, $a, $b;", (outs t.reg:$d), (ins t.reg:$a, t.reg:$b), Ampere>;
  }
}

foreach op = ["abs", "neg"] in {
  defvar Op = !toupper(!substr(op, 0, 1))#!substr(op, 1);
  let summary = !if(!eq(op, "abs"), "absolute value", "negation") in {
    def Op#F32 : PTX_Inst<op#"$ftz.f32 $d, $a;", (outs B32:$d), (ins B32:$a, FlushToZero:$ftz)>;
    def Op#F64 : PTX_Inst<op#".f64 $d, $a;", (outs B64:$d), (ins B64:$a), Doubles>;
    foreach t = [F16, F16x2] in
      def Op#t : PTX_Inst<op#"$ftz."#t.ptx#" $d, $a;", (outs t.reg:$d), (ins t.reg:$a, FlushToZero:$ftz),
                          PTX_Needs<!if(!eq(op, "abs"), "6.5", "6.0"), 53>>;
    foreach t = [BF16, BF16x2] in
      def Op#t : PTX_Inst<op#"."#t.ptx#" $d, $a;", (outs t.reg:$d), (ins t.reg:$a), Ampere>;
  }
}

foreach t = [F32, F64] in
  let summary = "magnitude with the sign of sign" in
  def Copysign#t : PTX_Inst<"copysign."#t.ptx#" $d, $sign, $magnitude;", (outs t.reg:$d),
                            (ins t.reg:$sign, t.reg:$magnitude), Fermi>;

#endif // METTLE_DIALECT_PTX_IR_PTXFLOATINSTS
