// How an entry's parameter is declared where the register alone does not say it.

#ifndef METTLE_DIALECT_PTX_IR_PTXATTRS_TD
#define METTLE_DIALECT_PTX_IR_PTXATTRS_TD

include "Mettle/Dialect/PTX/IR/PTXDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def PTX_ParamType : I32EnumAttr<"ParamType", "a parameter's type in memory", [
    I32EnumAttrCase<"U8", 0, "u8">, I32EnumAttrCase<"S8", 1, "s8">, I32EnumAttrCase<"U16", 2, "u16">,
    I32EnumAttrCase<"S16", 3, "s16">, I32EnumAttrCase<"B16", 4, "b16">, I32EnumAttrCase<"B32", 5, "b32">,
    I32EnumAttrCase<"B64", 6, "b64">]> {
  let cppNamespace = "::mettle::ptx";
  let genSpecializedAttr = 0;
}

def PTX_PointerSpace : I32EnumAttr<"PointerSpace", "the space a pointer points into", [
    I32EnumAttrCase<"Global", 0, "global">, I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Local", 2, "local">, I32EnumAttrCase<"Const", 3, "const">]> {
  let cppNamespace = "::mettle::ptx";
  let genSpecializedAttr = 0;
}

def PTX_ParamAttr : AttrDef<PTX_Dialect, "Param"> {
  let mnemonic = "param";
  let summary = "how an entry's parameter is declared";
  let description = [{
    `type` is the parameter's type in memory, where it is narrower than its register
    (u8, s8, u16, s16 extend into b32); by default it is the register's own. `pointer`
    says that it is a pointer to such memory, aligned to `align` bytes.
    `#ptx.param<type = u8>`, `#ptx.param<pointer = global, align = 16>`.

    Constraints:
    * `param-c1`: an alignment is that of a pointer;
    * `param-c2`: an alignment is a power of two;
    * `param-c3`: it is the attribute `ptx.param` of a ptx.entry's argument.
  }];
  let parameters = (ins
    OptionalParameter<"std::optional<::mettle::ptx::ParamType>">:$type,
    OptionalParameter<"std::optional<::mettle::ptx::PointerSpace>">:$pointer,
    OptionalParameter<"std::optional<uint32_t>">:$align);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // METTLE_DIALECT_PTX_IR_PTXATTRS_TD
