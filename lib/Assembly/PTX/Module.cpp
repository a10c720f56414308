//===- Module.cpp - A decoded PTX module ----------------------------------===//
//
// What the tables say, beyond plain indexing.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Module.h"
#include "llvm/ADT/STLExtras.h"

using namespace mettle::assembly::ptx;

/// Calls `each` with every table but `names`.
template <typename ModuleType, typename Each>
static void forEachTable(ModuleType &module, Each each) {
  each(module.texts);
  each(module.instructions);
  each(module.operands);
  each(module.mnemonics);
  each(module.modifiers);
  each(module.items);
  each(module.functions);
  each(module.variables);
  each(module.extents);
  each(module.directives);
  each(module.registers);
  each(module.labels);
  each(module.codeTables);
  each(module.prototypes);
  each(module.files);
  each(module.locations);
  each(module.sections);
  each(module.aliases);
}

void Module::clear() {
  text = {};
  version = {};
  target = {};
  addressSize = 32;
  names.clear();
  forEachTable(*this, [](auto &table) { table.clear(); });
}

size_t Module::memory() const {
  size_t bytes = names.memory();
  forEachTable(*this,
               [&](const auto &table) { bytes += table.capacity() * sizeof(*table.data()); });
  return bytes;
}

llvm::StringRef Module::modifierText(Modifier modifier) const {
  if (modifier < Modifier::FirstName)
    return modifierName(modifier);
  return names[uint32_t(modifier) - uint32_t(Modifier::FirstName)];
}

Role Module::role(const Instruction &instruction, unsigned index) const {
  const Operand *first = operands.data() + instruction.firstOperand;
  bool list = instruction.operandCount && first->is(OperandKind::List);
  bool address = instruction.operandCount &&
                 (first->is(OperandKind::Address) || first->is(OperandKind::Bracket));
  return roleOf(instruction.opcode, index, instruction.operandCount, list, address);
}

const Function *Module::functionNamed(llvm::StringRef wanted) const {
  const Function *declaration = nullptr;
  for (const Function &function : functions)
    if (name(function.name) == wanted) {
      if (function.hasBody)
        return &function;
      declaration = &function;
    }
  return declaration;
}

const Function *Module::functionOf(uint32_t instruction) const {
  // Bodies are in text order, so their instruction ranges rise.
  auto after = llvm::upper_bound(functions, instruction, [](uint32_t at, const Function &function) {
    return at < function.instructions.first;
  });
  while (after != functions.begin()) {
    --after;
    if (instruction < after->instructions.last)
      return &*after;
    if (after->hasBody)
      return nullptr;
  }
  return nullptr;
}

const SourceFile *Module::fileNumbered(uint32_t number) const {
  for (const SourceFile &file : files)
    if (file.number == number)
      return &file;
  return nullptr;
}
