//===- PTXMemoryInsts.td - Loads and stores ----------------*- tablegen -*-===//
//
// Loads and stores of every space. Addresses are 64-bit registers plus a byte offset. A load of 8 or
// 16 bits with a sign (u8, s8, u16, s16) extends into a b32 register, b16 stays 16 bits wide.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXMEMORYINSTS
#define METTLE_DIALECT_PTX_IR_PTXMEMORYINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

class PTX_Space<string suffix, list<PTX_Effect> loadEffects, list<PTX_Effect> storeEffects> {
  string ptx = suffix;
  string cpp = !if(!empty(suffix), "", !toupper(!substr(suffix, 1, 1))#!substr(suffix, 2));
  list<PTX_Effect> read = loadEffects;
  list<PTX_Effect> written = storeEffects;
}
defvar GenericSpace = PTX_Space<"", [ReadGeneric], [WriteGeneric]>;
defvar GlobalSpace = PTX_Space<".global", [Read<Global>], [Write<Global>]>;
defvar SharedSpace = PTX_Space<".shared", [Read<Shared>], [Write<Shared>]>;
defvar LocalSpace = PTX_Space<".local", [Read<Local>], [Write<Local>]>;
defvar ConstSpace = PTX_Space<".const", [Read<Const>], []>;

//// A space whose accesses are made as often, and in the order, as they stand: to MLIR each also does
/// what its opposite does.
class PTX_VolatileSpace<PTX_Space s>
    : PTX_Space<s.ptx, !listconcat(s.read, s.written), !listconcat(s.read, s.written)>;

/// What a memory instruction moves: its suffix, and the register it fills or empties.
class PTX_Cell<string suffix, PTX_Register registers, list<int> vectorLengths> {
  string ptx = suffix;
  string cpp = !toupper(suffix);
  PTX_Register reg = registers;
  list<int> vectors = vectorLengths;
}
defvar CellU8 = PTX_Cell<"u8", B32, [2, 4]>;
defvar CellS8 = PTX_Cell<"s8", B32, [2, 4]>;
defvar CellU16 = PTX_Cell<"u16", B32, [2, 4]>;
defvar CellS16 = PTX_Cell<"s16", B32, [2, 4]>;
defvar CellB16 = PTX_Cell<"b16", B16, [2, 4]>;
defvar CellB32 = PTX_Cell<"b32", B32, [2, 4]>;
defvar CellB64 = PTX_Cell<"b64", B64, [2]>;
defvar Loaded = [CellU8, CellS8, CellU16, CellS16, CellB16, CellB32, CellB64];
// A store takes the low bits, whatever the sign.
defvar Stored = [CellU8, CellU16, CellB16, CellB32, CellB64];

/// `head` begins the mnemonic, `tail` stands before the type; `cache` is the `ins` of a cache
/// operator, or empty for instructions that take none.
class PTX_Load<string head, PTX_Space s, string tail, PTX_Cell c, dag cache, PTX_Needs least>
    : PTX_Inst<head#s.ptx#!if(!empty(cache), "", "$cache")#tail#"."#c.ptx#" $d, [$address+$offset];",
               (outs c.reg:$d), !con((ins B64:$address, Offset:$offset), cache), least> {
  let summary = "load";
  let effects = s.read;
}
class PTX_VectorLoad<string head, PTX_Space s, string tail, PTX_Cell c, int n, dag cache, PTX_Needs least>
    : PTX_Inst<head#s.ptx#!if(!empty(cache), "", "$cache")#tail#".v"#n#"."#c.ptx#" {$d}, [$address+$offset];",
               (outs List<c.reg, n>:$d), !con((ins B64:$address, Offset:$offset), cache), least> {
  let summary = "load of neighbours";
  let effects = s.read;
}
class PTX_Store<string head, PTX_Space s, PTX_Cell c, dag cache, PTX_Needs least>
    : PTX_Inst<head#s.ptx#!if(!empty(cache), "", "$cache")#"."#c.ptx#" [$address+$offset], $value;", (outs),
               !con((ins B64:$address, Offset:$offset, c.reg:$value), cache), least> {
  let summary = "store";
  let effects = s.written;
}
class PTX_VectorStore<string head, PTX_Space s, PTX_Cell c, int n, dag cache, PTX_Needs least>
    : PTX_Inst<head#s.ptx#!if(!empty(cache), "", "$cache")#".v"#n#"."#c.ptx#" [$address+$offset], {$values};", (outs),
               !con((ins B64:$address, Offset:$offset, List<c.reg, n>:$values), cache), least> {
  let summary = "store of neighbours";
  let effects = s.written;
}

multiclass PTX_Loads<string name, string head, PTX_Space s, string tail, dag cache, PTX_Needs least> {
  foreach c = Loaded in {
    def name#c.cpp : PTX_Load<head, s, tail, c, cache, least>;
    foreach n = c.vectors in
      def name#V#n#c.cpp : PTX_VectorLoad<head, s, tail, c, n, cache, least>;
  }
}
multiclass PTX_Stores<string name, string head, PTX_Space s, dag cache, PTX_Needs least> {
  foreach c = Stored in {
    def name#c.cpp : PTX_Store<head, s, c, cache, least>;
    foreach n = c.vectors in
      def name#V#n#c.cpp : PTX_VectorStore<head, s, c, n, cache, least>;
  }
}

defvar Loads = (ins Optional<LoadCache>:$cache);
defvar ReadOnlyLoads = (ins Optional<ReadOnlyCache>:$cache);
defvar Stores = (ins Optional<StoreCache>:$cache);
foreach s = [GenericSpace, GlobalSpace, SharedSpace, LocalSpace] in {
  defm "" : PTX_Loads<"Ld"#s.cpp, "ld", s, "", Loads, Fermi>;
  defm "" : PTX_Stores<"St"#s.cpp, "st", s, Stores, Fermi>;
}
foreach s = [GenericSpace, GlobalSpace, SharedSpace] in {
  defm "" : PTX_Loads<"LdVolatile"#s.cpp, "ld.volatile", PTX_VolatileSpace<s>, "", (ins), Fermi>;
  defm "" : PTX_Stores<"StVolatile"#s.cpp, "st.volatile", PTX_VolatileSpace<s>, (ins), Fermi>;
}
defm "" : PTX_Loads<"LdConst", "ld", ConstSpace, "", Loads, Fermi>;
// Global memory that no one writes while the kernel runs.
defm "" : PTX_Loads<"LdGlobalNc", "ld", GlobalSpace, ".nc", ReadOnlyLoads, PTX_Needs<"3.1", 32>>;

// 32 bytes at once.
defvar Wide = PTX_Needs<"8.8", 100>;
foreach c = [CellB32, CellB64] in {
  defvar n = !if(!eq(c.ptx, "b64"), 4, 8);
  def LdGlobalV#n#c.cpp : PTX_VectorLoad<"ld", GlobalSpace, "", c, n, (ins), Wide>;
  def StGlobalV#n#c.cpp : PTX_VectorStore<"st", GlobalSpace, c, n, (ins), Wide>;
}

#endif // METTLE_DIALECT_PTX_IR_PTXMEMORYINSTS
