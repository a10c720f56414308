//===- PTXMathInsts.td - Approximate functions -------------*- tablegen -*-===//
//
// Functions that the hardware approximates: their bits are the hardware's, not a formula's. The error
// bounds are in the PTX manual.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXMATHINSTS
#define METTLE_DIALECT_PTX_IR_PTXMATHINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

class PTX_Approx1<string mnemonic, PTX_Register reg, dag modifiers, PTX_Needs least>
    : PTX_Inst<mnemonic#" $d, $a;", (outs reg:$d), !con((ins reg:$a), modifiers), least>;

foreach f = [["ex2", "Ex2", "two to the power a", "1.4"], ["lg2", "Lg2", "logarithm to the base two", "1.4"],
             ["sin", "Sin", "sine", "1.4"], ["cos", "Cos", "cosine", "1.4"],
             ["rcp", "Rcp", "reciprocal", "1.4"], ["sqrt", "Sqrt", "square root", "1.4"],
             ["rsqrt", "Rsqrt", "reciprocal square root", "1.4"]] in
  let summary = f[2]#", approximate" in
  def f[1]#"ApproxF32" : PTX_Approx1<f[0]#".approx$ftz.f32", B32, (ins FlushToZero:$ftz), PTX_Needs<f[3], 10>>;

let summary = "reciprocal of the upper half, approximate" in
def RcpApproxF64 : PTX_Approx1<"rcp.approx.ftz.f64", B64, (ins), PTX_Needs<"2.1", 20>>;
let summary = "reciprocal square root, approximate" in {
  def RsqrtApproxF64 : PTX_Approx1<"rsqrt.approx.f64", B64, (ins), PTX_Needs<"1.4", 13>>;
  def RsqrtApproxFtzF64 : PTX_Approx1<"rsqrt.approx.ftz.f64", B64, (ins), PTX_Needs<"4.0", 20>>;
}

let summary = "hyperbolic tangent, approximate" in {
  def TanhApproxF32 : PTX_Approx1<"tanh.approx.f32", B32, (ins), Turing>;
  foreach t = [F16, F16x2] in
    def TanhApprox#t : PTX_Approx1<"tanh.approx."#t.ptx, t.reg, (ins), Turing>;
  foreach t = [BF16, BF16x2] in
    def TanhApprox#t : PTX_Approx1<"tanh.approx."#t.ptx, t.reg, (ins), Hopper>;
}
let summary = "two to the power a, approximate" in {
  foreach t = [F16, F16x2] in
    def Ex2Approx#t : PTX_Approx1<"ex2.approx."#t.ptx, t.reg, (ins), Turing>;
  foreach t = [BF16, BF16x2] in
    def Ex2ApproxFtz#t : PTX_Approx1<"ex2.approx.ftz."#t.ptx, t.reg, (ins), Hopper>;
}

let summary = "quotient within two ulp over the whole range" in
def DivFullF32 : PTX_Inst<"div.full$ftz.f32 $d, $a, $b;", (outs B32:$d), (ins B32:$a, B32:$b, FlushToZero:$ftz),
                          PTX_Needs<"1.4", 10>>;
let summary = "quotient as a product with the approximate reciprocal" in
def DivApproxF32 : PTX_Inst<"div.approx$ftz.f32 $d, $a, $b;", (outs B32:$d),
                            (ins B32:$a, B32:$b, FlushToZero:$ftz), PTX_Needs<"1.4", 10>>;

#endif // METTLE_DIALECT_PTX_IR_PTXMATHINSTS
