//===- Types.cpp - types of the kernel language -===//
//
// Interning, layout in memory (C's rules: natural alignment, fields in order of declaration) and
// spelling of types.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Types.h"

#include "Mettle/Frontend/AST.h"
#include "llvm/Support/MathExtras.h"

using namespace mettle::frontend;

uint64_t Type::size() const {
  switch (typeKind) {
  case TypeKind::Pointer:
    return 8;
  case TypeKind::Array:
    return count * elementType->size();
  case TypeKind::Record:
    return recordDecl->size;
  default:
    return llvm::divideCeil(width, 8);
  }
}

uint64_t Type::alignment() const {
  switch (typeKind) {
  case TypeKind::Array:
    return elementType->alignment();
  case TypeKind::Record:
    return recordDecl->alignment;
  default:
    return size();
  }
}

std::string Type::spelling() const {
  switch (typeKind) {
#define METTLE_SCALAR(kind, spelling, bits, numberClass)                                           \
  case TypeKind::kind:                                                                             \
    return #spelling;
#include "Mettle/Frontend/Scalars.def"
  case TypeKind::Error:
    return "an unknown type";
  case TypeKind::Void:
    return "void";
  case TypeKind::Function:
    return "fn";
  case TypeKind::Pointer:
    return elementType->spelling() + "*";
  case TypeKind::Array:
    return elementType->spelling() + "[" + std::to_string(count) + "]";
  case TypeKind::Record:
    return recordDecl->name->getKey().str();
  }
  llvm_unreachable("every kind of type is spelled");
}

TypeTable::TypeTable() {
#define METTLE_SCALAR(kind, spelling, bits, numberClass)                                           \
  simple[static_cast<unsigned>(TypeKind::kind)] =                                                  \
      make(TypeKind::kind, NumberClass::numberClass, bits);
#include "Mettle/Frontend/Scalars.def"
  for (TypeKind kind : {TypeKind::Error, TypeKind::Void, TypeKind::Function})
    simple[static_cast<unsigned>(kind)] = make(kind);
}

Type *TypeTable::make(TypeKind kind, NumberClass numberClass, unsigned bits) {
  return new (arena.Allocate<Type>()) Type(kind, numberClass, bits);
}

const Type *TypeTable::pointerTo(const Type *element) {
  if (!element->pointerToThis) {
    Type *made = make(TypeKind::Pointer);
    made->elementType = element;
    element->pointerToThis = made;
  }
  return element->pointerToThis;
}

const Type *TypeTable::arrayOf(const Type *element, uint64_t extent) {
  const Type *&slot = arrays[{element, extent}];
  if (!slot) {
    Type *made = make(TypeKind::Array);
    made->elementType = element;
    made->count = extent;
    slot = made;
  }
  return slot;
}

const Type *TypeTable::recordOf(const RecordDecl *record) {
  const Type *&slot = records[record];
  if (!slot) {
    Type *made = make(TypeKind::Record);
    made->recordDecl = record;
    slot = made;
  }
  return slot;
}
