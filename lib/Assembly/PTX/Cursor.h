//===- Cursor.h - A place in PTX text ---------------------------*- C++ -*-===//
//
// Scanning of PTX's lexical elements. The text ends with a zero byte, so no scan needs a bound:
// every loop stops at a byte outside its class, and zero is in none.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_ASSEMBLY_PTX_CURSOR_H
#define METTLE_LIB_ASSEMBLY_PTX_CURSOR_H

#include "CharacterClass.h"
#include "llvm/ADT/StringRef.h"
#include <cstring>

namespace mettle::assembly::ptx {

class Cursor {
public:
  explicit Cursor(llvm::StringRef text) : begin(text.begin()), end(text.end()), p(text.begin()) {}

  const char *begin, *end, *p;

  bool atEnd() const { return p >= end; }
  uint32_t offset() const { return uint32_t(p - begin); }
  llvm::StringRef since(const char *start) const { return {start, size_t(p - start)}; }

  /// Passes spaces and comments.
  void skip() {
    for (;;) {
      while (isClass(*p, Space))
        ++p;
      if (*p != '/' || !skipComment())
        return;
    }
  }

  /// Passes `c` and what space and comments follow it, if it stands here.
  bool take(char c) {
    if (*p != c)
      return false;
    ++p;
    skip();
    return true;
  }

  /// Whether the text goes on with `word`, whatever follows.
  bool at(llvm::StringLiteral word) const { return strncmp(p, word.data(), word.size()) == 0; }

  /// The identifier here; empty if there is none.
  llvm::StringRef name() {
    const char *start = p;
    if (isClass(*p, NameStart)) {
      ++p;
      while (isClass(*p, NameBody))
        ++p;
    }
    return since(start);
  }

  /// The directive or modifier here without its dot, `::` parts included; empty if there is none.
  llvm::StringRef dotted() {
    if (*p != '.' || !isClass(p[1], Suffix))
      return {};
    const char *start = ++p;
    suffix();
    return since(start);
  }

  /// Passes the rest of a modifier: `::` belongs to it, a single colon does not.
  void suffix() {
    for (;;) {
      while (isClass(*p, Suffix))
        ++p;
      if (*p != ':' || p[1] != ':' || !isClass(p[2], Suffix))
        return;
      p += 2;
    }
  }

  /// The string literal here with its quotes, without escapes undone; empty if there is none or
  /// it does not end on its line.
  llvm::StringRef string();

  /// Whether an unfinished comment was passed; it reaches to the end of the text.
  bool openComment() const { return unfinished; }

private:
  /// Passes the comment here; false if the slash opens none.
  bool skipComment();

  bool unfinished = false;
};

} // namespace mettle::assembly::ptx

#endif // METTLE_LIB_ASSEMBLY_PTX_CURSOR_H
