// What every family of mettle operations includes: the base class and the effect resources.

#ifndef METTLE_DIALECT_METTLE_IR_METTLEBASE_TD
#define METTLE_DIALECT_METTLE_IR_METTLEBASE_TD

include "Mettle/Dialect/Mettle/IR/MettleTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Mettle_Op<string mnemonic, list<Trait> traits = []> : Op<Mettle_Dialect, mnemonic, traits>;

// One resource a memory space, and one for what the lanes of a workgroup do together.
def Mettle_GlobalMemory : Resource<"::mettle::GlobalMemory">;
def Mettle_WorkgroupMemory : Resource<"::mettle::WorkgroupMemory">;
def Mettle_PrivateMemory : Resource<"::mettle::PrivateMemory">;
def Mettle_Convergence : Resource<"::mettle::Convergence">;

#endif // METTLE_DIALECT_METTLE_IR_METTLEBASE_TD
