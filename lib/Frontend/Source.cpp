//===- Source.cpp - a kernel file and positions in it -===//
//
// The line table: one pass over the text, then a binary search for each position shown.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Source.h"

#include <algorithm>
#include <cstring>

using namespace mettle::frontend;

Source::Source(llvm::StringRef name, llvm::StringRef text) : fileName(name), contents(text) {
  lineStarts.push_back(0);
  const char *begin = text.begin(), *at = begin;
  while (at != text.end()) {
    auto *end = static_cast<const char *>(std::memchr(at, '\n', text.end() - at));
    if (!end)
      break;
    at = end + 1;
    lineStarts.push_back(static_cast<Offset>(at - begin));
  }
}

LineColumn Source::lineColumn(Offset offset) const {
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  auto line = static_cast<unsigned>(next - lineStarts.begin());
  return {line, offset - lineStarts[line - 1] + 1};
}

llvm::StringRef Source::line(unsigned number) const {
  return contents.drop_front(lineStarts[number - 1])
      .take_until([](char c) { return c == '\n'; })
      .rtrim('\r');
}
