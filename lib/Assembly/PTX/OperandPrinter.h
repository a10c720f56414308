//===- OperandPrinter.h - Instructions and operands as PTX ------*- C++ -*-===//
//
// Prints the instructions of one function.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_ASSEMBLY_PTX_OPERANDPRINTER_H
#define METTLE_LIB_ASSEMBLY_PTX_OPERANDPRINTER_H

#include "Mettle/Assembly/PTX/Printer.h"

namespace mettle::assembly::ptx {

class OperandPrinter {
public:
  OperandPrinter(llvm::raw_ostream &os, const Module &module, const Function &function)
      : os(os), module(module), registers(module, function) {}

  void print(const Instruction &instruction);
  void print(const Operand &operand);

  const RegisterNames &registerNames() const { return registers; }

private:
  void printOffset(const Operand &operand);
  void printBase(const Operand &address);
  void printIndexed(const Operand &operand);
  void printRegister(const Operand &operand, unsigned selector);
  void printList(const Operand &operand, llvm::StringRef open, llvm::StringRef separator,
                 llvm::StringRef close);

  llvm::raw_ostream &os;
  const Module &module;
  RegisterNames registers;
};

} // namespace mettle::assembly::ptx

#endif // METTLE_LIB_ASSEMBLY_PTX_OPERANDPRINTER_H
