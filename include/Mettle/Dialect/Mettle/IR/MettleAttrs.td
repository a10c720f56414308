// Enumerations of the mettle dialect and the attributes that carry them.

#ifndef METTLE_DIALECT_METTLE_IR_METTLEATTRS_TD
#define METTLE_DIALECT_METTLE_IR_METTLEATTRS_TD

include "Mettle/Dialect/Mettle/IR/MettleDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

class Mettle_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mettle";
  let genSpecializedAttr = 0;
}

def Mettle_Dimension : Mettle_Enum<"Dimension", "an axis of the launch grid", [
  I32EnumAttrCase<"X", 0, "x">,
  I32EnumAttrCase<"Y", 1, "y">,
  I32EnumAttrCase<"Z", 2, "z">,
]>;

def Mettle_AddressSpace : Mettle_Enum<"AddressSpace", "the memory a pointer points into", [
  I32EnumAttrCase<"Generic", 0, "generic">,
  I32EnumAttrCase<"Global", 1, "global">,
  I32EnumAttrCase<"Workgroup", 2, "workgroup">,
  I32EnumAttrCase<"Private", 3, "private">,
]>;

def Mettle_MemoryOrder : Mettle_Enum<"MemoryOrder", "a C++ memory order", [
  I32EnumAttrCase<"Relaxed", 0, "relaxed">,
  I32EnumAttrCase<"Acquire", 1, "acquire">,
  I32EnumAttrCase<"Release", 2, "release">,
  I32EnumAttrCase<"AcqRel", 3, "acq_rel">,
  I32EnumAttrCase<"SeqCst", 4, "seq_cst">,
]>;

def Mettle_MemoryRegion : I32BitEnumAttr<"MemoryRegion", "memory a barrier orders", [
  I32BitEnumAttrCaseNone<"None", "none">,
  I32BitEnumAttrCaseBit<"Workgroup", 0, "workgroup">,
  I32BitEnumAttrCaseBit<"Global", 1, "global">,
]> {
  let cppNamespace = "::mettle";
  let genSpecializedAttr = 0;
  let separator = " | ";
}

def Mettle_ApproximateFunction : Mettle_Enum<"ApproximateFunction", "a function that hardware approximates", [
  I32EnumAttrCase<"Exp", 0, "exp">,
  I32EnumAttrCase<"Log", 1, "log">,
  I32EnumAttrCase<"Sin", 2, "sin">,
  I32EnumAttrCase<"Cos", 3, "cos">,
  I32EnumAttrCase<"Rsqrt", 4, "rsqrt">,
]>;

def Mettle_DimensionAttr : EnumAttr<Mettle_Dialect, Mettle_Dimension, "dim">;
def Mettle_ApproximateFunctionAttr : EnumAttr<Mettle_Dialect, Mettle_ApproximateFunction, "function">;
def Mettle_MemoryOrderAttr : EnumAttr<Mettle_Dialect, Mettle_MemoryOrder, "order">;
def Mettle_MemoryRegionAttr : EnumAttr<Mettle_Dialect, Mettle_MemoryRegion, "region">;

#endif // METTLE_DIALECT_METTLE_IR_METTLEATTRS_TD
