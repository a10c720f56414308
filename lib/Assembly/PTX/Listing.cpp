//===- Listing.cpp - What was decoded, for people and tests ---------------===//
//
// A listing of the tables and a count of them. Nothing here is meant to be read back.
//
//===----------------------------------------------------------------------===//

#include "OperandPrinter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mettle::assembly::ptx;

static llvm::StringRef roleName(Role role) {
  static constexpr llvm::StringLiteral names[] = {"write",  "read",  "read-write",
                                                  "update", "place", "code"};
  return names[unsigned(role)];
}

static llvm::StringRef className(RegisterClass cls) {
  static constexpr llvm::StringLiteral names[] = {"pred", "b8", "b16", "b32", "b64", "b128"};
  return names[unsigned(cls)];
}

static void listVariable(llvm::raw_ostream &os, const Module &module, const Variable &variable) {
  os << (variable.name == None ? "_" : module.name(variable.name)) << ": ."
     << spaceName(variable.space) << " ." << typeName(variable.type);
  if (variable.vectorWidth != 1)
    os << " x " << unsigned(variable.vectorWidth);
  os << ", " << variable.size << " bytes, align " << variable.alignment;
  if (variable.isPointer)
    os << ", points to ."
       << (variable.pointee == StateSpace::None ? "generic" : spaceName(variable.pointee))
       << " align " << variable.pointeeAlignment;
  os << '\n';
}

static void listInstruction(llvm::raw_ostream &os, const Module &module, OperandPrinter &printer,
                            uint32_t index) {
  const Instruction &instruction = module.instructions[index];
  const Mnemonic &mnemonic = module.mnemonicOf(instruction);
  os << "  " << index << ": ";
  if (instruction.guarded()) {
    os << (instruction.guardNegated ? "@!" : "@");
    printer.registerNames().print(os, instruction.guardRegister());
    os << ' ';
  }
  const OpcodeInfo &info = opcodeInfo(instruction.opcode);
  os << (instruction.opcode == Opcode::Opaque ? "opaque" : info.name);
  if (mnemonic.space != StateSpace::None)
    os << " space=" << spaceName(mnemonic.space);
  for (unsigned i = 0; i < mnemonic.typeCount; ++i)
    os << (i ? "," : " type=") << typeName(mnemonic.types[i]);
  if (mnemonic.vectorWidth != 1)
    os << " vector=" << unsigned(mnemonic.vectorWidth);
  if (mnemonic.shape.m)
    os << " shape=" << mnemonic.shape.m << 'x' << mnemonic.shape.n << 'x' << mnemonic.shape.k;
  llvm::StringRef before = " modifiers=";
  for (Modifier modifier : module.modifiersOf(mnemonic)) {
    StateSpace space = modifierSpace(modifier);
    if (modifierType(modifier) != Type::None ||
        (space != StateSpace::None && space == mnemonic.space))
      continue;
    os << before << module.modifierText(modifier);
    before = ",";
  }
  for (unsigned i = 0; i < instruction.operandCount; ++i) {
    os << (i ? ", " : " | ") << roleName(module.role(instruction, i)) << ' ';
    printer.print(module.operands[instruction.firstOperand + i]);
  }
  if (const Location &location = module.locations[instruction.location]; instruction.location)
    os << " | " << location.file << ':' << location.line << ':' << location.column;
  os << '\n';
}

void mettle::assembly::ptx::printDecoded(llvm::raw_ostream &os, const Module &module) {
  os << "PTX " << module.version.major << '.' << module.version.minor << ", sm_"
     << module.target.number;
  if (module.target.suffix)
    os << module.target.suffix;
  os << ", " << module.addressSize << "-bit addresses\n";
  for (const SourceFile &file : module.files)
    os << "file " << file.number << ": " << module.slice(file.path) << '\n';
  for (const Variable &variable : module.variables)
    if (variable.function == None && variable.space != StateSpace::Param &&
        variable.space != StateSpace::Reg)
      listVariable(os, module, variable);
  for (const Function &function : module.functions) {
    os << (function.isEntry ? "entry " : "function ") << module.name(function.name)
       << (function.hasBody ? "\n" : ", declared\n");
    for (Range range : {function.returns, function.parameters, function.variables})
      for (uint32_t i = range.first; i < range.last; ++i) {
        os << "  ";
        listVariable(os, module, module.variables[i]);
      }
    for (uint32_t i = function.directives.first; i < function.directives.last; ++i) {
      const FunctionDirective &directive = module.directives[i];
      os << "  ." << module.name(directive.name);
      for (unsigned value = 0; value < directive.valueCount; ++value)
        os << ' ' << directive.values[value];
      os << '\n';
    }
    if (!function.hasBody)
      continue;
    os << "  registers:";
    for (unsigned cls = 0; cls < NumRegisterClasses; ++cls)
      if (function.registerCount[cls])
        os << ' ' << function.registerCount[cls] << ' ' << className(RegisterClass(cls));
    os << '\n';
    OperandPrinter printer(os, module, function);
    uint32_t label = function.labels.first;
    for (uint32_t i = function.instructions.first; i <= function.instructions.last; ++i) {
      for (uint32_t l = label; l < function.labels.last; ++l)
        if (module.labels[l].kind == LabelKind::Code && module.labels[l].target == i) {
          os << ' ' << module.name(module.labels[l].name) << ":\n";
          label = l + 1;
        } else if (module.labels[l].kind == LabelKind::Code) {
          break;
        }
      if (i < function.instructions.last)
        listInstruction(os, module, printer, i);
    }
  }
}

/// How many registers the function's instructions read that none of them writes: undefined values,
/// which compilers hardly ever emit, or a wrong role in Opcodes.def.
static unsigned countUnwritten(const Module &module, const Function &function) {
  enum : uint8_t { IsRead = 1, IsWritten = 2 };
  llvm::DenseMap<uint32_t, uint8_t> seen;
  // The registers of parameters are written by the caller.
  // They are declared first, in the order of the parameters.
  uint32_t next = function.registers.first;
  for (Range range : {function.returns, function.parameters})
    for (uint32_t v = range.first; v < range.last; ++v)
      if (module.variables[v].isRegister) {
        const RegisterDeclaration &declaration = module.registers[next++];
        for (uint32_t c = 0; c < declaration.vectorWidth; ++c)
          seen[RegisterId(declaration.cls, declaration.first + c).raw()] = IsWritten;
      }
  for (const Instruction &instruction : module.instructionsOf(function))
    module.forEachRegister(instruction, [&](RegisterId reg, bool written, bool read) {
      seen[reg.raw()] |= (written ? IsWritten : 0) | (read ? IsRead : 0);
    });
  return unsigned(llvm::count_if(seen, [](const auto &entry) { return entry.second == IsRead; }));
}

void mettle::assembly::ptx::printStatistics(llvm::raw_ostream &os, const Module &module) {
  os << "bytes: " << module.text.size() << '\n';
  os << "decoded bytes: " << module.memory() << '\n';
  os << "functions: " << module.functions.size() << '\n';
  os << "instructions: " << module.instructions.size() << '\n';
  os << "operands: " << module.operands.size() << '\n';
  os << "different mnemonics: " << module.mnemonics.size() << '\n';
  std::array<uint64_t, NumRegisterClasses> registers = {};
  for (const Function &function : module.functions)
    for (unsigned cls = 0; cls < NumRegisterClasses; ++cls)
      registers[cls] += function.registerCount[cls];
  for (unsigned cls = 0; cls < NumRegisterClasses; ++cls)
    if (registers[cls])
      os << "registers " << className(RegisterClass(cls)) << ": " << registers[cls] << '\n';
  unsigned unwritten = 0;
  for (const Function &function : module.functions)
    unwritten += countUnwritten(module, function);
  os << "registers read but never written: " << unwritten << '\n';
  // Ordered by name, so that two runs compare.
  std::map<llvm::StringRef, uint64_t> known, opaque;
  for (const Instruction &instruction : module.instructions)
    if (instruction.opcode == Opcode::Opaque)
      ++opaque[module.mnemonicText(module.mnemonicOf(instruction))];
    else
      ++known[opcodeInfo(instruction.opcode).name];
  for (const auto &[name, count] : known)
    os << "opcode " << name << ": " << count << '\n';
  for (const auto &[name, count] : opaque)
    os << "opaque " << name << ": " << count << '\n';
}
