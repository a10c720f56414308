//===- Printer.h - From a module back to text -------------------*- C++ -*-===//
//
// Two ways to print a module: as PTX, token for token what was read, and as a listing of what was
// understood.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_PRINTER_H
#define METTLE_ASSEMBLY_PTX_PRINTER_H

#include "Mettle/Assembly/PTX/Module.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::assembly::ptx {

/// Prints the tables as PTX. The tokens are those of the text that was read, one statement a line;
/// comments are gone. Nothing but literals that are not plain decimals, section data, initialisers
/// and the arguments of module directives is copied from the text.
void printModule(llvm::raw_ostream &os, const Module &module);

/// Prints one instruction as PTX, without its guard's spacing, semicolon or newline.
void printInstruction(llvm::raw_ostream &os, const Module &module, const Function &function,
                      const Instruction &instruction);

/// Prints what was understood, a line an instruction: number, guard, opcode and its facts, each
/// operand with its role, the source line.
void printDecoded(llvm::raw_ostream &os, const Module &module);

/// Prints counts: bytes, functions, registers by class, instructions by opcode.
void printStatistics(llvm::raw_ostream &os, const Module &module);

/// Gives registers their names back.
class RegisterNames {
public:
  RegisterNames(const Module &module, const Function &function);

  /// The declaration a register comes from.
  const RegisterDeclaration &declarationOf(RegisterId reg) const;
  /// `%r12`, or `v.y` for a component of a vector register.
  void print(llvm::raw_ostream &os, RegisterId reg) const;

private:
  friend class ModulePrinter;
  const Module &module;
  /// Declarations of each class, by rising first number.
  std::array<std::vector<uint32_t>, NumRegisterClasses> declarations;
};

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_PRINTER_H
