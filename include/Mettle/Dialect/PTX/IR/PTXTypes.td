// Virtual registers by width: f32 and i32 share b32, as PTX instructions take either.

#ifndef METTLE_DIALECT_PTX_IR_PTXTYPES_TD
#define METTLE_DIALECT_PTX_IR_PTXTYPES_TD

include "Mettle/Dialect/PTX/IR/PTXDialect.td"
include "mlir/IR/AttrTypeBase.td"

class PTX_RegisterType<string cppName, string typeMnemonic> : TypeDef<PTX_Dialect, cppName> {
  let mnemonic = typeMnemonic;
  let summary = "a ." # typeMnemonic # " register";
}

def PTX_Pred : PTX_RegisterType<"Pred", "pred">;
def PTX_B16 : PTX_RegisterType<"B16", "b16">;
def PTX_B32 : PTX_RegisterType<"B32", "b32">;
def PTX_B64 : PTX_RegisterType<"B64", "b64">;

def PTX_AnyRegister : AnyTypeOf<[PTX_Pred, PTX_B16, PTX_B32, PTX_B64], "register">;

#endif // METTLE_DIALECT_PTX_IR_PTXTYPES_TD
