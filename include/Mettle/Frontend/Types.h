//===- Types.h - types of the kernel language -===//
//
// Types are interned: equal types are the same object. A pointer type names its element only; the
// space it points into is inferred for each instance of a function and lives in AddressSpaces.h.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_TYPES_H
#define METTLE_FRONTEND_TYPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <string>

namespace mettle::frontend {

struct RecordDecl;

enum class TypeKind : uint8_t {
#define METTLE_SCALAR(kind, spelling, bits, numberClass) kind,
#include "Mettle/Frontend/Scalars.def"
  /// What a faulty expression has; it never causes a second message.
  Error,
  Void,
  Function,
  Pointer,
  Array,
  Record,
};

enum class NumberClass : uint8_t { None, Bool, Signed, Unsigned, Float };

class Type {
public:
  TypeKind kind() const { return typeKind; }
  bool is(TypeKind other) const { return typeKind == other; }

  NumberClass numberClass() const { return scalarClass; }
  /// Width of a number: 1 for bool.
  unsigned bits() const { return width; }

  bool isScalar() const { return scalarClass != NumberClass::None; }
  bool isFloat() const { return scalarClass == NumberClass::Float; }
  bool isBool() const { return scalarClass == NumberClass::Bool; }
  bool isUnsigned() const { return scalarClass == NumberClass::Unsigned || isBool(); }
  /// The integer types and bool, which counts as 0 or 1.
  bool isIntegral() const { return isScalar() && !isFloat(); }
  bool isPointer() const { return typeKind == TypeKind::Pointer; }
  bool isArray() const { return typeKind == TypeKind::Array; }
  bool isRecord() const { return typeKind == TypeKind::Record; }
  bool isError() const { return typeKind == TypeKind::Error; }

  /// Of a pointer or an array.
  const Type *element() const { return elementType; }
  /// Of an array: number of elements.
  uint64_t extent() const { return count; }
  /// Of a record.
  const RecordDecl *record() const { return recordDecl; }

  /// Size in memory in bytes; a pointer takes 8. Only of types with a size.
  uint64_t size() const;
  uint64_t alignment() const;

  /// As written in source.
  std::string spelling() const;

private:
  friend class TypeTable;
  Type(TypeKind kind, NumberClass numberClass, unsigned bits)
      : typeKind(kind), scalarClass(numberClass), width(static_cast<uint8_t>(bits)) {}

  TypeKind typeKind;
  NumberClass scalarClass = NumberClass::None;
  uint8_t width = 0;
  uint64_t count = 0;
  const Type *elementType = nullptr;
  const RecordDecl *recordDecl = nullptr;
  mutable const Type *pointerToThis = nullptr;
};

/// Owns and interns types.
class TypeTable {
public:
  TypeTable();

  /// A scalar, Error, Void or Function type.
  const Type *get(TypeKind kind) const { return simple[static_cast<unsigned>(kind)]; }
  const Type *pointerTo(const Type *element);
  const Type *arrayOf(const Type *element, uint64_t extent);
  const Type *recordOf(const RecordDecl *record);

private:
  Type *make(TypeKind kind, NumberClass numberClass = NumberClass::None, unsigned bits = 0);

  llvm::BumpPtrAllocator arena;
  const Type *simple[static_cast<unsigned>(TypeKind::Pointer)];
  llvm::DenseMap<std::pair<const Type *, uint64_t>, const Type *> arrays;
  llvm::DenseMap<const RecordDecl *, const Type *> records;
};

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_TYPES_H
