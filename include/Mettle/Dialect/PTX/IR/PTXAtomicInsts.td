//===- PTXAtomicInsts.td - Atomics and ordered accesses ----*- tablegen -*-===//
//
// Accesses that other threads may make at the same time. Order and scope are always written. Whatever
// the order, nothing moves across one in IR: it may publish, or await, any other access.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXATOMICINSTS
#define METTLE_DIALECT_PTX_IR_PTXATOMICINSTS

include "Mettle/Dialect/PTX/IR/PTXModifiers.td"

class PTX_AtomicType<PTX_Type t, string before, PTX_Needs least> {
  string ptx = before#t.ptx;
  string name = !cast<string>(t);
  PTX_Register reg = t.reg;
  PTX_Needs needs = least;
}
defvar Scoped = PTX_Needs<"6.0", 70>;
defvar AtomicIntegers = [S32, U32, S64, U64];
// PTX has no signed 64-bit sum: its bits are those of the unsigned one.
defvar AtomicSums = [PTX_AtomicType<S32, "", Scoped>, PTX_AtomicType<U32, "", Scoped>, PTX_AtomicType<U64, "", Scoped>,
                     PTX_AtomicType<F32, "", Scoped>, PTX_AtomicType<F64, "", Scoped>,
                     PTX_AtomicType<F16, "noftz.", PTX_Needs<"6.3", 70>>,
                     PTX_AtomicType<F16x2, "noftz.", PTX_Needs<"6.2", 70>>,
                     PTX_AtomicType<BF16, "noftz.", Hopper>, PTX_AtomicType<BF16x2, "noftz.", Hopper>];

class PTX_AtomicSpace<string spacePTX, string cpp> {
  string ptx = spacePTX;
  string name = cpp;
}
defvar AtomicSpaces = [PTX_AtomicSpace<"", "">, PTX_AtomicSpace<".global", "Global">,
                       PTX_AtomicSpace<".shared", "Shared">];

let effects = [Ordering] in
foreach s = AtomicSpaces in {
  foreach t = AtomicSums in {
    let summary = "add to memory; what was there before" in
    def Atom#s.name#Add#t.name
        : PTX_Inst<"atom$order$scope"#s.ptx#".add."#t.ptx#" $d, [$address+$offset], $a;", (outs t.reg:$d),
                   (ins B64:$address, Offset:$offset, t.reg:$a, AtomicOrder:$order, Scope:$scope), t.needs>;
    let summary = "add to memory" in
    def Red#s.name#Add#t.name
        : PTX_Inst<"red$order$scope"#s.ptx#".add."#t.ptx#" [$address+$offset], $a;", (outs),
                   (ins B64:$address, Offset:$offset, t.reg:$a, StoreOrder:$order, Scope:$scope), t.needs>;
  }
  foreach op = ["min", "max"] in
    foreach t = AtomicIntegers in {
      defvar Op = !if(!eq(op, "min"), "Min", "Max");
      let summary = "put the "#op#"imum into memory; what was there before" in
      def Atom#s.name#Op#t
          : PTX_Inst<"atom$order$scope"#s.ptx#"."#op#"."#t.ptx#" $d, [$address+$offset], $a;", (outs t.reg:$d),
                     (ins B64:$address, Offset:$offset, t.reg:$a, AtomicOrder:$order, Scope:$scope), Scoped>;
      let summary = "put the "#op#"imum into memory" in
      def Red#s.name#Op#t
          : PTX_Inst<"red$order$scope"#s.ptx#"."#op#"."#t.ptx#" [$address+$offset], $a;", (outs),
                     (ins B64:$address, Offset:$offset, t.reg:$a, StoreOrder:$order, Scope:$scope), Scoped>;
    }
  foreach op = ["and", "or", "xor"] in
    foreach reg = [B32, B64] in {
      defvar Op = !toupper(!substr(op, 0, 1))#!substr(op, 1);
      let summary = "bitwise "#op#" into memory; what was there before" in
      def Atom#s.name#Op#reg
          : PTX_Inst<"atom$order$scope"#s.ptx#"."#op#"."#reg.type#" $d, [$address+$offset], $a;", (outs reg:$d),
                     (ins B64:$address, Offset:$offset, reg:$a, AtomicOrder:$order, Scope:$scope), Scoped>;
      let summary = "bitwise "#op#" into memory" in
      def Red#s.name#Op#reg
          : PTX_Inst<"red$order$scope"#s.ptx#"."#op#"."#reg.type#" [$address+$offset], $a;", (outs),
                     (ins B64:$address, Offset:$offset, reg:$a, StoreOrder:$order, Scope:$scope), Scoped>;
    }
  foreach op = ["inc", "dec"] in {
    defvar Op = !if(!eq(op, "inc"), "Inc", "Dec");
    let summary = "count up, or down, within 0 and a; what was there before" in
    def Atom#s.name#Op#U32
        : PTX_Inst<"atom$order$scope"#s.ptx#"."#op#".u32 $d, [$address+$offset], $a;", (outs B32:$d),
                   (ins B64:$address, Offset:$offset, B32:$a, AtomicOrder:$order, Scope:$scope), Scoped>;
  }
  foreach reg = [B32, B64] in
    let summary = "replace; what was there before" in
    def Atom#s.name#Exch#reg
        : PTX_Inst<"atom$order$scope"#s.ptx#".exch."#reg.type#" $d, [$address+$offset], $a;", (outs reg:$d),
                   (ins B64:$address, Offset:$offset, reg:$a, AtomicOrder:$order, Scope:$scope), Scoped>;
  foreach reg = [B16, B32, B64] in
    let summary = "replace by desired if it is expected; what was there before" in
    def Atom#s.name#Cas#reg
        : PTX_Inst<"atom$order$scope"#s.ptx#".cas."#reg.type#" $d, [$address+$offset], $expected, $desired;",
                   (outs reg:$d), (ins B64:$address, Offset:$offset, reg:$expected, reg:$desired,
                                       AtomicOrder:$order, Scope:$scope),
                   !if(!eq(reg.type, "b16"), PTX_Needs<"6.3", 70>, Scoped)>;

  foreach reg = [B16, B32, B64] in {
    let summary = "load with an order" in
    def LdOrdered#s.name#reg
        : PTX_Inst<"ld$order$scope"#s.ptx#"."#reg.type#" $d, [$address+$offset];", (outs reg:$d),
                   (ins B64:$address, Offset:$offset, LoadOrder:$order, Scope:$scope), Scoped>;
    let summary = "store with an order" in
    def StOrdered#s.name#reg
        : PTX_Inst<"st$order$scope"#s.ptx#"."#reg.type#" [$address+$offset], $value;", (outs),
                   (ins B64:$address, Offset:$offset, reg:$value, StoreOrder:$order, Scope:$scope), Scoped>;
  }
}

#endif // METTLE_DIALECT_PTX_IR_PTXATOMICINSTS
