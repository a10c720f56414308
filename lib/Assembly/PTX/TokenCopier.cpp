//===- TokenCopier.cpp - Copying pieces of text token by token ------------===//
//
// A piece was read without error, so its strings and comments are whole.
//
//===----------------------------------------------------------------------===//

#include "TokenCopier.h"
#include "ConstantExpression.h"
#include "Cursor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle::assembly::ptx;

void mettle::assembly::ptx::copyTokens(llvm::raw_ostream &os, llvm::StringRef piece) {
  Cursor cursor(piece);
  cursor.skip();
  while (cursor.p < piece.end()) {
    const char *start = cursor.p;
    // A piece may end within the text, so the bound is checked, not the zero byte.
    while (cursor.p < piece.end()) {
      if (*cursor.p == '"') {
        if (cursor.string().empty())
          ++cursor.p;
      } else if (isClass(*cursor.p, Space) ||
                 (*cursor.p == '/' && (cursor.p[1] == '/' || cursor.p[1] == '*'))) {
        break;
      } else {
        ++cursor.p;
      }
    }
    os << llvm::StringRef(start, size_t(std::min(cursor.p, piece.end()) - start));
    cursor.skip();
    if (cursor.p < piece.end())
      os << ' ';
  }
}

uint32_t mettle::assembly::ptx::copyExpression(llvm::raw_ostream &os, llvm::StringRef text,
                                               uint32_t offset) {
  Cursor cursor(text);
  cursor.p += offset;
  cursor.skip();
  offset = cursor.offset();
  ConstantExpression expression(cursor);
  Constant constant;
  expression.parse(constant);
  copyTokens(os, text.slice(offset, cursor.offset()));
  return cursor.offset();
}
