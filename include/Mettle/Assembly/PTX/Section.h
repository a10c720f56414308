//===- Section.h - The data of a .section -----------------------*- C++ -*-===//
//
// DWARF data is a fifth of what compilers write and few readers want it, so a module keeps each
// section as a piece of text, checked but not stored. This walks it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_SECTION_H
#define METTLE_ASSEMBLY_PTX_SECTION_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mettle::assembly::ptx {

/// One datum of a section, or a label in it.
struct SectionDatum {
  enum class Kind : uint8_t {
    Label,      ///< symbol
    Value,      ///< value
    Address,    ///< symbol + value
    Difference, ///< symbol - other
  };
  Kind kind = Kind::Value;
  uint8_t bytes = 0; ///< 1, 2, 4 or 8; 0 for a label
  uint64_t value = 0;
  llvm::StringRef symbol, other;
};

/// Walks a section's body: `while (reader.next()) use(reader.datum());`.
class SectionReader {
public:
  /// Starts at byte `offset` of a module's text, just after the opening brace (Section::body).
  /// The text is followed by a zero byte.
  SectionReader(llvm::StringRef text, uint32_t offset) : text(text), p(text.data() + offset) {}

  /// Reads the next datum; false at the closing brace, or at a fault.
  bool next();
  const SectionDatum &datum() const { return current; }

  /// What should have stood at `offset()`; empty when the section ended as it should.
  llvm::StringRef fault() const { return message; }
  uint32_t offset() const { return uint32_t(p - text.data()); }

private:
  bool fail(const char *at, llvm::StringRef what) {
    p = at;
    message = what;
    return false;
  }

  llvm::StringRef text;
  const char *p;
  SectionDatum current;
  llvm::StringRef message;
  bool listContinues = false;
};

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_SECTION_H
