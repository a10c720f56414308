//===- Race.h - Who touched a byte last -------------------------*- C++ -*-===//
//
// A race is two accesses of one byte by different threads, one of them a write, not both atomic,
// without synchronisation between them. Each four bytes of memory remember their last write and
// their last reader as a stamp: the lane, and an *interval*, a number that a warp gets anew
// whenever it synchronises. What a warp knows to be over it keeps as a vector clock: of every warp
// of its block, the last interval that has ended for it. Accesses to less than four bytes split a
// word into its bytes.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_RACE_H
#define METTLE_LIB_EMULATOR_RACE_H

#include "Execution.h"
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace mettle::emulator {

/// interval << 6 | flag << 5 | lane. The flag says of a write that it was atomic, of a reader that
/// there are others beside it. 0: nobody.
using Stamp = uint32_t;
inline constexpr unsigned IntervalShift = 6;
inline constexpr Stamp StampFlag = 32;
/// Stands for a word that is split.
inline constexpr Stamp SplitStamp = ~Stamp(0);
/// From here on, and the number of a thread: a copy of the thread will write the word, and nobody
/// has waited for it yet (see Delivery.h). Later than every interval, so that the short ways of
/// MemoryChecks.h leave it to checkRace.
inline constexpr Stamp PendingStamps = ~Stamp(0) << 11;
inline constexpr bool isPending(Stamp stamp) { return stamp - PendingStamps < 1024; }

/// Of each warp of a block, the last interval that is over for somebody.
using Clock = std::array<uint32_t, 32>;

/// The intervals of a launch, and what blocks have told one another through atomics.
class Intervals {
public:
  struct Owner {
    uint64_t block;
    uint32_t warp;
  };
  /// So many numbers are handed to a worker at once; it gives them to warps in rising order.
  static constexpr uint32_t ChunkSize = 512;
  struct Chunk {
    uint32_t first = 0, used = ChunkSize;
    /// block << 5 | warp. Another worker reads what its memory's stamps name.
    std::atomic<uint64_t> *owners = nullptr;
  };
  /// Numbers go on from an earlier launch on the same memory, so that its stamps are old.
  explicit Intervals(uint32_t first) : first(first) {}
  uint32_t start(Chunk &chunk, uint64_t block, uint32_t warp) {
    if (__builtin_expect(chunk.used == ChunkSize, 0))
      refill(chunk);
    chunk.owners[chunk.used].store(block << 5 | warp, std::memory_order_relaxed);
    return chunk.first + chunk.used++;
  }
  uint32_t firstOfLaunch() const { return first; }
  uint32_t next() const { return first + uint32_t(chunks.size()) * ChunkSize; }
  Owner ownerOf(uint32_t interval);

  /// A block has come to this interval when it released at the address; what it then knows.
  void release(uint64_t address, uint64_t block, uint32_t interval);
  void acquire(uint64_t address, uint64_t block);
  /// Whether `interval` of block `other` is over for `block`.
  bool isOver(uint64_t block, uint64_t other, uint32_t interval);

private:
  void refill(Chunk &chunk);

  std::mutex mutex;
  const uint32_t first;
  std::vector<std::unique_ptr<std::atomic<uint64_t>[]>> chunks;
  std::map<uint64_t, std::map<uint64_t, uint32_t>> released; ///< address, block: interval
  std::map<uint64_t, std::map<uint64_t, uint32_t>> known;    ///< block, other block: interval
};

/// The bytes of split words, by segment; eight stamps a word.
struct SplitWords {
  std::unordered_map<const uint32_t *, std::unique_ptr<Stamp[]>> bySegment;
};

/// What a block knows of the order of its warps.
struct BlockClocks {
  std::array<Clock, 32> seen = {};
  /// Of each warp, the last interval whose stores a proxy fence has covered.
  Clock fenced = {};
  /// What was released at an address of shared memory (an mbarrier, a flag).
  std::unordered_map<uint64_t, Clock> released;
};

/// Checks one lane's access of so many bytes at `offset` and remembers it; false after a fault.
/// `isSame`: it writes what is there, which two threads may do at once: the word is the same in any
/// order. Compilers write what several warps hold from all of them.
bool checkRace(Execution &x, const Op &op, const Segment &segment, uint64_t offset, uint32_t bytes,
               unsigned lane, Access how, bool isAtomic, bool isSame = false);

/// Makes `stamp` the last write of whole words of shared memory; `onlyPending`: of those that a
/// copy will write.
void stampShared(Execution &x, uint64_t address, uint32_t bytes, Stamp stamp, bool onlyPending);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_RACE_H
