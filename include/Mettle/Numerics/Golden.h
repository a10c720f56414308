//===- Golden.h - Words that hardware returned ------------------*- C++ -*-===//
//
// Reads a folder of recorded dot products (index.jsonl and one .bin file an instruction) and
// compares every record with the matrix model. The format is described in docs/numerics.md.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_GOLDEN_H
#define METTLE_NUMERICS_GOLDEN_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace mettle::numerics {

/// One file's outcome. A record matches when each of its D words does.
struct GoldenFile {
  std::string name, instruction;
  uint64_t matched = 0, total = 0;
  /// The first record that differs: its number, which D word, and both words.
  uint64_t firstRecord = 0;
  unsigned firstWord = 0;
  uint64_t expected = 0, evaluated = 0;
};

/// Calls `report` for each file of the index in its order. An error, naming the file, stands for a
/// folder or index that cannot be read, an instruction without a matrix row, and a file whose size
/// is not that of its records.
llvm::Error checkGolden(llvm::StringRef folder,
                        llvm::function_ref<void(const GoldenFile &)> report);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_GOLDEN_H
