//===- Modifier.h - The dotted suffixes of an opcode ------------*- C++ -*-===//
//
// A modifier is a small number: the types and state spaces, the rows of Modifiers.def, and beyond
// those the names a module brings along (matrix shapes and whatever this reader does not know).
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_MODIFIER_H
#define METTLE_ASSEMBLY_PTX_MODIFIER_H

#include "Mettle/Assembly/PTX/Type.h"
#include <optional>

namespace mettle::assembly::ptx {

enum class Modifier : uint32_t {
#define METTLE_PTX_MODIFIER(Enumerator, Group, Name) Enumerator,
#include "Mettle/Assembly/PTX/Modifiers.def"
  FirstType,
#define METTLE_PTX_TYPE(Enumerator, Name, Bits, Kind) Type##Enumerator,
#include "Mettle/Assembly/PTX/Types.def"
  FirstSpace,
#define METTLE_PTX_SPACE(Enumerator, Name) Space##Enumerator,
#include "Mettle/Assembly/PTX/StateSpaces.def"
  /// Numbers from here on are FirstName + a NameId of the module.
  FirstName,
};

/// The modifier spelled `name` (without the dot), if it needs no module to be told.
std::optional<Modifier> modifierNamed(llvm::StringRef name);

/// The spelling of a modifier below FirstName.
llvm::StringRef modifierName(Modifier modifier);

/// The type a type modifier stands for, else Type::None.
inline Type modifierType(Modifier modifier) {
  return modifier > Modifier::FirstType && modifier < Modifier::FirstSpace
             ? Type(uint32_t(modifier) - uint32_t(Modifier::FirstType))
             : Type::None;
}

/// The space a space modifier stands for, else StateSpace::None.
inline StateSpace modifierSpace(Modifier modifier) {
  return modifier > Modifier::FirstSpace && modifier < Modifier::FirstName
             ? StateSpace(uint32_t(modifier) - uint32_t(Modifier::FirstSpace))
             : StateSpace::None;
}

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_MODIFIER_H
