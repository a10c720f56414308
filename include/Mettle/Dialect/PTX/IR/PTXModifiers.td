//===- PTXModifiers.td - Suffixes that instructions share -------*- tablegen -*-===//
//
// The choices a mnemonic offers. Each becomes an enumeration of the same name, with the suffixes in
// capitals as its cases (Rounding::RN).
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXMODIFIERS
#define METTLE_DIALECT_PTX_IR_PTXMODIFIERS

include "Mettle/Dialect/PTX/IR/PTXInstBase.td"

/// To nearest even, toward zero, toward minus infinity, toward plus infinity.
def Rounding : PTX_Modifier<["rn", "rz", "rm", "rp"]>;
def NearestOrZero : PTX_Modifier<["rn", "rz"]>;
/// The same as Rounding, to an integer.
def IntegerRounding : PTX_Modifier<["rni", "rzi", "rmi", "rpi"]>;

/// Subnormal inputs and results become zeros of the same sign.
def FlushToZero : PTX_Flag<"ftz">;
/// Clamp to the destination's range, or floats to [0.0, 1.0].
def Saturate : PTX_Flag<"sat">;
/// Clamp to the destination's range.
def SaturateFinite : PTX_Flag<"satfinite">;
def Transpose : PTX_Flag<"trans">;
/// A NaN input gives NaN.
def NaNResult : PTX_Flag<"NaN">;
/// A negative result becomes zero, NaN the canonical one.
def Relu : PTX_Flag<"relu">;

def IntegerCompare : PTX_Modifier<["eq", "ne", "lt", "le", "gt", "ge"]>;
def BitsCompare : PTX_Modifier<["eq", "ne"]>;
/// Ordered comparisons, then those that are also true when an input is NaN, then tests for NaN.
def FloatCompare : PTX_Modifier<["eq", "ne", "lt", "le", "gt", "ge",
                                 "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]> {
  // NAN is a macro of <cmath>.
  let enumerators = ["EQ", "NE", "LT", "LE", "GT", "GE", "EQU", "NEU", "LTU", "LEU", "GTU", "GEU", "Num", "NaN"];
}

def FloatClass : PTX_Modifier<["finite", "infinite", "number", "notanumber", "normal", "subnormal"]>;

/// What a count beyond the width does.
def BeyondWidth : PTX_Modifier<["wrap", "clamp"]>;
def Half : PTX_Modifier<["lo", "hi"]>;
/// How far to shift left to bring the bit to the top, in place of its position.
def ShiftAmount : PTX_Flag<"shiftamt">;

def FenceOrder : PTX_Modifier<["sc", "acq_rel"]>;
def Scope : PTX_Modifier<["cta", "gpu", "sys"]>;
/// Of a read that also writes, of a load, of a store.
def AtomicOrder : PTX_Modifier<["relaxed", "acquire", "release", "acq_rel"]>;
def LoadOrder : PTX_Modifier<["relaxed", "acquire"]>;
def StoreOrder : PTX_Modifier<["relaxed", "release"]>;
def MembarLevel : PTX_Modifier<["cta", "gl", "sys"]>;
def ArriveOrder : PTX_Modifier<["release", "relaxed"]>;
def Acquire : PTX_Flag<"acquire">;
def ShuffleMode : PTX_Modifier<["up", "down", "bfly", "idx"]>;
def VoteMode : PTX_Modifier<["all", "any", "uni"]>;
def ReduxArithmetic : PTX_Modifier<["add", "min", "max"]>;
def ReduxLogic : PTX_Modifier<["and", "or", "xor"]>;
def ReduxFloat : PTX_Modifier<["min", "max"]>;
/// By magnitude.
def Absolute : PTX_Flag<"abs">;
/// The arrival is one of those the barrier was made for.
def NoIncrement : PTX_Flag<"noinc">;
def ReadOnly : PTX_Flag<"read">;
/// Every thread of the warp executes the same one.
def Aligned : PTX_Flag<"aligned">;

/// All levels, L2 only, likely once, last use, not cached.
def LoadCache : PTX_Modifier<["ca", "cg", "cs", "lu", "cv"]>;
def ReadOnlyCache : PTX_Modifier<["ca", "cg", "cs"]>;
/// Write back, L2 only, likely once, through to memory.
def StoreCache : PTX_Modifier<["wb", "cg", "cs", "wt"]>;

#endif // METTLE_DIALECT_PTX_IR_PTXMODIFIERS
