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

def Mettle_MemoryScope : Mettle_Enum<"MemoryScope", "the work-items that an atomic access is ordered among", [
  I32EnumAttrCase<"Workgroup", 0, "workgroup">,
  I32EnumAttrCase<"Device", 1, "device">,
]>;

def Mettle_AtomicKind : Mettle_Enum<"AtomicKind", "what an atomic update does", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Sub", 1, "sub">,
  I32EnumAttrCase<"SMin", 2, "smin">,
  I32EnumAttrCase<"SMax", 3, "smax">,
  I32EnumAttrCase<"UMin", 4, "umin">,
  I32EnumAttrCase<"UMax", 5, "umax">,
  I32EnumAttrCase<"And", 6, "and">,
  I32EnumAttrCase<"Or", 7, "or">,
  I32EnumAttrCase<"Xor", 8, "xor">,
  I32EnumAttrCase<"Exchange", 9, "exchange">,
  I32EnumAttrCase<"FAdd", 10, "fadd">,
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

def Mettle_CombineKind : Mettle_Enum<"CombineKind", "how a subgroup combines the values of its lanes", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"SMin", 1, "smin">,
  I32EnumAttrCase<"SMax", 2, "smax">,
  I32EnumAttrCase<"UMin", 3, "umin">,
  I32EnumAttrCase<"UMax", 4, "umax">,
  I32EnumAttrCase<"FMin", 5, "fmin">,
  I32EnumAttrCase<"FMax", 6, "fmax">,
]>;

def Mettle_FoldOrder : Mettle_Enum<"FoldOrder", "the order in which a sum of floats is rounded", [
  I32EnumAttrCase<"InnerTree", 0, "inner_tree">,
  I32EnumAttrCase<"Sequential", 1, "sequential">,
  I32EnumAttrCase<"Unordered", 2, "unordered">,
]>;

def Mettle_ScanKind : Mettle_Enum<"ScanKind", "whether a prefix includes the lane itself", [
  I32EnumAttrCase<"Inclusive", 0, "inclusive">,
  I32EnumAttrCase<"Exclusive", 1, "exclusive">,
]>;

def Mettle_ShuffleMode : Mettle_Enum<"ShuffleMode", "how a lane names the lane it reads", [
  I32EnumAttrCase<"Idx", 0, "idx">,
  I32EnumAttrCase<"Xor", 1, "xor">,
  I32EnumAttrCase<"Up", 2, "up">,
  I32EnumAttrCase<"Down", 3, "down">,
]>;

def Mettle_CacheHint : Mettle_Enum<"CacheHint", "which caches keep what a copy reads", [
  I32EnumAttrCase<"All", 0, "all">,
  I32EnumAttrCase<"Global", 1, "global">,
]>;

def Mettle_DimensionAttr : EnumAttr<Mettle_Dialect, Mettle_Dimension, "dim">;
def Mettle_ApproximateFunctionAttr : EnumAttr<Mettle_Dialect, Mettle_ApproximateFunction, "function">;
def Mettle_MemoryOrderAttr : EnumAttr<Mettle_Dialect, Mettle_MemoryOrder, "order">;
def Mettle_MemoryScopeAttr : EnumAttr<Mettle_Dialect, Mettle_MemoryScope, "scope">;
def Mettle_AtomicKindAttr : EnumAttr<Mettle_Dialect, Mettle_AtomicKind, "atomic_kind">;
def Mettle_MemoryRegionAttr : EnumAttr<Mettle_Dialect, Mettle_MemoryRegion, "region">;
def Mettle_CombineKindAttr : EnumAttr<Mettle_Dialect, Mettle_CombineKind, "combine">;
def Mettle_FoldOrderAttr : EnumAttr<Mettle_Dialect, Mettle_FoldOrder, "fold_order">;
def Mettle_ScanKindAttr : EnumAttr<Mettle_Dialect, Mettle_ScanKind, "scan">;
def Mettle_CacheHintAttr : EnumAttr<Mettle_Dialect, Mettle_CacheHint, "cache">;
def Mettle_ShuffleModeAttr : EnumAttr<Mettle_Dialect, Mettle_ShuffleMode, "shuffle_mode">;

#endif // METTLE_DIALECT_METTLE_IR_METTLEATTRS_TD
