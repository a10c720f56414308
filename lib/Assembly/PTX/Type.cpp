//===- Type.cpp - Types and state spaces of PTX ---------------------------===//
//
// Name and number of the rows of Types.def and StateSpaces.def.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Assembly/PTX/Type.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mettle::assembly::ptx;

namespace {
struct TypeRow {
  llvm::StringLiteral name;
  uint16_t bits;
  TypeKind kind;
};
} // namespace

static constexpr TypeRow typeRows[] = {
    {"", 0, TypeKind::None},
#define METTLE_PTX_TYPE(Enumerator, Name, Bits, Kind) {Name, Bits, TypeKind::Kind},
#include "Mettle/Assembly/PTX/Types.def"
};

static constexpr llvm::StringLiteral spaceRows[] = {
    "",
#define METTLE_PTX_SPACE(Enumerator, Name) Name,
#include "Mettle/Assembly/PTX/StateSpaces.def"
};

llvm::StringRef mettle::assembly::ptx::typeName(Type type) { return typeRows[size_t(type)].name; }
unsigned mettle::assembly::ptx::typeBits(Type type) { return typeRows[size_t(type)].bits; }
unsigned mettle::assembly::ptx::typeBytes(Type type) { return (typeBits(type) + 7) / 8; }
TypeKind mettle::assembly::ptx::typeKind(Type type) { return typeRows[size_t(type)].kind; }

Type mettle::assembly::ptx::typeNamed(llvm::StringRef name) {
  return llvm::StringSwitch<Type>(name)
#define METTLE_PTX_TYPE(Enumerator, Name, Bits, Kind) .Case(Name, Type::Enumerator)
#include "Mettle/Assembly/PTX/Types.def"
      .Default(Type::None);
}

llvm::StringRef mettle::assembly::ptx::spaceName(StateSpace space) {
  return spaceRows[size_t(space)];
}

StateSpace mettle::assembly::ptx::spaceNamed(llvm::StringRef name) {
  return llvm::StringSwitch<StateSpace>(name)
#define METTLE_PTX_SPACE(Enumerator, Name) .Case(Name, StateSpace::Enumerator)
#include "Mettle/Assembly/PTX/StateSpaces.def"
      .Default(StateSpace::None);
}
