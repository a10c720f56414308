//===- Execution.h - What a handler works on --------------------*- C++ -*-===//
//
// The state of one running warp as the semantics of an instruction sees it, and what it may ask
// for: registers, memory, to wait, to fault. Plain data and non-inline members: the vector
// families include this header and are compiled once for each instruction set of the host.
//
// A handler reads its operands from slots, computes all lanes (those outside the mask hold old
// words; their results are dropped), and stores under the mask:
//
//     const Op *run(Execution &x, const Op &op, LaneMask mask) {
//       const uint32_t *a = x.lanes<uint32_t>(op.a);
//       uint32_t *d = x.lanes<uint32_t>(op.d);
//       for (unsigned lane : x.each(mask)) d[lane] = f(a[lane]);
//       return op.next();
//     }
//
// An instruction of the whole warp first gathers it:
//
//       if (!x.gathered(op, mask, members)) return x.awaitLanes(op, mask, members);
//
// Memory is reached lane by lane through `load`, `store` and `access`, which check everything that
// a run checks; what they return as null has been reported, and the handler returns `x.stop()`.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_EXECUTION_H
#define METTLE_LIB_EMULATOR_EXECUTION_H

#include "Op.h"
#include "Segment.h"
#include <cstddef>

namespace mettle::emulator {

struct Code;
class Block;
class Warp;
enum class FaultKind : uint8_t;

/// How memory is touched. The Async ones are the async proxy's (bulk and tensor copies, wgmma's
/// operands): they see what ordinary stores wrote only after a proxy fence.
enum class Access : uint8_t { Read, Write, Update, AtomicRead, AtomicWrite, AsyncRead, AsyncWrite };
inline bool reads(Access how) {
  return how == Access::Read || how == Access::AtomicRead || how == Access::AsyncRead ||
         how == Access::Update;
}
inline bool writes(Access how) {
  return how != Access::Read && how != Access::AtomicRead && how != Access::AsyncRead;
}
/// Two atomic accesses do not race.
inline bool isAtomic(Access how) {
  return how == Access::Update || how == Access::AtomicRead || how == Access::AtomicWrite;
}

/// The lanes of a mask, for range-based loops.
struct LaneRange {
  struct Iterator {
    LaneMask rest;
    unsigned operator*() const { return unsigned(__builtin_ctz(rest)); }
    Iterator &operator++() {
      rest &= rest - 1;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return rest != other.rest; }
  };
  LaneMask mask;
  Iterator begin() const { return {mask}; }
  Iterator end() const { return {0}; }
};

struct Execution {
  /// The warp's register file.
  uint8_t *registers = nullptr;
  /// The lanes that run together now, and all that have not left the kernel.
  LaneMask active = 0, live = 0;
  /// Number of the warp in its block; threads are numbered 32 * warp + lane.
  unsigned warpIndex = 0;

  const Code *code = nullptr;
  const Slot *slots = nullptr; ///< Code::slots
  Block *block = nullptr;
  Warp *warp = nullptr;

  /// Memory that needs no look-up: the block's shared memory, the parameters, the constants, and
  /// the global segments that the last accesses fell into.
  Segment shared, param, constant, global, otherGlobal;
  /// Local memory of thread t is local.size bytes at local.host + t * local.size.
  Segment local;

  /// Races are looked for: what the present interval of this warp is called (see Race.h), and the
  /// intervals before `quiet` that a barrier of the block has closed; those before
  /// `firstInterval` are of earlier launches.
  uint32_t interval = 0, quiet = 0, firstInterval = 1;
  /// The same of global memory, which other blocks touch too: `quiet` where the launch has but one.
  uint32_t globalQuiet = 1;
  bool checks = false;
  /// Lanes whose load has met bytes that nobody wrote, since the op began.
  LaneMask unsetLanes = 0;

  template <typename T> T *lanes(Slot slot) {
    return reinterpret_cast<T *>(__builtin_assume_aligned(registers + slot, sizeof(T)));
  }
  LaneMask predicate(Slot slot) { return *lanes<LaneMask>(slot); }
  void setPredicate(Slot slot, LaneMask mask, LaneMask value) {
    LaneMask &word = *lanes<LaneMask>(slot);
    word = (word & ~mask) | (value & mask);
  }
  static LaneRange each(LaneMask mask) { return {mask}; }

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  /// The host's bytes at an address of the lane's, which must be a multiple of `alignment` (0: of
  /// `bytes`). Null after a fault. Threads may write one place if they write the same: for that
  /// `value` is what will be written, if it is known.
  uint8_t *access(const Op &op, unsigned lane, Space space, uint64_t address, uint32_t bytes,
                  Access how, uint32_t alignment = 0, const void *value = nullptr);
  /// The same and a copy; false after a fault.
  bool load(const Op &op, unsigned lane, Space space, uint64_t address, void *to, uint32_t bytes,
            Access how = Access::Read) {
    const uint8_t *from = access(op, lane, space, address, bytes, how);
    if (from)
      __builtin_memcpy(to, from, bytes);
    return from;
  }
  bool store(const Op &op, unsigned lane, Space space, uint64_t address, const void *from,
             uint32_t bytes, Access how = Access::Write) {
    uint8_t *to = access(op, lane, space, address, bytes, how, 0, from);
    if (to)
      __builtin_memcpy(to, from, bytes);
    return to;
  }
  /// What `access` checks, for 32 lanes that touch `bytes` bytes each from `host` on, in order;
  /// bounds and alignment have been seen to. False after a fault.
  bool checkRange(const Op &op, const Segment &segment, uint8_t *host, uint32_t bytes, Access how);
  /// Makes `global` the segment of a global address; false if there is none.
  bool findGlobal(uint64_t address);

  //===--------------------------------------------------------------------===//
  // Control
  //===--------------------------------------------------------------------===//

  /// Whether the live lanes of `members` are all in `mask`. Faults are up to awaitLanes.
  bool gathered(LaneMask mask, LaneMask members) const { return !(members & live & ~mask); }
  /// Parks the lanes of `mask` at this op until those of `members` stand there too; then the op
  /// runs again for all of them.
  const Op *awaitLanes(const Op &op, LaneMask mask, LaneMask members);
  /// Parks the lanes until the block's barrier `number` has been reached by `threads` threads (0:
  /// all of the block that are left), and then goes on behind the op.
  const Op *awaitBarrier(const Op &op, LaneMask mask, unsigned number, unsigned threads);
  /// Goes on behind the op, but lets the other warps of the block run first: what a spinning wait
  /// does when the awaited is not there yet.
  const Op *yield(const Op &op);
  /// The lanes leave the kernel.
  const Op *leave(const Op &op, LaneMask mask);
  /// The lanes of `taken` go to `target`, the other active ones behind the op.
  const Op *branch(const Op &op, LaneMask taken, const Op *target);

  /// What a handler returns that has changed the warp's fragments itself.
  const Op *giveWay();
  /// The warp's accesses from here on are not those before (see Race.h).
  void startInterval();
  /// All lanes of the warp have met: what each did before is over for the others.
  void synchroniseLanes();
  /// What ordinary stores wrote that are over for this warp the async proxy may read now.
  void fenceProxy();
  /// What was done before is over for whoever acquires at this address later.
  void release(Space space, uint64_t address);
  void acquire(Space space, uint64_t address);
  /// Something happened that another warp may be waiting for.
  void noteEvent();
  /// Reports a fault of the lane and stops the run.
  const Op *fault(const Op &op, unsigned lane, FaultKind kind, const char *message);
  /// The same with FaultKind::Misuse.
  const Op *misuse(const Op &op, unsigned lane, const char *message);
  /// What a handler returns after `access` gave null.
  const Op *stop() const { return nullptr; }
};

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_EXECUTION_H
