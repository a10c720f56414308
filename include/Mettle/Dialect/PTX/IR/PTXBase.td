// What every family of ptx operations includes.

#ifndef METTLE_DIALECT_PTX_IR_PTXBASE_TD
#define METTLE_DIALECT_PTX_IR_PTXBASE_TD

include "Mettle/Dialect/PTX/IR/PTXTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PTX_Op<string mnemonic, list<Trait> traits = []> : Op<PTX_Dialect, mnemonic, traits>;

#endif // METTLE_DIALECT_PTX_IR_PTXBASE_TD
