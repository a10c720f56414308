//===- PTXIntegerInsts.td - Integer arithmetic -------------*- tablegen -*-===//
//
// Sums, products and bits of integers. Signed and unsigned differ only where the bits do: the sum
// of u32 is AddS32.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXINTEGERINSTS
#define METTLE_DIALECT_PTX_IR_PTXINTEGERINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

class PTX_Same1<string mnemonic, PTX_Type t, PTX_Needs least = EveryTarget>
    : PTX_Inst<mnemonic#" $d, $a;", (outs t.reg:$d), (ins t.reg:$a), least>;
class PTX_Same2<string mnemonic, PTX_Type t, PTX_Needs least = EveryTarget>
    : PTX_Inst<mnemonic#" $d, $a, $b;", (outs t.reg:$d), (ins t.reg:$a, t.reg:$b), least>;
class PTX_Same3<string mnemonic, PTX_Type t, PTX_Needs least = EveryTarget>
    : PTX_Inst<mnemonic#" $d, $a, $b, $c;", (outs t.reg:$d), (ins t.reg:$a, t.reg:$b, t.reg:$c), least>;

defvar Signed = [S16, S32, S64];
defvar Either = [S16, S32, S64, U16, U32, U64];
defvar Words = [S32, S64, U32, U64];

foreach t = Signed in {
  let summary = "sum, wrapping" in
  def Add#t : PTX_Same2<"add."#t.ptx, t>;
  let summary = "difference, wrapping" in
  def Sub#t : PTX_Same2<"sub."#t.ptx, t>;
  let summary = "low half of the product" in
  def MulLo#t : PTX_Same2<"mul.lo."#t.ptx, t>;
  let summary = "low half of a * b, plus c" in
  def MadLo#t : PTX_Same3<"mad.lo."#t.ptx, t>;
  let summary = "absolute value; the lowest number stays" in
  def Abs#t : PTX_Same1<"abs."#t.ptx, t>;
  let summary = "negation, wrapping" in
  def Neg#t : PTX_Same1<"neg."#t.ptx, t>;
}

foreach t = Either in {
  let summary = "high half of the product" in
  def MulHi#t : PTX_Same2<"mul.hi."#t.ptx, t>;
  let summary = "high half of a * b, plus c" in
  def MadHi#t : PTX_Same3<"mad.hi."#t.ptx, t>;
  let summary = "quotient; undefined for a zero divisor" in
  def Div#t : PTX_Same2<"div."#t.ptx, t>;
  let summary = "remainder; undefined for a zero divisor, the machine's for negative numbers" in
  def Rem#t : PTX_Same2<"rem."#t.ptx, t>;
  let summary = "the smaller" in
  def Min#t : PTX_Same2<"min."#t.ptx, t>;
  let summary = "the larger" in
  def Max#t : PTX_Same2<"max."#t.ptx, t>;
}

let summary = "sum, clamping" in
def AddSatS32 : PTX_Same2<"add.sat.s32", S32>;
let summary = "difference, clamping" in
def SubSatS32 : PTX_Same2<"sub.sat.s32", S32>;
let summary = "high half of a * b, plus c, clamping" in
def MadHiSatS32 : PTX_Same3<"mad.hi.sat.s32", S32>;
foreach t = [S32, U32] in {
  let summary = "low 24 bits multiplied: low or high 32 bits of the product" in
  def Mul24#t : PTX_Inst<"mul24$half."#t.ptx#" $d, $a, $b;", (outs B32:$d), (ins B32:$a, B32:$b, Half:$half)>;
  let summary = "low 24 bits multiplied: low or high 32 bits of the product, plus c" in
  def Mad24#t : PTX_Inst<"mad24$half."#t.ptx#" $d, $a, $b, $c;", (outs B32:$d),
                         (ins B32:$a, B32:$b, B32:$c, Half:$half)>;
}

let summary = "the smaller, not below zero" in
def MinReluS32 : PTX_Same2<"min.relu.s32", S32, PTX_Needs<"8.0", 90>>;
let summary = "the larger, not below zero" in
def MaxReluS32 : PTX_Same2<"max.relu.s32", S32, PTX_Needs<"8.0", 90>>;

foreach sign = ["s", "u"] in {
  defvar to32 = "mul.wide."#sign#"16 $d, $a, $b;";
  defvar to64 = "mul.wide."#sign#"32 $d, $a, $b;";
  let summary = "whole product" in {
    def MulWide#!toupper(sign)#16 : PTX_Inst<to32, (outs B32:$d), (ins B16:$a, B16:$b)>;
    def MulWide#!toupper(sign)#32 : PTX_Inst<to64, (outs B64:$d), (ins B32:$a, B32:$b)>;
  }
  let summary = "whole product plus c, wrapping" in {
    def MadWide#!toupper(sign)#16
        : PTX_Inst<"mad.wide."#sign#"16 $d, $a, $b, $c;", (outs B32:$d), (ins B16:$a, B16:$b, B32:$c)>;
    def MadWide#!toupper(sign)#32
        : PTX_Inst<"mad.wide."#sign#"32 $d, $a, $b, $c;", (outs B64:$d), (ins B32:$a, B32:$b, B64:$c)>;
  }
}

foreach t = [S16, S32, S64, U16, U32, U64] in
  let summary = "c plus the distance of a and b" in
  def Sad#t : PTX_Same3<"sad."#t.ptx, t>;

foreach reg = [B32, B64] in {
  let summary = "number of ones" in
  def Popc#reg : PTX_Inst<"popc."#reg.type#" $d, $a;", (outs B32:$d), (ins reg:$a), Fermi>;
  let summary = "number of zeros before the highest one" in
  def Clz#reg : PTX_Inst<"clz."#reg.type#" $d, $a;", (outs B32:$d), (ins reg:$a), Fermi>;
  let summary = "bits in reverse order" in
  def Brev#reg : PTX_Inst<"brev."#reg.type#" $d, $a;", (outs reg:$d), (ins reg:$a), Fermi>;
  let summary = "b with length bits from start on replaced by the low bits of a" in
  def Bfi#reg : PTX_Inst<"bfi."#reg.type#" $d, $a, $b, $start, $length;", (outs reg:$d),
                         (ins reg:$a, reg:$b, B32:$start, B32:$length), Fermi>;
}
foreach t = Words in {
  let summary = "length bits from start on, extended" in
  def Bfe#t : PTX_Inst<"bfe."#t.ptx#" $d, $a, $start, $length;", (outs t.reg:$d),
                       (ins t.reg:$a, B32:$start, B32:$length), Fermi>;
  let summary = "position of the highest bit that is not the sign, 0xffffffff if none" in
  def Bfind#t : PTX_Inst<"bfind$shiftamt."#t.ptx#" $d, $a;", (outs B32:$d),
                         (ins t.reg:$a, ShiftAmount:$shiftamt), Fermi>;
}

let summary = "four bytes of the eight of a and b, as the nibbles of selector say" in
def PrmtB32 : PTX_Inst<"prmt.b32 $d, $a, $b, $selector;", (outs B32:$d), (ins B32:$a, B32:$b, B32:$selector), Fermi>;
let summary = "any function of three inputs by its truth table" in
def Lop3B32 : PTX_Inst<"lop3.b32 $d, $a, $b, $c, $table;", (outs B32:$d),
                       (ins B32:$a, B32:$b, B32:$c, ByteImm:$table), PTX_Needs<"4.3", 50>>;
let summary = "one word of the double word {high, low} shifted left; the count clamps at 32 or wraps" in
def ShfLB32 : PTX_Inst<"shf.l$beyond.b32 $d, $low, $high, $count;", (outs B32:$d),
                       (ins B32:$low, B32:$high, B32:$count, BeyondWidth:$beyond), PTX_Needs<"3.1", 32>>;
let summary = "one word of the double word {high, low} shifted right; the count clamps at 32 or wraps" in
def ShfRB32 : PTX_Inst<"shf.r$beyond.b32 $d, $low, $high, $count;", (outs B32:$d),
                       (ins B32:$low, B32:$high, B32:$count, BeyondWidth:$beyond), PTX_Needs<"3.1", 32>>;
let summary = "length ones from start on" in
def BmskB32 : PTX_Inst<"bmsk$beyond.b32 $d, $start, $length;", (outs B32:$d),
                       (ins B32:$start, B32:$length, BeyondWidth:$beyond), PTX_Needs<"7.6", 70>>;
foreach sign = ["s", "u"] in
  let summary = "low width bits, extended" in
  def Szext#!toupper(sign)#32 : PTX_Inst<"szext$beyond."#sign#"32 $d, $a, $width;", (outs B32:$d),
                                         (ins B32:$a, B32:$width, BeyondWidth:$beyond), PTX_Needs<"7.6", 70>>;

let summary = "position of the n-th one of mask from base on, 0xffffffff if none" in
def FnsB32 : PTX_Inst<"fns.b32 $d, $mask, $base, $n;", (outs B32:$d), (ins B32:$mask, B32:$base, B32:$n),
                      Volta>;

foreach a = ["u32", "s32"] in
  foreach b = ["u32", "s32"] in {
    let summary = "c plus the dot product of four bytes" in
    def Dp4a#!toupper(a)#!toupper(b) : PTX_Inst<"dp4a."#a#"."#b#" $d, $a, $b, $c;", (outs B32:$d),
                                                (ins B32:$a, B32:$b, B32:$c), PTX_Needs<"5.0", 61>>;
    let summary = "c plus the dot product of two 16-bit numbers of a with the low or high two bytes of b" in
    def Dp2a#!toupper(a)#!toupper(b) : PTX_Inst<"dp2a$half."#a#"."#b#" $d, $a, $b, $c;", (outs B32:$d),
                                                (ins B32:$a, B32:$b, B32:$c, Half:$half), PTX_Needs<"5.0", 61>>;
  }

// Pairs of 16-bit numbers in one register.
foreach sign = ["s", "u"] in {
  defvar Pairs = PTX_Type<sign#"16x2", B32, 32>;
  let summary = "two sums, wrapping" in
  def Add#!toupper(sign)#"16x2" : PTX_Same2<"add."#sign#"16x2", Pairs, PTX_Needs<"8.0", 90>>;
  let summary = "the two smaller" in
  def Min#!toupper(sign)#"16x2" : PTX_Same2<"min."#sign#"16x2", Pairs, PTX_Needs<"8.0", 90>>;
  let summary = "the two larger" in
  def Max#!toupper(sign)#"16x2" : PTX_Same2<"max."#sign#"16x2", Pairs, PTX_Needs<"8.0", 90>>;
}

#endif // METTLE_DIALECT_PTX_IR_PTXINTEGERINSTS
