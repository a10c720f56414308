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
  if (earlier.interval == 0 || earlier.interval < accessor.acquired)
    return false;
  if (earlier.interval >= accessor.workgroupStart)
    return earlier.interval >= accessor.barrier && workItem != accessor.workItem;
  return outlivesWorkgroup;
}

Conflict AccessHistory::conflictWith(const Access &earlier, uint16_t workItem, AccessKind kind) {
  return {earlier.interval, static_cast<uint32_t>(earlier.instruction), workItem, kind};
}

std::optional<Conflict> AccessHistory::recordRead(Cell &cell, const Accessor &accessor) const {
  if (races(cell.write, cell.writer, accessor))
    return conflictWith(cell.write, cell.writer, AccessKind::Write);
  if (cell.atomicWrote && races(cell.atomic, cell.atomicItem, accessor))
    return conflictWith(cell.atomic, cell.atomicItem, AccessKind::AtomicWrite);
  if (cell.read.interval < accessor.barrier) {
    // A read of an earlier workgroup races with every write from now on: keep it.
    if (outlivesWorkgroup && cell.read.interval != 0 &&
        cell.read.interval < accessor.workgroupStart)
      return std::nullopt;
    cell.read = Access(accessor);
    cell.reader = accessor.workItem;
  } else if (cell.reader != accessor.workItem && cell.otherRead.interval < accessor.barrier) {
    cell.otherRead = Access(accessor);
    cell.otherReader = accessor.workItem;
  }
  return std::nullopt;
}

std::optional<Conflict> AccessHistory::conflictWithReads(const Cell &cell,
                                                         const Accessor &accessor) const {
  if (races(cell.read, cell.reader, accessor))
    return conflictWith(cell.read, cell.reader, AccessKind::Read);
  if (races(cell.otherRead, cell.otherReader, accessor))
    return conflictWith(cell.otherRead, cell.otherReader, AccessKind::Read);
  return std::nullopt;
}

std::optional<Conflict> AccessHistory::recordWrite(Cell &cell, const Accessor &accessor) const {
  if (races(cell.write, cell.writer, accessor))
    return conflictWith(cell.write, cell.writer, AccessKind::Write);
  if (races(cell.atomic, cell.atomicItem, accessor))
    return conflictWith(cell.atomic, cell.atomicItem,
                        cell.atomicWrote ? AccessKind::AtomicWrite : AccessKind::AtomicRead);
  if (std::optional<Conflict> conflict = conflictWithReads(cell, accessor))
    return conflict;
  cell.write = Access(accessor);
  cell.writer = accessor.workItem;
  cell.released = 0;
  return std::nullopt;
}

std::optional<Conflict> AccessHistory::recordAtomic(Cell &cell, bool isWrite,
                                                    const Accessor &accessor) const {
  if (races(cell.write, cell.writer, accessor))
    return conflictWith(cell.write, cell.writer, AccessKind::Write);
  if (isWrite)
    if (std::optional<Conflict> conflict = conflictWithReads(cell, accessor))
      return conflict;
  if (!isWrite && cell.atomicWrote && cell.atomic.interval >= accessor.barrier)
    return std::nullopt;
  cell.atomic = Access(accessor);
  cell.atomicItem = accessor.workItem;
  cell.atomicWrote = isWrite;
  return std::nullopt;
}

std::optional<Conflict> AccessHistory::record(Cell &cell, AccessKind kind,
                                              const Accessor &accessor) const {
  switch (kind) {
  case AccessKind::Read:
    return recordRead(cell, accessor);
  case AccessKind::Write:
    return recordWrite(cell, accessor);
  case AccessKind::AtomicRead:
  case AccessKind::AtomicWrite:
  case AccessKind::AtomicUpdate:
    return recordAtomic(cell, writes(kind), accessor);
  }
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
      if (std::optional<Conflict> conflict = record(cell, kind, accessor))
        return conflict;
    }
  }
  return std::nullopt;
}

Interval AccessHistory::releasedAt(uint64_t offset) const {
  const Page &page = *pages[offset / pageBytes];
  return page.cells[offset % pageBytes / page.granuleBytes].released;
}

void AccessHistory::setReleased(uint64_t offset, Interval interval) {
  Page &page = *pages[offset / pageBytes];
  page.cells[offset % pageBytes / page.granuleBytes].released = interval;
}
