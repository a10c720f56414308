//===- PTXInstBase.td - What an instruction record is made of ---*- tablegen -*-===//
//
// The classes every PTX instruction record is written with. A record is the only statement of an
// instruction in the compiler: mettle-tblgen derives from it the opcode, the verifier's checks,
// the typed builder, both texts (PTX and IR), the reference page with an example, and a use of
// every spelling that ptxas judges.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXINSTBASE
#define METTLE_DIALECT_PTX_IR_PTXINSTBASE

def outs;
def ins;

/// What the `outs` and `ins` of a record may hold. An argument's name is what the format writes
/// as `$name`.
class PTX_Argument;

/// A register. `type` is the PTX type it is declared and moved with, `prefix` begins its name.
class PTX_Register<string ptxType, string registerPrefix> : PTX_Argument {
  string type = ptxType;
  string prefix = registerPrefix;
}
def Pred : PTX_Register<"pred", "%p">;
def B16 : PTX_Register<"b16", "%h">;
def B32 : PTX_Register<"b32", "%r">;
def B64 : PTX_Register<"b64", "%rd">;

/// `count` registers of one class, written `{$name}` in the format.
class List<PTX_Register registers, int length> : PTX_Argument {
  PTX_Register element = registers;
  int count = length;
}

/// A type as mnemonics write it, and the class of register it lives in. 8 bits live in a b32
/// register, since PTX computes on none of them. A family ranges over a list of types.
class PTX_Type<string suffix, PTX_Register registers, int width> {
  string ptx = suffix;
  PTX_Register reg = registers;
  int size = width;
}
def U8 : PTX_Type<"u8", B32, 8>;
def S8 : PTX_Type<"s8", B32, 8>;
def U16 : PTX_Type<"u16", B16, 16>;
def S16 : PTX_Type<"s16", B16, 16>;
def U32 : PTX_Type<"u32", B32, 32>;
def S32 : PTX_Type<"s32", B32, 32>;
def U64 : PTX_Type<"u64", B64, 64>;
def S64 : PTX_Type<"s64", B64, 64>;
def F16 : PTX_Type<"f16", B16, 16>;
def F16x2 : PTX_Type<"f16x2", B32, 32>;
def BF16 : PTX_Type<"bf16", B16, 16>;
def BF16x2 : PTX_Type<"bf16x2", B32, 32>;
def F32 : PTX_Type<"f32", B32, 32>;
def F32x2 : PTX_Type<"f32x2", B64, 64>;
def F64 : PTX_Type<"f64", B64, 64>;

/// A constant between `min` and `max`, written as `style` says: `decimal`, or the bits of a float
/// as PTX writes them (`f32`: 0fXXXXXXXX, `f64`: 0dXXXXXXXXXXXXXXXX), or `hex`. `sample` is used
/// in examples.
class PTX_Immediate<string printing, int lowest, int highest, int example> : PTX_Argument {
  string style = printing;
  int min = lowest;
  int max = highest;
  int sample = example;
}
def BarrierId : PTX_Immediate<"decimal", 0, 15, 3>;
def GroupCount : PTX_Immediate<"decimal", 0, 0x7fffffff, 1>;
def Selector : PTX_Immediate<"decimal", 0, 3, 0>;
def BoolImm : PTX_Immediate<"decimal", 0, 1, 1>;
def ByteImm : PTX_Immediate<"decimal", 0, 255, 0xe8>;
def S16Imm : PTX_Immediate<"decimal", -32768, 0x7fff, -5>;
def S32Imm : PTX_Immediate<"decimal", -2147483648, 0x7fffffff, -70000>;
def S64Imm : PTX_Immediate<"decimal", -9223372036854775808, 0x7fffffffffffffff, -5000000000>;
def F16Bits : PTX_Immediate<"hex", 0, 0xffff, 0x3c00>;
def F32Bits : PTX_Immediate<"f32", 0, 0xffffffff, 0x3f800000>;
/// All 64 bits, as a signed number.
def F64Bits : PTX_Immediate<"f64", -9223372036854775808, 0x7fffffffffffffff, 0x3ff0000000000000>;
/// A byte offset of an address.
def Offset : PTX_Immediate<"decimal", -2147483648, 0x7fffffff, 16>;

/// A choice that stands in the mnemonic as one suffix of `suffixes`. A record that uses it must
/// be given one of them; with Optional<...> it may stay away. It becomes an enumeration of the same
/// name.
class PTX_Modifier<list<string> choices> : PTX_Argument {
  list<string> suffixes = choices;
  list<string> enumerators = !foreach(choice, choices, !toupper(choice));
}
class Optional<PTX_Modifier choice> : PTX_Argument {
  PTX_Modifier modifier = choice;
}
/// One suffix that is there or not.
class PTX_Flag<string suffix> : PTX_Modifier<[suffix]>;

/// What an instruction reads or writes, as MLIR effects see it.
class PTX_Resource;
def Global : PTX_Resource;
def Shared : PTX_Resource;
def Local : PTX_Resource;
def Const : PTX_Resource;
/// The set of threads that execute together. What depends on it reads it, what changes it or
/// waits for it writes it, so that no pass moves either into other control flow.
def Convergence : PTX_Resource;
/// Clocks and counters, which differ at every read.
def Counter : PTX_Resource;

class PTX_Effect<list<PTX_Resource> read, list<PTX_Resource> written> {
  list<PTX_Resource> reads = read;
  list<PTX_Resource> writes = written;
}
class Read<PTX_Resource resource> : PTX_Effect<[resource], []>;
class Write<PTX_Resource resource> : PTX_Effect<[], [resource]>;
def Convergent : Read<Convergence>;
/// What a barrier or a fence orders: accesses before it and after it.
def Ordering : PTX_Effect<[Global, Shared, Local], [Global, Shared, Local]>;
/// What threads wait at together.
def Waiting : PTX_Effect<[Convergence], [Convergence]>;
/// A clock or another value that changes by itself.
def Volatile : PTX_Effect<[Counter], [Counter]>;
/// Through a generic address.
def ReadGeneric : PTX_Effect<[Global, Shared, Local, Const], []>;
def WriteGeneric : PTX_Effect<[], [Global, Shared, Local]>;

/// The lowest PTX ISA version and SM, as "Introduced in" and "Target ISA Notes" of the manual
/// say. `features` names architectures of which one must be the target: `sm_90a` is exactly that
/// one; `sm_100f` is its family, sm_100f and every later f or a target of it.
class PTX_Needs<string isaVersion, int smNumber, list<string> architectures = []> {
  string isa = isaVersion;
  int sm = smNumber;
  list<string> features = architectures;
}
def EveryTarget : PTX_Needs<"1.0", 10>;
def Doubles : PTX_Needs<"1.0", 13>;
def Fermi : PTX_Needs<"2.0", 20>;
def Volta : PTX_Needs<"6.0", 30>;
def Turing : PTX_Needs<"7.0", 75>;
def Ampere : PTX_Needs<"7.0", 80>;
def Hopper : PTX_Needs<"7.8", 90>;

/// An instruction. `format` is its text: everything to the first blank is the mnemonic. In it
///   $name      a register, an immediate, or a modifier as `.suffix`
///   {$name}    a list of registers between braces
/// and all else stands for itself. There are no conditions: an instruction that needs one is two.
/// Results come first in `outs`; `ins` gives the order of the operands in IR and of the builder's
/// parameters.
class PTX_Inst<string text, dag results, dag arguments, PTX_Needs least = EveryTarget> {
  string format = text;
  dag outs = results;
  dag ins = arguments;
  PTX_Needs needs = least;

  /// How IR spells the instruction, where the mnemonic alone does not tell it from another.
  string mnemonic = "";

  list<PTX_Effect> effects = [];

  /// One phrase, for the reference page.
  string summary = ?;
}

#endif // METTLE_DIALECT_PTX_IR_PTXINSTBASE
