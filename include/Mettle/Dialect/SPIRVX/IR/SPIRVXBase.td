// What every family of spirvx operations includes: the class of an instruction that spirv lacks.

#ifndef METTLE_DIALECT_SPIRVX_IR_SPIRVXBASE_TD
#define METTLE_DIALECT_SPIRVX_IR_SPIRVXBASE_TD

include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.td"
include "mlir/Dialect/SPIRV/IR/SPIRVBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// One SPIR-V instruction. The encoder writes the result type and id, then the arguments in their
/// order: an operand's id, an enumeration's or an integer's literal, a scope's or a memory
/// semantics' constant.
class SPIRVX_Op<string mnemonic, list<Trait> traits = []> : Op<SPIRVX_Dialect, mnemonic, traits # [
    DeclareOpInterfaceMethods<QueryCapabilityInterface>, DeclareOpInterfaceMethods<QueryExtensionInterface>,
    DeclareOpInterfaceMethods<QueryMinVersionInterface>]> {
  /// Whether it is an instruction of its own; else one of an extended set, or none.
  bit hasOpcode = 1;
  /// The opcode of the core instruction.
  int spirvOpcode = -1;
  /// Whether the encoding follows from the record.
  bit autogenSerialization = 1;
  /// The C++ spelling of the one capability that the instruction needs beside those of its types.
  string capability = "Kernel";
  /// The lowest version of SPIR-V with the instruction.
  string minVersion = "V_1_0";

  let extraClassDefinition = [{
    ::llvm::SmallVector<::llvm::ArrayRef<::mlir::spirv::Capability>, 1> $cppClass::getCapabilities() {
      static constexpr ::mlir::spirv::Capability capability[] = {::mlir::spirv::Capability::}] # capability # [{};
      return {::llvm::ArrayRef<::mlir::spirv::Capability>(capability)};
    }
    ::llvm::SmallVector<::llvm::ArrayRef<::mlir::spirv::Extension>, 1> $cppClass::getExtensions() { return {}; }
    std::optional<::mlir::spirv::Version> $cppClass::getMinVersion() {
      return ::mlir::spirv::Version::}] # minVersion # [{;
    }
  }];
}

/// An instruction of the extended set OpenCL.std.
class SPIRVX_CLOp<string mnemonic, int number, list<Trait> traits = []>
    : SPIRVX_Op<"CL." # mnemonic, [Pure] # traits> {
  let hasOpcode = 0;
  string extendedInstSetName = "OpenCL.std";
  int extendedInstOpcode = number;
}

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXBASE_TD
