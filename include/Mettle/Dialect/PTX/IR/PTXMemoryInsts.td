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

/// What a memory instruction moves: its suffix, and the register it fills or empties.
class PTX_Cell<string suffix, PTX_Register registers> {
  string ptx = suffix;
  string cpp = !toupper(suffix);
  PTX_Register reg = registers;
}
defvar CellU8 = PTX_Cell<"u8", B32>;
defvar CellS8 = PTX_Cell<"s8", B32>;
defvar CellU16 = PTX_Cell<"u16", B32>;
defvar CellS16 = PTX_Cell<"s16", B32>;
defvar CellB16 = PTX_Cell<"b16", B16>;
defvar CellB32 = PTX_Cell<"b32", B32>;
defvar CellB64 = PTX_Cell<"b64", B64>;
defvar Loaded = [CellU8, CellS8, CellU16, CellS16, CellB16, CellB32, CellB64];
// A store takes the low bits, whatever the sign.
defvar Stored = [CellU8, CellU16, CellB16, CellB32, CellB64];
defvar VectorCells = [CellB16, CellB32, CellB64];

/// `head` begins the mnemonic and `tail` stands after the cache operator.
multiclass PTX_Loads<string name, string head, PTX_Space s, string tail, PTX_Modifier cache, PTX_Needs least> {
  let effects = s.read in {
    foreach c = Loaded in
      let summary = "load" in
      def name#c.cpp : PTX_Inst<head#s.ptx#"$cache"#tail#"."#c.ptx#" $d, [$address+$offset];", (outs c.reg:$d),
                                (ins B64:$address, Offset:$offset, Optional<cache>:$cache), least>;
    foreach c = VectorCells in
      foreach n = !if(!eq(c.ptx, "b64"), [2], [2, 4]) in
        let summary = "load of neighbours" in
        def name#V#n#c.cpp : PTX_Inst<head#s.ptx#"$cache"#tail#".v"#n#"."#c.ptx#" {$d}, [$address+$offset];",
                                      (outs List<c.reg, n>:$d),
                                      (ins B64:$address, Offset:$offset, Optional<cache>:$cache), least>;
  }
}
multiclass PTX_Stores<string name, string head, PTX_Space s, PTX_Modifier cache, PTX_Needs least> {
  let effects = s.written in {
    foreach c = Stored in
      let summary = "store" in
      def name#c.cpp : PTX_Inst<head#s.ptx#"$cache."#c.ptx#" [$address+$offset], $value;", (outs),
                                (ins B64:$address, Offset:$offset, c.reg:$value, Optional<cache>:$cache), least>;
    foreach c = VectorCells in
      foreach n = !if(!eq(c.ptx, "b64"), [2], [2, 4]) in
        let summary = "store of neighbours" in
        def name#V#n#c.cpp : PTX_Inst<head#s.ptx#"$cache.v"#n#"."#c.ptx#" [$address+$offset], {$values};", (outs),
                                      (ins B64:$address, Offset:$offset, List<c.reg, n>:$values,
                                           Optional<cache>:$cache), least>;
  }
}

foreach s = [GenericSpace, GlobalSpace, SharedSpace, LocalSpace] in {
  defm "" : PTX_Loads<"Ld"#s.cpp, "ld", s, "", LoadCache, Fermi>;
  defm "" : PTX_Stores<"St"#s.cpp, "st", s, StoreCache, Fermi>;
}
defm "" : PTX_Loads<"LdConst", "ld", ConstSpace, "", LoadCache, Fermi>;
// Global memory that no one writes while the kernel runs.
defm "" : PTX_Loads<"LdGlobalNc", "ld", GlobalSpace, ".nc", ReadOnlyCache, PTX_Needs<"3.1", 32>>;

// Accesses that are made as often and in the order as they stand: each also counts as the opposite
// effect. They take no cache operator.
foreach s = [GenericSpace, GlobalSpace, SharedSpace] in
  foreach c = VectorCells in
    foreach n = !cond(!eq(c.ptx, "b64"): [1, 2], true: [1, 2, 4]) in {
      defvar vector = !if(!eq(n, 1), "", ".v"#n);
      defvar name = "Volatile"#s.cpp#!if(!eq(n, 1), "", "V"#n)#c.cpp;
      let effects = !listconcat(s.read, s.written) in {
        let summary = "load that stays as it is" in
        def Ld#name : PTX_Inst<"ld.volatile"#s.ptx#vector#"."#c.ptx#!if(!eq(n, 1), " $d", " {$d}")
                                   #", [$address+$offset];",
                               !if(!eq(n, 1), (outs c.reg:$d), (outs List<c.reg, n>:$d)),
                               (ins B64:$address, Offset:$offset), Fermi>;
        let summary = "store that stays as it is" in
        def St#name : PTX_Inst<"st.volatile"#s.ptx#vector#"."#c.ptx#" [$address+$offset]"
                                   #!if(!eq(n, 1), ", $value;", ", {$value};"), (outs),
                               !if(!eq(n, 1), (ins B64:$address, Offset:$offset, c.reg:$value),
                                   (ins B64:$address, Offset:$offset, List<c.reg, n>:$value)), Fermi>;
      }
    }

#endif // METTLE_DIALECT_PTX_IR_PTXMEMORYINSTS
