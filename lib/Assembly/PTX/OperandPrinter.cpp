//===- OperandPrinter.cpp - Instructions and operands as PTX --------------===//
//
// The reverse of ReadOperand.cpp, kind by kind.
//
//===----------------------------------------------------------------------===//

#include "OperandPrinter.h"
#include "TokenCopier.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::assembly::ptx;

RegisterNames::RegisterNames(const Module &module, const Function &function) : module(module) {
  for (uint32_t i = function.registers.first; i < function.registers.last; ++i)
    declarations[unsigned(module.registers[i].cls)].push_back(i);
}

const RegisterDeclaration &RegisterNames::declarationOf(RegisterId reg) const {
  // Of declarations with the same first number, all but the last are empty ranges.
  const std::vector<uint32_t> &ofClass = declarations[unsigned(reg.cls())];
  auto after = llvm::upper_bound(ofClass, reg.number(), [&](uint32_t number, uint32_t index) {
    return number < module.registers[index].first;
  });
  return module.registers[*std::prev(after)];
}

void RegisterNames::print(llvm::raw_ostream &os, RegisterId reg) const {
  const RegisterDeclaration &declaration = declarationOf(reg);
  uint32_t index = reg.number() - declaration.first;
  os << module.name(declaration.name);
  if (declaration.isRange)
    os << index / declaration.vectorWidth;
  if (declaration.vectorWidth > 1)
    os << '.' << selectorNames[index % declaration.vectorWidth];
}

/// Selector NumComponentSelectors and above, or a component, as written; ~0 for none.
void OperandPrinter::printRegister(const Operand &operand, unsigned selector) {
  const RegisterDeclaration &declaration = registers.declarationOf(operand.reg());
  os << module.name(declaration.name);
  if (declaration.isRange)
    os << (operand.reg().number() - declaration.first) / declaration.vectorWidth;
  if (operand.has(Component))
    os << '.' << selectorNames[selector];
}

/// `+offset` as written.
void OperandPrinter::printOffset(const Operand &operand) {
  if (!operand.has(Offset))
    return;
  os << '+';
  if (!operand.has(Spelled)) {
    os << operand.offset;
    return;
  }
  copyExpression(os, module.text, operand.spelling + 1);
}

/// What stands in the brackets of an address.
void OperandPrinter::printBase(const Operand &address) {
  switch (address.base()) {
  case Base::Register:
    printRegister(address, address.count >> 8);
    printOffset(address);
    break;
  case Base::Symbol:
    os << module.name(module.variables[address.index].name);
    printOffset(address);
    break;
  case Base::Absolute:
    if (address.has(Spelled))
      copyExpression(os, module.text, address.index);
    else
      os << int64_t(address.bits);
    break;
  }
}

void OperandPrinter::printIndexed(const Operand &operand) {
  os << module.name(module.variables[operand.index].name) << '[';
  copyExpression(os, module.text, operand.spelling + 1);
  os << ']';
}

void OperandPrinter::printList(const Operand &operand, llvm::StringRef open,
                               llvm::StringRef separator, llvm::StringRef close) {
  os << open;
  llvm::StringRef before = "";
  for (const Operand &element : module.elements(operand)) {
    os << before;
    print(element);
    before = separator;
  }
  os << close;
}

void OperandPrinter::print(const Operand &operand) {
  if (operand.has(Negated))
    os << '!';
  if (operand.has(Minus))
    os << '-';
  switch (operand.kind) {
  case OperandKind::Register:
    printRegister(operand, operand.count);
    break;
  case OperandKind::Special: {
    const SpecialRegisterInfo &info = specialRegisterInfo(SpecialRegister(operand.index));
    os << info.name;
    if (info.shape == SpecialShape::Numbered)
      os << operand.count;
    else if (info.shape == SpecialShape::Vector && operand.count < 4)
      os << '.' << selectorNames[operand.count];
    break;
  }
  case OperandKind::Integer:
  case OperandKind::Float32:
  case OperandKind::Float64:
    if (operand.has(Spelled))
      copyExpression(os, module.text, operand.index);
    else
      os << int64_t(operand.bits);
    break;
  case OperandKind::Symbol:
    if (operand.has(Indexed)) {
      printIndexed(operand);
      break;
    }
    os << module.name(module.variables[operand.index].name);
    printOffset(operand);
    break;
  case OperandKind::Function:
    os << module.name(module.functions[operand.index].name);
    break;
  case OperandKind::Label:
    os << module.name(module.labels[operand.index].name);
    break;
  case OperandKind::Address:
    if (operand.has(Indexed)) {
      printIndexed(operand);
      break;
    }
    os << '[';
    printBase(operand);
    os << ']';
    break;
  case OperandKind::Vector:
    printList(operand, "{", ", ", "}");
    break;
  case OperandKind::Pair:
    printList(operand, "", "|", "");
    break;
  case OperandKind::List:
    printList(operand, "(", ", ", ")");
    break;
  case OperandKind::Bracket: {
    llvm::ArrayRef<Operand> elements = module.elements(operand);
    os << '[';
    printBase(elements.front());
    for (const Operand &element : elements.drop_front()) {
      os << ", ";
      print(element);
    }
    os << ']';
    break;
  }
  case OperandKind::Element: {
    llvm::ArrayRef<Operand> parts = module.elements(operand);
    print(parts[0]);
    os << '[';
    print(parts[1]);
    if (parts.size() > 2) {
      os << '+';
      print(parts[2]);
    }
    os << ']';
    break;
  }
  case OperandKind::Sink:
    os << '_';
    break;
  case OperandKind::Name:
    os << module.name(operand.index);
    break;
  }
  if (operand.has(Unified))
    os << ".unified";
}

void OperandPrinter::print(const Instruction &instruction) {
  if (instruction.guarded()) {
    os << (instruction.guardNegated ? "@!" : "@");
    registers.print(os, instruction.guardRegister());
    os << ' ';
  }
  os << module.mnemonicText(module.mnemonicOf(instruction));
  llvm::StringRef before = " ";
  for (const Operand &operand : module.operandsOf(instruction)) {
    os << before;
    print(operand);
    before = ", ";
  }
}

void mettle::assembly::ptx::printInstruction(llvm::raw_ostream &os, const Module &module,
                                             const Function &function,
                                             const Instruction &instruction) {
  OperandPrinter(os, module, function).print(instruction);
}
