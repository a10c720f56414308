//===- Printer.cpp - A module as PTX --------------------------------------===//
//
// Walks items and instructions in text order. Instructions, declarations and headers are printed
// from the tables, which is what shows that the tables have all of them.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Printer.h"
#include "OperandPrinter.h"
#include "TokenCopier.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::assembly::ptx;

namespace mettle::assembly::ptx {

class ModulePrinter {
public:
  ModulePrinter(llvm::raw_ostream &os, const Module &module) : os(os), module(module) {}

  void print() {
    size_t next = 0;
    auto count = uint32_t(module.instructions.size());
    for (uint32_t at = 0; at <= count; ++at) {
      while (next < module.items.size() && module.items[next].position == at)
        printItem(module.items[next++]);
      if (at < count) {
        indent();
        operands->print(module.instructions[at]);
        os << ";\n";
      }
    }
  }

private:
  void indent() {
    for (unsigned i = 0; i < depth; ++i)
      os << '\t';
  }
  void copy(Slice piece) { copyTokens(os, module.text, piece); }
  void printAlignment(Slice text) {
    if (text.empty())
      return;
    os << " .align ";
    copy(text);
  }
  llvm::StringRef nameOr(NameId name) { return name == None ? "_" : module.name(name); }

  void printItem(const Item &item);
  void printLinkage(Linkage linkage);
  void printVariables(uint32_t index);
  void printDeclarator(const Variable &variable);
  void printParameters(Range range);
  void printFunction(const Function &function);
  void printSignature(const Function &function);
  void printRegisters(uint32_t index);
  void printTable(llvm::StringRef directive, const CodeTable &table);

  llvm::raw_ostream &os;
  const Module &module;
  std::optional<OperandPrinter> operands;
  unsigned depth = 0;
};

} // namespace mettle::assembly::ptx

void ModulePrinter::printLinkage(Linkage linkage) {
  static constexpr llvm::StringLiteral texts[] = {"", ".visible ", ".extern ", ".weak ",
                                                  ".common "};
  os << texts[unsigned(linkage)];
}

void ModulePrinter::printDeclarator(const Variable &variable) {
  os << ' ' << nameOr(variable.name);
  copy(variable.extentText);
}

static void printType(llvm::raw_ostream &os, Type type, unsigned vectorWidth) {
  if (vectorWidth != 1)
    os << " .v" << vectorWidth;
  os << " ." << typeName(type);
}

/// Prints a declaration and those that continue it after a comma.
void ModulePrinter::printVariables(uint32_t index) {
  const Variable &first = module.variables[index];
  printLinkage(first.linkage);
  os << '.' << spaceName(first.space);
  if (!first.attributes.empty()) {
    os << " .attribute(";
    copy(first.attributes);
    os << ')';
  }
  printAlignment(first.alignmentText);
  printType(os, first.type, first.vectorWidth);
  for (uint32_t i = index;
       i == index || (i < module.variables.size() && module.variables[i].continues); ++i) {
    if (i != index)
      os << ',';
    printDeclarator(module.variables[i]);
    if (!module.variables[i].initializer.empty()) {
      os << " = ";
      copy(module.variables[i].initializer);
    }
  }
  os << ";\n";
}

void ModulePrinter::printParameters(Range range) {
  os << '(';
  for (uint32_t i = range.first; i < range.last; ++i) {
    const Variable &parameter = module.variables[i];
    os << (i == range.first ? "" : ", ") << '.' << spaceName(parameter.space);
    printAlignment(parameter.alignmentText);
    printType(os, parameter.type, parameter.vectorWidth);
    if (parameter.isPointer) {
      os << " .ptr";
      if (parameter.pointee != StateSpace::None)
        os << " ." << spaceName(parameter.pointee);
      printAlignment(parameter.pointeeAlignmentText);
    }
    printDeclarator(parameter);
  }
  os << ')';
}

/// Return values, name, parameters and directives.
void ModulePrinter::printSignature(const Function &function) {
  if (function.hasReturnList) {
    os << ' ';
    printParameters(function.returns);
  }
  os << ' ' << nameOr(function.name);
  if (function.hasParameterList)
    printParameters(function.parameters);
  for (uint32_t i = function.directives.first; i < function.directives.last; ++i) {
    const FunctionDirective &directive = module.directives[i];
    os << " ." << module.name(directive.name);
    if (!directive.text.empty()) {
      os << ' ';
      copy(directive.text);
    }
  }
}

void ModulePrinter::printFunction(const Function &function) {
  printLinkage(function.linkage);
  os << (function.isEntry ? ".entry" : ".func");
  if (!function.attributes.empty()) {
    os << " .attribute(";
    copy(function.attributes);
    os << ')';
  }
  printSignature(function);
  if (!function.hasBody) {
    os << ";\n";
    return;
  }
  os << "\n{\n";
  depth = 1;
  operands.emplace(os, module, function);
}

void ModulePrinter::printRegisters(uint32_t index) {
  const RegisterDeclaration &first = module.registers[index];
  os << ".reg";
  printType(os, first.type, first.vectorWidth);
  for (uint32_t i = index;
       i == index || (i < module.registers.size() && module.registers[i].continues); ++i) {
    const RegisterDeclaration &declaration = module.registers[i];
    os << (i == index ? " " : ", ") << module.name(declaration.name);
    if (declaration.isRange)
      os << '<' << module.slice(declaration.countText) << '>';
  }
  os << ";\n";
}

void ModulePrinter::printTable(llvm::StringRef directive, const CodeTable &table) {
  os << directive;
  for (uint32_t i = 0; i < table.count; ++i) {
    const Operand &target = module.operands[table.firstOperand + i];
    os << (i ? ", " : " ");
    if (target.is(OperandKind::Label))
      os << module.name(module.labels[target.index].name);
    else if (target.is(OperandKind::Function))
      os << module.name(module.functions[target.index].name);
    else
      os << module.name(target.index);
  }
  os << ";\n";
}

void ModulePrinter::printItem(const Item &item) {
  if (item.kind == ItemKind::BlockClose || item.kind == ItemKind::FunctionEnd)
    --depth;
  if (item.kind == ItemKind::LineMarker || item.kind == ItemKind::Dwarf) {
    os << module.slice(module.texts[item.index]) << '\n';
    return;
  }
  if (item.kind != ItemKind::Label)
    indent();
  switch (item.kind) {
  case ItemKind::Version:
    os << ".version " << module.slice(module.texts[item.index]) << '\n';
    break;
  case ItemKind::Target:
    os << ".target ";
    copy(module.texts[item.index]);
    os << '\n';
    break;
  case ItemKind::AddressSize:
    os << ".address_size " << module.slice(module.texts[item.index]) << '\n';
    break;
  case ItemKind::Pragma:
    os << ".pragma ";
    copy(module.texts[item.index]);
    os << ";\n";
    break;
  case ItemKind::File:
    os << ".file ";
    copy(module.files[item.index].text);
    os << '\n';
    break;
  case ItemKind::Section:
    os << ".section " << module.slice(module.sections[item.index].name) << " {\n";
    copy(module.sections[item.index].body);
    os << "\n}\n";
    break;
  case ItemKind::Alias:
    os << ".alias " << module.name(module.aliases[item.index].alias) << ", "
       << module.name(module.aliases[item.index].aliasee) << ";\n";
    break;
  case ItemKind::Variable:
    printVariables(item.index);
    break;
  case ItemKind::Function:
    printFunction(module.functions[item.index]);
    break;
  case ItemKind::FunctionEnd:
  case ItemKind::BlockClose:
    os << "}\n";
    break;
  case ItemKind::BlockOpen:
    os << "{\n";
    ++depth;
    break;
  case ItemKind::Registers:
    printRegisters(item.index);
    break;
  case ItemKind::Label:
    os << module.name(module.labels[item.index].name) << ":\n";
    break;
  case ItemKind::BranchTargets:
    printTable(".branchtargets", module.codeTables[item.index]);
    break;
  case ItemKind::CallTargets:
    printTable(".calltargets", module.codeTables[item.index]);
    break;
  case ItemKind::Prototype:
    os << ".callprototype";
    printSignature(module.prototypes[item.index]);
    os << ";\n";
    break;
  case ItemKind::Location:
    os << ".loc ";
    copy(module.locations[item.index].text);
    os << '\n';
    break;
  case ItemKind::LineMarker:
  case ItemKind::Dwarf:
    break;
  }
}

void mettle::assembly::ptx::printModule(llvm::raw_ostream &os, const Module &module) {
  ModulePrinter(os, module).print();
}
