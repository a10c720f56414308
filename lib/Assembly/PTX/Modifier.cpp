//===- Modifier.cpp - The dotted suffixes of an opcode --------------------===//
//
// Spelling to number and back, over the three files that name modifiers.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Modifier.h"
#include "llvm/ADT/StringMap.h"

using namespace mettle::assembly::ptx;

static constexpr llvm::StringLiteral modifierRows[] = {
#define METTLE_PTX_MODIFIER(Enumerator, Group, Name) Name,
#include "Mettle/Assembly/PTX/Modifiers.def"
};

llvm::StringRef mettle::assembly::ptx::modifierName(Modifier modifier) {
  if (modifier < Modifier::FirstType)
    return modifierRows[size_t(modifier)];
  if (modifier < Modifier::FirstSpace)
    return typeName(modifierType(modifier));
  return spaceName(modifierSpace(modifier));
}

std::optional<Modifier> mettle::assembly::ptx::modifierNamed(llvm::StringRef name) {
  static const llvm::StringMap<Modifier> map = [] {
    llvm::StringMap<Modifier> rows;
    for (uint32_t i = 0; i < uint32_t(Modifier::FirstName); ++i)
      if (Modifier(i) != Modifier::FirstType && Modifier(i) != Modifier::FirstSpace)
        rows.try_emplace(modifierName(Modifier(i)), Modifier(i));
    return rows;
  }();
  auto found = map.find(name);
  if (found == map.end())
    return std::nullopt;
  return found->second;
}
