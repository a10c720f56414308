//--- misspelt-name.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in
// error@+1: format of 'Bad' names '$bb', which is no result, operand, immediate or modifier of it
def Bad : PTX_Inst<"add.s32 $d, $a, $bb;", (outs B32:$d), (ins B32:$a, B32:$b)>;

//--- nameless-dollar.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: format of 'Bad' has a '$' without a name
def Bad : PTX_Inst<"mov.b32 $d, $;", (outs B32:$d), (ins B32:$a)>;

//--- unwritten-argument.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in
// error@+1: format of 'Bad' does not write '$b'
def Bad : PTX_Inst<"add.s32 $d, $a, $a;", (outs B32:$d), (ins B32:$a, B32:$b)>;

//--- unwritten-modifier.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in
// error@+1: format of 'Bad' does not write '$rnd'
def Bad : PTX_Inst<"add.f32 $d, $a, $a;", (outs B32:$d), (ins B32:$a, Rounding:$rnd)>;

//--- duplicate-argument.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in
// error@+1: 'Bad' has two arguments named '$a'
def Bad : PTX_Inst<"add.s32 $d, $a, $a;", (outs B32:$d), (ins B32:$a, B32:$a)>;

//--- result-named-like-operand.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in
// error@+1: 'Bad' has two arguments named '$d'
def Bad : PTX_Inst<"mov.b32 $d, $d;", (outs B32:$d), (ins B32:$d)>;

//--- nameless-argument.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: 'Bad' has an argument without a name
def Bad : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins B32)>;

//--- foreign-argument.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: 'Bad' has the argument '$a', which is no register, list, immediate or modifier
def Bad : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins Global:$a)>;

//--- immediate-result.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: 'Bad' has the result '$d', which is neither a register nor a list of them
def Bad : PTX_Inst<"mov.b32 $d, $a;", (outs S32Imm:$d), (ins B32:$a)>;

//--- duplicate-spelling.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in {
def BadA : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins B32:$a)>;
// error@+1: 'BadB' is spelled 'mov.b32' in IR like 'BadA': give it a mnemonic
def BadB : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins S32Imm:$a)>;
}

//--- duplicate-spelling-by-modifier.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in {
def BadA : PTX_Inst<"add$rnd.f32 $d, $a, $a;", (outs B32:$d), (ins B32:$a, Rounding:$rnd)>;
// error@+1: 'BadB' is spelled 'add.rz.f32' in IR like 'BadA': give it a mnemonic
def BadB : PTX_Inst<"add.rz.f32 $d, $a, $a;", (outs B32:$d), (ins B32:$a)>;
}

//--- duplicate-record.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in {
def Bad : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins B32:$a)>;
// error@+1: def already exists: Bad
def Bad : PTX_Inst<"mov.b64 $d, $a;", (outs B64:$d), (ins B64:$a)>;
}

//--- no-summary.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
// error@+1: 'Bad' has no summary
def Bad : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins B32:$a)>;

//--- no-semicolon.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: format of 'Bad' does not end with ';'
def Bad : PTX_Inst<"mov.b32 $d, $a", (outs B32:$d), (ins B32:$a)>;

//--- quote.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: format of 'Bad' has a character that no instruction has
def Bad : PTX_Inst<"mov.b32 $d, \"$a\";", (outs B32:$d), (ins B32:$a)>;

//--- small-name.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: 'bad' must begin with a capital: it names an opcode
def bad : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins B32:$a)>;

//--- list-without-braces.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "store" in
// error@+1: format of 'Bad' must write the list '$xs' as '{$xs}'
def Bad : PTX_Inst<"st.v2.b32 [$p], $xs;", (outs), (ins B64:$p, List<B32, 2>:$xs)>;

//--- braces-without-list.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "store" in
// error@+1: format of 'Bad' has braces around '$x', which is no list
def Bad : PTX_Inst<"st.b32 [$p], {$x};", (outs), (ins B64:$p, B32:$x)>;

//--- modifier-outside-mnemonic.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in
// error@+1: format of 'Bad' has the modifier '$rnd' outside the mnemonic
def Bad : PTX_Inst<"add.f32 $d, $a, $a$rnd;", (outs B32:$d), (ins B32:$a, Rounding:$rnd)>;

//--- register-in-mnemonic.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in
// error@+1: format of 'Bad' has '$a', which is no modifier, in the mnemonic
def Bad : PTX_Inst<"add.$a $d, $a;", (outs B32:$d), (ins B32:$a)>;

//--- mnemonic-without-modifier.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum", mnemonic = "add.other" in
// error@+1: mnemonic of 'Bad' does not write '$rnd'
def Bad : PTX_Inst<"add$rnd.f32 $d, $a, $a;", (outs B32:$d), (ins B32:$a, Rounding:$rnd)>;

//--- isa-version.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: 'Bad' needs the ISA version '7', which does not read as M.m
def Bad : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins B32:$a), PTX_Needs<"7", 80>>;

//--- architecture.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "copy" in
// error@+1: 'Bad' needs the architecture 'sm_90', which does not read as sm_NNa or sm_NNf
def Bad : PTX_Inst<"mov.b32 $d, $a;", (outs B32:$d), (ins B32:$a), PTX_Needs<"8.0", 90, ["sm_90"]>>;

//--- too-many-modifiers.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
let summary = "sum" in
// error@+1: 'Bad' has more than 8 modifiers
def Bad : PTX_Inst<"add$a$b$c$d$e$f$g$h$i $r, $x;", (outs B32:$r),
                   (ins B32:$x, Half:$a, Half:$b, Half:$c, Half:$d, Half:$e, Half:$f, Half:$g, Half:$h, Half:$i)>;

//--- too-many-suffixes.td
include "Mettle/Dialect/PTX/IR/PTXModifiers.td"
def Long : PTX_Modifier<["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"]>;
let summary = "sum" in
// error@+1: 'Bad' has the modifier '$long' with more than 15 suffixes
def Bad : PTX_Inst<"add$long $d, $a;", (outs B32:$d), (ins B32:$a, Long:$long)>;
