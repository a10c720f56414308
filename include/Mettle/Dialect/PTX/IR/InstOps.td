// The one operation that stands for every plain instruction; its opcode says which.

#ifndef METTLE_DIALECT_PTX_IR_INSTOPS_TD
#define METTLE_DIALECT_PTX_IR_INSTOPS_TD

include "Mettle/Dialect/PTX/IR/PTXBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/Properties.td"

/// An attribute of the record's name: numbers change when a record is added.
def PTX_OpcodeProp : Property<"::mettle::ptx::Opcode", "instruction record"> {
  let convertToAttribute = [{
    return ::mlir::StringAttr::get($_ctxt, ::mettle::ptx::instInfo($_storage).name);
  }];
  let convertFromAttribute = [{
    auto name = ::mlir::dyn_cast_if_present<::mlir::StringAttr>($_attr);
    auto opcode = name ? ::mettle::ptx::opcodeByName(name.getValue()) : std::nullopt;
    if (!opcode)
      return $_diag() << "expected the name of an instruction record as opcode, got " << $_attr;
    $_storage = *opcode;
    return ::mlir::success();
  }];
  let writeToMlirBytecode = [{
    $_writer.writeOwnedString(::mettle::ptx::instInfo($_storage).name);
  }];
  let readFromMlirBytecode = [{
    ::llvm::StringRef name;
    if (::mlir::failed($_reader.readString(name)))
      return ::mlir::failure();
    auto opcode = ::mettle::ptx::opcodeByName(name);
    if (!opcode)
      return ::mlir::LogicalResult($_reader.emitError() << "expected the name of an instruction record, got '" << name << "'");
    $_storage = *opcode;
  }];
}

def PTX_InstOp : PTX_Op<"inst", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "an instruction";
  let description = [{
    An instruction by its record. The text form is the mnemonic with its modifiers,
    then registers and immediates in the order of the record's `ins`; types follow
    from the record:

    ```mlir
    %d = ptx.inst fma.rn.ftz.f32 %a, %b, %c
    %v:4 = ptx.inst ld.global.v4.b32 %address, 16
    ```

    Each modifier takes four bits of `modifiers`, in the order of the record. What
    an instruction reads and writes, also whether threads must execute it together,
    is its record's `effects`.

    Constraints:
    * `inst-c1`: the registers read are as many, and of the classes, as the record says;
    * `inst-c2`: the results are as many, and of the classes, as the record says;
    * `inst-c3`: there are as many immediates as the record says, each in its range;
    * `inst-c4`: a modifier is one of its suffixes, and one that must be given is.
  }];
  let arguments = (ins
    PTX_OpcodeProp:$opcode,
    DefaultValuedProp<I32Prop, "0">:$modifiers,
    OptionalAttr<DenseI64ArrayAttr>:$immediates,
    Variadic<PTX_AnyRegister>:$inputs);
  let results = (outs Variadic<PTX_AnyRegister>:$results);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mettle::ptx::Opcode":$opcode, "::mlir::ValueRange":$inputs,
                                 "uint32_t":$modifiers, "::llvm::ArrayRef<int64_t>":$immediates)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    const ::mettle::ptx::InstInfo &getInfo() { return ::mettle::ptx::instInfo(getOpcode()); }
    ::llvm::ArrayRef<int64_t> getImmediateValues() {
      return getImmediatesAttr() ? getImmediatesAttr().asArrayRef() : ::llvm::ArrayRef<int64_t>();
    }
  }];
}

#endif // METTLE_DIALECT_PTX_IR_INSTOPS_TD
