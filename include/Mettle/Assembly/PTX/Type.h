//===- Type.h - Types and state spaces of PTX -------------------*- C++ -*-===//
//
// The fundamental types and the state spaces, as enums derived from Types.def and StateSpaces.def.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_TYPE_H
#define METTLE_ASSEMBLY_PTX_TYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mettle::assembly::ptx {

enum class Type : uint8_t {
  None,
#define METTLE_PTX_TYPE(Enumerator, Name, Bits, Kind) Enumerator,
#include "Mettle/Assembly/PTX/Types.def"
};

/// How a type's bits are read.
enum class TypeKind : uint8_t { None, Predicate, Bits, Unsigned, Signed, Float, Opaque };

/// `f32` for Type::F32; empty for Type::None.
llvm::StringRef typeName(Type type);

/// Width in bits, all elements of a packed type together; 0 for Type::None.
unsigned typeBits(Type type);

/// Bytes a variable's element of this type takes in memory.
unsigned typeBytes(Type type);

TypeKind typeKind(Type type);

/// The type spelled `name` (without the dot), or Type::None.
Type typeNamed(llvm::StringRef name);

enum class StateSpace : uint8_t {
  None,
#define METTLE_PTX_SPACE(Enumerator, Name) Enumerator,
#include "Mettle/Assembly/PTX/StateSpaces.def"
};

/// `shared::cta` for StateSpace::SharedCTA; empty for StateSpace::None.
llvm::StringRef spaceName(StateSpace space);

/// The space spelled `name` (without the dot), or StateSpace::None.
StateSpace spaceNamed(llvm::StringRef name);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_TYPE_H
