//===- Diagnostic.h - Located errors ----------------------------*- C++ -*-===//
//
// What a reader has to say about a text: a place, a line of text, a caret under it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_DIAGNOSTIC_H
#define METTLE_ASSEMBLY_PTX_DIAGNOSTIC_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::assembly::ptx {

/// A place in a text, both numbers from 1; columns count bytes.
struct Position {
  unsigned line, column;
};

Position positionOf(llvm::StringRef text, size_t offset);

/// One error. The message says what was expected and what stood there, in lower case and without
/// a full stop; a note points at the other place, if another place is involved.
struct Diagnostic {
  uint64_t offset;
  std::string message;
  std::string note;
  uint64_t noteOffset = 0;
};

/// Writes `file:line:column: error: message`, the line of text and a caret, then the note alike.
/// Bytes that a terminal would not show are written as `\x7f`; a long line is cut around the caret.
void printDiagnostic(llvm::raw_ostream &os, llvm::StringRef file, llvm::StringRef text,
                     const Diagnostic &diagnostic);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_DIAGNOSTIC_H
