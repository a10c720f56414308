//===- Program.cpp - PTX made ready to run --------------------------------===//
//
// From a text to kernels: the reader's module, and the decoder for each entry.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Emulator/Program.h"
#include "Decoder.h"

using namespace mettle::emulator;
using namespace mettle::assembly;

std::unique_ptr<Program> Program::read(llvm::StringRef text, std::vector<ptx::Diagnostic> &errors) {
  auto program = std::make_unique<Program>();
  if (!ptx::parse(text, program->ptx, errors))
    return nullptr;
  return program;
}

std::vector<llvm::StringRef> Program::entries() const {
  std::vector<llvm::StringRef> names;
  for (const ptx::Function &function : ptx.functions)
    if (function.isEntry && function.hasBody)
      names.push_back(ptx.name(function.name));
  return names;
}

std::unique_ptr<Kernel> Program::kernel(llvm::StringRef name,
                                        std::vector<ptx::Diagnostic> &errors) const {
  const ptx::Function *entry = nullptr;
  for (const ptx::Function &function : ptx.functions)
    if (function.isEntry && function.hasBody && ptx.name(function.name) == name)
      entry = &function;
  if (!entry) {
    std::string known;
    for (llvm::StringRef one : entries())
      known += (known.empty() ? "" : ", ") + one.str();
    errors.push_back(
        {0, "expected an entry of this module (" + known + "), found '" + name.str() + "'", {}});
    return nullptr;
  }
  if (ptx.addressSize != 64) {
    errors.push_back({0, "expected 64-bit addresses, found a module with 32-bit ones", {}});
    return nullptr;
  }
  auto code = std::make_unique<Code>();
  if (!Decoder(ptx, *code, errors).decode(*entry))
    return nullptr;
  return std::make_unique<Kernel>(std::move(code));
}

Kernel::Kernel(std::unique_ptr<const Code> code) : decoded(std::move(code)) {
  const ptx::Module &module = *decoded->module;
  entryName = module.name(decoded->entry->name).str();
  for (uint32_t i = decoded->entry->parameters.first; i != decoded->entry->parameters.last; ++i) {
    const ptx::Variable &variable = module.variables[i];
    parameterList.push_back({module.name(variable.name).str(), variable.type,
                             uint32_t(decoded->variableOffset[i]), uint32_t(variable.size),
                             variable.isArray});
  }
}

Kernel::~Kernel() = default;
uint32_t Kernel::parameterBytes() const { return decoded->paramBytes; }
uint32_t Kernel::staticShared() const { return decoded->staticShared; }
std::array<uint32_t, 3> Kernel::requiredThreads() const { return decoded->requiredThreads; }
bool Kernel::isOrderSensitive() const { return decoded->isOrderSensitive; }
llvm::ArrayRef<std::pair<uint32_t, std::string>> Kernel::notes() const { return decoded->notes; }
