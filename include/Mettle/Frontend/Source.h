//===- Source.h - a kernel file and positions in it -===//
//
// A position is a byte offset, four bytes wherever it is stored. Only when something is shown does
// it become a line and a column, both counted from 1; a column counts bytes.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_FRONTEND_SOURCE_H
#define METTLE_FRONTEND_SOURCE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mettle::frontend {

/// A byte offset into a Source.
using Offset = uint32_t;

struct LineColumn {
  unsigned line = 1;
  unsigned column = 1;
};

/// The text of one file with the table of its lines. It does not own the text, which the caller
/// keeps alive. Text of 4 GiB or more is refused by Source::fits.
class Source {
public:
  Source(llvm::StringRef name, llvm::StringRef text);

  static bool fits(llvm::StringRef text) { return text.size() < UINT32_MAX; }

  llvm::StringRef name() const { return fileName; }
  llvm::StringRef text() const { return contents; }

  /// Line and column of a position; the position after the last byte is legal.
  LineColumn lineColumn(Offset offset) const;

  /// Text of a line, counted from 1, without its line end.
  llvm::StringRef line(unsigned number) const;

private:
  std::string fileName;
  llvm::StringRef contents;
  std::vector<Offset> lineStarts;
};

} // namespace mettle::frontend

#endif // METTLE_FRONTEND_SOURCE_H
