//===- Cursor.cpp - Comments and strings ----------------------------------===//
//
// The lexical elements whose length is not bounded by a class of bytes.
//
//===----------------------------------------------------------------------===//

#include "Cursor.h"
#include <cstring>

using namespace mettle::assembly::ptx;

bool Cursor::skipComment() {
  if (p[1] == '/') {
    const void *newline = memchr(p, '\n', size_t(end - p));
    p = newline ? static_cast<const char *>(newline) : end;
    return true;
  }
  if (p[1] != '*')
    return false;
  size_t close = llvm::StringRef(p + 2, size_t(end - p - 2)).find("*/");
  unfinished = close == llvm::StringRef::npos;
  p = unfinished ? end : p + close + 4;
  return true;
}

llvm::StringRef Cursor::string() {
  if (*p != '"')
    return {};
  const char *start = p;
  for (const char *q = p + 1; q < end && *q != '\n'; ++q) {
    if (*q == '"') {
      p = q + 1;
      return since(start);
    }
    if (*q == '\\' && q + 1 < end)
      ++q;
  }
  return {};
}
