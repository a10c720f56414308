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

void mettle::assembly::ptx::copyTokens(llvm::raw_ostream &os, llvm::StringRef text, Slice piece) {
  // The cursor's end is that of the text, so that it may look past the piece; the loops stop there.
  Cursor cursor(text);
  cursor.p += piece.offset;
  const char *stop = cursor.p + piece.length;
  cursor.skip();
  while (cursor.p < stop) {
    const char *start = cursor.p;
    while (cursor.p < stop && !isClass(*cursor.p, Space) &&
           !(*cursor.p == '/' && (cursor.p[1] == '/' || cursor.p[1] == '*')))
      if (cursor.string().empty())
        ++cursor.p;
    os << cursor.since(start);
    cursor.skip();
    if (cursor.p < stop)
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
  copyTokens(os, text, {offset, cursor.offset() - offset});
  return cursor.offset();
}
