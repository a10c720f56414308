//===- Positions.cpp - byte offsets and the protocol's positions ----------===//
//
// Counts the code units of one line. A byte that is no UTF-8 counts as one unit, as the replacement
// character does that editors show for it.
//
//===----------------------------------------------------------------------===//

#include "Positions.h"

#include <algorithm>

using namespace mettle;
using namespace mettle::lsp;

/// Bytes of the character that starts a text, and the units it takes.
static std::pair<size_t, int> character(llvm::StringRef text) {
  auto lead = uint8_t(text.front());
  size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length > text.size())
    return {1, 1};
  for (size_t i = 1; i < length; ++i)
    if ((uint8_t(text[i]) & 0xC0) != 0x80)
      return {1, 1};
  return {length, length == 4 ? 2 : 1};
}

llvm::lsp::Position lsp::positionOf(const frontend::Source &source, frontend::Offset offset) {
  frontend::LineColumn place = source.lineColumn(offset);
  llvm::StringRef before = source.line(place.line).take_front(place.column - 1);
  int units = 0;
  while (!before.empty()) {
    auto [length, width] = character(before);
    before = before.drop_front(length);
    units += width;
  }
  return {int(place.line) - 1, units};
}

llvm::lsp::Range lsp::rangeOf(const frontend::Source &source, frontend::Offset begin,
                              frontend::Offset end) {
  return {positionOf(source, begin), positionOf(source, std::max(begin, end))};
}

frontend::Offset lsp::offsetOf(const frontend::Source &source,
                               const llvm::lsp::Position &position) {
  frontend::LineColumn last = source.lineColumn(frontend::Offset(source.text().size()));
  if (position.line < 0 || unsigned(position.line) >= last.line)
    return frontend::Offset(position.line < 0 ? 0 : source.text().size());
  llvm::StringRef line = source.line(unsigned(position.line) + 1), rest = line;
  for (int units = 0; units < position.character && !rest.empty();) {
    auto [length, width] = character(rest);
    rest = rest.drop_front(length);
    units += width;
  }
  return frontend::Offset(rest.begin() - source.text().begin());
}
