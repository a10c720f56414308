//===- Element.h - Element types of launch values ---------------*- C++ -*-===//
//
// The types that a kernel argument can have on the command line, in a .npy file
// and in a report: one table of records, from which names, sizes, parsing and
// printing derive.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_ELEMENT_H
#define METTLE_RUNTIME_ELEMENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace llvm {
struct fltSemantics;
} // namespace llvm

namespace mettle::runtime {

enum class ElementType : uint8_t {
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  F32,
  F64,
  Bool,
};

enum class ElementKind : uint8_t { Signed, Unsigned, Float, Bool };

/// What is known of one element type.
struct ElementRecord {
  ElementType type;
  ElementKind kind;
  /// Spelling in `--arg` and in reports.
  llvm::StringLiteral name;
  /// The `descr` of a .npy header, little endian.
  llvm::StringLiteral npyDescription;
  unsigned bytes;
  /// Stored fraction bits of a float, else 0.
  unsigned fractionBits;

  unsigned bits() const { return bytes * 8; }
  /// Bits of a float's exponent field.
  unsigned exponentBits() const { return bits() - 1 - fractionBits; }
  /// The float's format; only for ElementKind::Float.
  const llvm::fltSemantics &semantics() const;
};

/// All element types, in the order of the enumeration.
llvm::ArrayRef<ElementRecord> elementRecords();

const ElementRecord &recordOf(ElementType type);

/// The type named `name` ("f32"), or nothing.
std::optional<ElementType> elementNamed(llvm::StringRef name);

/// Reads one value: decimal or 0x/0b integers; decimal or hexadecimal floats,
/// rounded once to nearest even, `inf`, `nan`; `true` and `false`; and for every
/// type `bits:0x…`, the word itself. Returns the value's bits, zero-extended. A
/// value out of range is an error, not wrapped; `signless` lets a signed type
/// also take the unsigned range of its width, for types of IR, which state no
/// sign.
llvm::Expected<uint64_t> parseElement(ElementType type, llvm::StringRef text,
                                      bool signless = false);

/// The shortest text that `parseElement` reads back to `bits`. NaNs other than
/// the default one print as `bits:0x…`.
std::string printElement(ElementType type, uint64_t bits);

/// The value as a double, for comparing and for classifying: exact except for
/// 64-bit integers beyond 2^53.
double elementAsDouble(ElementType type, uint64_t bits);

} // namespace mettle::runtime

#endif // METTLE_RUNTIME_ELEMENT_H
