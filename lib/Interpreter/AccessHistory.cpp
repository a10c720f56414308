//===- AccessHistory.cpp - who touched which byte last -===//
//
// The rules by which an access is compared with those before it and remembered.
//
//===----------------------------------------------------------------------===//

#include "AccessHistory.h"

#include <algorithm>

using namespace mettle::interpreter;

void AccessHistory::Page::refine(unsigned bytes) {
  std::vector<Cell> finer(pageBytes / bytes);
  for (uint64_t index = 0; index < finer.size(); ++index)
    finer[index] = cells[index * bytes / granuleBytes];
  cells = std::move(finer);
  granuleBytes = bytes;
}

bool AccessHistory::races(const Access &earlier, uint16_t workItem,
                          const Accessor &accessor) const {
  if (earlier.interval == accessor.interval)
    return workItem != accessor.workItem;
  return outlivesWorkgroup && earlier.interval != 0 && earlier.interval < accessor.workgroupStart;
}

Conflict AccessHistory::conflictWith(const Access &earlier, uint16_t workItem, AccessKind kind) {
  return {earlier.interval, static_cast<uint32_t>(earlier.instruction), workItem, kind};
}

std::optional<Conflict> AccessHistory::recordRead(Cell &cell, const Accessor &accessor) const {
  if (races(cell.write, cell.writer, accessor))
    return conflictWith(cell.write, cell.writer, AccessKind::Write);
  if (cell.read.interval != accessor.interval) {
    // A read of an earlier workgroup races with every write from now on: keep it.
    if (outlivesWorkgroup && cell.read.interval != 0 &&
        cell.read.interval < accessor.workgroupStart)
      return std::nullopt;
    cell.read = Access(accessor);
    cell.reader = accessor.workItem;
  } else if (cell.reader != accessor.workItem && cell.otherRead.interval != accessor.interval) {
    cell.otherRead = Access(accessor);
    cell.otherReader = accessor.workItem;
  }
  return std::nullopt;
}

std::optional<Conflict> AccessHistory::recordWrite(Cell &cell, const Accessor &accessor) const {
  if (races(cell.write, cell.writer, accessor))
    return conflictWith(cell.write, cell.writer, AccessKind::Write);
  if (races(cell.read, cell.reader, accessor))
    return conflictWith(cell.read, cell.reader, AccessKind::Read);
  if (cell.otherRead.interval == accessor.interval && cell.otherReader != accessor.workItem)
    return conflictWith(cell.otherRead, cell.otherReader, AccessKind::Read);
  cell.write = Access(accessor);
  cell.writer = accessor.workItem;
  return std::nullopt;
}

std::optional<Conflict> AccessHistory::record(uint64_t offset, unsigned bytes, AccessKind kind,
                                              const Accessor &accessor) {
  // The largest power of two that divides both ends, up to a granule.
  uint64_t ends = offset | bytes | maxGranuleBytes;
  auto granule = static_cast<unsigned>(ends & -ends);
  for (uint64_t at = offset, end = offset + bytes; at < end;) {
    std::unique_ptr<Page> &page = pages[at / pageBytes];
    if (!page)
      page = std::make_unique<Page>();
    if (granule < page->granuleBytes)
      page->refine(granule);
    uint64_t pageEnd = std::min(end, (at / pageBytes + 1) * pageBytes);
    for (; at < pageEnd; at += page->granuleBytes) {
      Cell &cell = page->cells[at % pageBytes / page->granuleBytes];
      std::optional<Conflict> conflict =
          kind == AccessKind::Read ? recordRead(cell, accessor) : recordWrite(cell, accessor);
      if (conflict)
        return conflict;
    }
  }
  return std::nullopt;
}
