//===- AsyncCopies.cpp - copies that nobody has waited for yet -===//
//
// Counts how many outstanding copies write or read each 4 bytes, so that an access asks a table and
// not every copy.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopies.h"

#include "llvm/ADT/STLExtras.h"

using namespace mettle::interpreter;

template <typename Action> void AsyncCopies::forEachGranule(const ByteRange &range, Action action) {
  for (uint64_t granule = range.offset / granuleBytes,
                end = (range.offset + range.bytes + granuleBytes - 1) / granuleBytes;
       granule < end; ++granule)
    action(Granule(range.handle, granule));
}

void AsyncCopies::clear() {
  copies.clear();
  granules.clear();
}

void AsyncCopies::issue(const AsyncCopy &copy) {
  forEachGranule(copy.target, [&](Granule granule) { ++granules[granule].targets; });
  forEachGranule(copy.source, [&](Granule granule) { ++granules[granule].sources; });
  copies.push_back(copy);
}

std::vector<AsyncCopy> AsyncCopies::complete(uint32_t workItem, uint64_t end) {
  auto release = [&](Granule granule, uint32_t Uses::*count) {
    auto entry = granules.find(granule);
    --(entry->second.*count);
    if (!entry->second.targets && !entry->second.sources)
      granules.erase(entry);
  };
  std::vector<AsyncCopy> done;
  llvm::erase_if(copies, [&](const AsyncCopy &copy) {
    if (copy.workItem != workItem || copy.group >= end)
      return false;
    forEachGranule(copy.target, [&](Granule granule) { release(granule, &Uses::targets); });
    forEachGranule(copy.source, [&](Granule granule) { release(granule, &Uses::sources); });
    done.push_back(copy);
    return true;
  });
  return done;
}

const AsyncCopy *AsyncCopies::conflict(const ByteRange &range, AccessKind kind) const {
  bool found = false;
  forEachGranule(range, [&](Granule granule) {
    auto uses = granules.find(granule);
    found |= uses != granules.end() && (uses->second.targets || writes(kind));
  });
  if (!found)
    return nullptr;
  auto overlaps = [&](const ByteRange &other) {
    return other.handle == range.handle && other.offset < range.offset + range.bytes &&
           range.offset < other.offset + other.bytes;
  };
  const auto *copy = llvm::find_if(llvm::ArrayRef(copies), [&](const AsyncCopy &copy) {
    return overlaps(copy.target) || (writes(kind) && overlaps(copy.source));
  });
  return copy;
}

const AsyncCopy *AsyncCopies::firstOf(uint32_t workItem) const {
  const auto *copy = llvm::find_if(
      llvm::ArrayRef(copies), [&](const AsyncCopy &copy) { return copy.workItem == workItem; });
  return copy == llvm::ArrayRef(copies).end() ? nullptr : copy;
}
