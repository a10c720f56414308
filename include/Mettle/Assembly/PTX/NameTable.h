//===- NameTable.h - Interned pieces of a text ------------------*- C++ -*-===//
//
// Numbers equal pieces of one text equally. Names are not copied: they point into the text.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_NAMETABLE_H
#define METTLE_ASSEMBLY_PTX_NAMETABLE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace mettle::assembly::ptx {

class NameTable {
public:
  /// The number of `text`, which must outlive the table; the next free number if it is new.
  uint32_t intern(llvm::StringRef text);

  /// The number of `text`, ~0 if it is not in the table.
  uint32_t find(llvm::StringRef text) const;

  llvm::StringRef operator[](uint32_t id) const { return {entries[id].data, entries[id].length}; }
  uint32_t size() const { return uint32_t(entries.size()); }

  /// Forgets all names, keeps the memory.
  void clear();

  /// Bytes held.
  size_t memory() const;

private:
  struct Entry {
    const char *data;
    uint32_t length;
    uint32_t hash;
  };
  /// The slot that holds the text, or the free one where it belongs.
  size_t slotOf(llvm::StringRef text, uint32_t hash) const;
  void grow();

  std::vector<Entry> entries;
  /// Open addressing: entry number + 1, 0 where free.
  std::vector<uint32_t> slots;
};

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_NAMETABLE_H
