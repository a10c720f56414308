//===- SourceFiles.cpp - source files that lines refer to -===//
//
// PTX strings have no escapes: a quote or control character in a file name becomes an underscore.
//
//===----------------------------------------------------------------------===//

#include "SourceFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mettle::ptx;

SourceFiles::Position SourceFiles::find(Location loc) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  auto [entry, isNew] = numbers.try_emplace(place.getFilename(), numbers.size() + 1);
  return {entry->second, place.getLine(), place.getColumn()};
}

void SourceFiles::emit(llvm::raw_ostream &os) const {
  for (const auto &[name, number] : numbers) {
    os << ".file " << number << " \"";
    for (char c : name.getValue())
      os << (c == '"' || !llvm::isPrint(c) ? '_' : c);
    os << "\"\n";
  }
}
