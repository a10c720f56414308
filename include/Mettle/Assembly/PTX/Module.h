//===- Module.h - A decoded PTX module --------------------------*- C++ -*-===//
//
// Everything a PTX text says, as flat tables. Instructions of all functions stand in one array in
// text order; what stands between them is in `items`. The tables keep every token of the text
// (printModule gives it back), so nothing a reader may need is lost; comments and spacing are not
// kept. The module points into the text, which must outlive it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_MODULE_H
#define METTLE_ASSEMBLY_PTX_MODULE_H

#include "Mettle/Assembly/PTX/Declarations.h"
#include "Mettle/Assembly/PTX/NameTable.h"
#include "Mettle/Assembly/PTX/Target.h"

namespace mettle::assembly::ptx {

class Module {
public:
  llvm::StringRef text;
  Version version;
  /// The first architecture of the first `.target`.
  Target target;
  /// 32 or 64; 32 when the text does not say, which is PTX's default.
  unsigned addressSize = 32;
  /// The argument texts of each `.version`, `.target`, `.address_size`, `.pragma`, line marker and
  /// @@DWARF line: what an item of that kind indexes.
  std::vector<Slice> texts;

  NameTable names;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<Mnemonic> mnemonics;
  std::vector<Modifier> modifiers;

  std::vector<Item> items;
  std::vector<Function> functions;
  std::vector<Variable> variables;
  std::vector<uint32_t> extents;
  std::vector<FunctionDirective> directives;
  std::vector<RegisterDeclaration> registers;
  std::vector<Label> labels;
  std::vector<CodeTable> codeTables;
  std::vector<Prototype> prototypes;
  std::vector<SourceFile> files;
  /// Entry 0 stands for "no location".
  std::vector<Location> locations;
  std::vector<Section> sections;
  std::vector<Alias> aliases;

  /// Forgets everything, keeps the memory for the next text.
  void clear();

  /// Bytes the tables hold, spare capacity included, the text not.
  size_t memory() const;

  llvm::StringRef slice(Slice piece) const { return text.substr(piece.offset, piece.length); }
  llvm::StringRef name(NameId id) const { return names[id]; }

  llvm::ArrayRef<Operand> operandsOf(const Instruction &instruction) const {
    return llvm::ArrayRef(operands).slice(instruction.firstOperand, instruction.operandCount);
  }
  /// The operands of a Vector, Pair, List or Bracket.
  llvm::ArrayRef<Operand> elements(const Operand &group) const {
    return llvm::ArrayRef(operands).slice(group.index, group.count);
  }
  llvm::ArrayRef<Instruction> instructionsOf(const Function &function) const {
    return llvm::ArrayRef(instructions)
        .slice(function.instructions.first, function.instructions.size());
  }
  const Mnemonic &mnemonicOf(const Instruction &instruction) const {
    return mnemonics[instruction.mnemonic];
  }
  llvm::ArrayRef<Modifier> modifiersOf(const Mnemonic &mnemonic) const {
    return llvm::ArrayRef(modifiers).slice(mnemonic.firstModifier, mnemonic.modifierCount);
  }
  llvm::StringRef modifierText(Modifier modifier) const;
  /// The opcode text as written: `ld.global.v4.b32`.
  llvm::StringRef mnemonicText(const Mnemonic &mnemonic) const {
    return text.substr(mnemonic.textOffset, mnemonic.textLength);
  }

  /// What the instruction does with its operand `index`.
  Role role(const Instruction &instruction, unsigned index) const;

  /// Calls `visit(RegisterId, bool written, bool read)` for every register the instruction names:
  /// its guard, its operands, and those inside vectors, lists and addresses. A vector register is
  /// visited component by component.
  template <typename Visitor>
  void forEachRegister(const Instruction &instruction, Visitor visit) const;

  const Function *functionNamed(llvm::StringRef name) const;
  /// The function whose body holds the instruction.
  const Function *functionOf(uint32_t instruction) const;
  const SourceFile *fileNumbered(uint32_t number) const;

private:
  template <typename Visitor>
  void forEachRegister(const Operand &operand, bool written, bool read, Visitor &visit) const;
};

template <typename Visitor>
void Module::forEachRegister(const Operand &operand, bool written, bool read,
                             Visitor &visit) const {
  if (operand.is(OperandKind::Register)) {
    RegisterId reg = operand.reg();
    unsigned span = operand.has(Component) ? 1 : operand.count;
    for (unsigned i = 0; i < span; ++i)
      visit(RegisterId(reg.cls(), reg.number() + i), written, read);
  } else if (operand.is(OperandKind::Address)) {
    if (operand.base() == Base::Register)
      visit(operand.reg(), false, true);
  } else if (operand.isGroup()) {
    bool address = operand.is(OperandKind::Bracket) || operand.is(OperandKind::Element);
    for (const Operand &element : elements(operand))
      forEachRegister(element, written && !address, read || address, visit);
  }
}

template <typename Visitor>
void Module::forEachRegister(const Instruction &instruction, Visitor visit) const {
  if (instruction.guarded())
    visit(instruction.guardRegister(), false, true);
  for (unsigned i = 0; i < instruction.operandCount; ++i) {
    Role what = role(instruction, i);
    bool written = what == Role::Write || what == Role::ReadWrite;
    forEachRegister(operands[instruction.firstOperand + i], written, what != Role::Write, visit);
  }
}

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_MODULE_H
