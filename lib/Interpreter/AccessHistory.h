//===- AccessHistory.h - who touched which byte last -===//
//
// Finds races. For every byte of an object it remembers the last write and enough reads to decide
// whether the next access races with any before it. A pair races if both touch a byte, at least
// one writes, not both are atomic, two different work-items make them, and neither a barrier that
// orders the memory nor an acquire of what the other work-item released is between.
//
// Times only grow, so an acquire orders everything that happened before the release, whoever did
// it: a race that another acquire would be needed against may be missed, and none is made up.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_ACCESSHISTORY_H
#define METTLE_LIB_INTERPRETER_ACCESSHISTORY_H

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace mettle::interpreter {

enum class AccessKind : uint8_t { Read, Write, AtomicRead, AtomicWrite, AtomicUpdate };

constexpr bool reads(AccessKind kind) {
  return kind != AccessKind::Write && kind != AccessKind::AtomicWrite;
}
constexpr bool writes(AccessKind kind) {
  return kind != AccessKind::Read && kind != AccessKind::AtomicRead;
}

/// The time between two barriers of a workgroup, or releases. A launch numbers them from 1, through
/// all its workgroups.
using Interval = uint64_t;

/// A history has room for this many bits of an instruction's number.
constexpr unsigned instructionBits = 24;

/// Who accesses, and when.
struct Accessor {
  Interval interval;
  /// The first interval of the accessor's workgroup: what is older is another workgroup's.
  Interval workgroupStart;
  /// What the workgroup did before is ordered by its last barrier.
  Interval barrier;
  /// What anyone did before is ordered by an acquire of this work-item; 0 is nothing.
  Interval acquired;
  uint32_t instruction;
  /// Linear index in the workgroup.
  uint16_t workItem;
};

/// The earlier access of a race.
struct Conflict {
  Interval interval;
  uint32_t instruction;
  uint16_t workItem;
  AccessKind kind;
};

class AccessHistory {
public:
  /// `outlivesWorkgroup` is true of global memory: accesses of different workgroups race, since
  /// nothing orders them. False of workgroup memory, which is a new object in each workgroup.
  AccessHistory(uint64_t bytes, bool outlivesWorkgroup)
      : pages((bytes + pageBytes - 1) / pageBytes), outlivesWorkgroup(outlivesWorkgroup) {}

  /// Records an access of `bytes` bytes within the object; an earlier access that it races with
  /// is returned instead.
  std::optional<Conflict> record(uint64_t offset, unsigned bytes, AccessKind kind,
                                 const Accessor &accessor);

  /// What an acquire that reads the element at `offset` makes visible: everything before this; 0 is
  /// nothing.
  Interval releasedAt(uint64_t offset) const;
  /// The element at `offset`, whose last access was atomic, was written by a release that began
  /// `interval`, or (with 0) by a store that is none.
  void setReleased(uint64_t offset, Interval interval);

private:
  /// Interval 0 is no access.
  struct Access {
    Access() : interval(0), instruction(0) {}
    explicit Access(const Accessor &accessor)
        : interval(accessor.interval), instruction(accessor.instruction) {}

    Interval interval : 40;
    uint64_t instruction : instructionBits;
  };
  /// What happened to one granule. `otherRead` is by another work-item than `read`, and counts in
  /// the interval of `read` only: from two readers at least one is not the next writer. Of atomic
  /// accesses the last one counts, or the last write where a barrier has not ordered it yet.
  struct Cell {
    Access write, read, otherRead, atomic;
    uint16_t writer = 0, reader = 0, otherReader = 0, atomicItem = 0;
    bool atomicWrote = false;
    /// Of what the element's release published.
    Interval released = 0;
  };
  /// The smallest piece that was accessed by itself decides a page's granule; a piece accessed as
  /// a whole so far has one cell.
  struct Page {
    unsigned granuleBytes = maxGranuleBytes;
    std::vector<Cell> cells = std::vector<Cell>(pageBytes / maxGranuleBytes);

    void refine(unsigned bytes);
  };
  static constexpr uint64_t pageBytes = 4096;
  static constexpr unsigned maxGranuleBytes = 16;

  static Conflict conflictWith(const Access &earlier, uint16_t workItem, AccessKind kind);
  bool races(const Access &earlier, uint16_t workItem, const Accessor &accessor) const;
  std::optional<Conflict> recordRead(Cell &cell, const Accessor &accessor) const;
  std::optional<Conflict> recordWrite(Cell &cell, const Accessor &accessor) const;
  std::optional<Conflict> recordAtomic(Cell &cell, bool isWrite, const Accessor &accessor) const;
  std::optional<Conflict> conflictWithReads(const Cell &cell, const Accessor &accessor) const;
  std::optional<Conflict> record(Cell &cell, AccessKind kind, const Accessor &accessor) const;

  std::vector<std::unique_ptr<Page>> pages;
  bool outlivesWorkgroup;
};

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_ACCESSHISTORY_H
