//===- MemoryChecks.h - Checks of 32 accesses at once -----------*- C++ -*-===//
//
// The common cases of what Execution::access looks for (see Race.h), in vectors: nobody was there
// lately but the lane itself, or, for reads, other lanes of the warp that read too. Whatever this
// does not settle goes lane by lane. For the vector families, as Lane.h is.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_MEMORYCHECKS_H
#define METTLE_LIB_EMULATOR_MEMORYCHECKS_H

#include "LaneGather.h"

namespace mettle::emulator {
namespace {

template <typename A> METTLE_INLINE Lanes<A> laneNumbers() {
  Lanes<A> numbers;
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    numbers[lane] = A(lane);
  return numbers;
}

using Stamps = Lanes<uint32_t>;

/// As in Race.h, which this must not include.
inline constexpr unsigned StampShift = 6;
inline constexpr uint32_t OthersFlag = 32;

/// What is over for the running warp, and its own stamps.
struct Now {
  uint32_t base, quiet;
  Now(const Execution &x, const Segment &segment)
      : base(x.interval << StampShift),
        quiet((&segment == &x.shared ? x.quiet : x.globalQuiet) << StampShift) {}
};

/// What a barrier of the block has closed; with many blocks, elsewhere than in shared memory, what
/// earlier launches did.
METTLE_INLINE Truth<uint32_t> isOver(const Now &now, Stamps stamps) { return stamps < now.quiet; }

/// Whether these words' stamps allow an access by lanes whose stamps are `own`; for a read,
/// `reader` becomes the reader to remember.
template <bool writes>
METTLE_INLINE Truth<uint32_t> allows(const Now &now, Stamps own, Stamps writer, Stamps &reader) {
  Truth<uint32_t> good = isOver(now, writer) | (writer == own);
  if (writes)
    return good & (isOver(now, reader) | (reader == own));
  Truth<uint32_t> isOld = isOver(now, reader), isNow = (reader ^ now.base) < 1u << StampShift;
  reader = own | (bitsAs<Stamps>(~isOld & (reader != own)) & OthersFlag);
  return good & (isOld | isNow);
}

/// Whether an access of 32 neighbours needs no look at clocks. Remembers it then.
template <unsigned bytes, bool writes>
METTLE_INLINE bool isSettled(Execution &x, const Segment &segment, uint64_t offset) {
  constexpr unsigned words = bytes / 4;
  uint32_t *writers = segment.writers + offset / 4, *readers = segment.readers + offset / 4;
  Now now(x, segment);
  Truth<uint32_t> good = -1;
  Stamps reader[words + !words];
  for (unsigned i = 0; i < words; ++i) {
    Stamps own = now.base | (laneNumbers<uint32_t>() + NumLanes * i) / words;
    reader[i] = loadVector<Stamps>(readers + NumLanes * i);
    good &= allows<writes>(now, own, loadVector<Stamps>(writers + NumLanes * i), reader[i]);
  }
  if (maskOf(good) != AllLanes)
    return false;
  for (unsigned i = 0; i < words; ++i) {
    Stamps own = now.base | (laneNumbers<uint32_t>() + NumLanes * i) / words;
    if (writes)
      storeVector(writers + NumLanes * i, own);
    storeVector(readers + NumLanes * i, writes ? Stamps(0) : reader[i]);
  }
  return true;
}

template <unsigned bytes, bool writes>
METTLE_INLINE bool isWritten(const Segment &segment, uint64_t offset) {
  uint8_t *valid = segment.valid + offset;
  Lanes<uint8_t> ones = 1, good = 1;
  for (unsigned i = 0; i < bytes; ++i)
    if (writes)
      storeVector(valid + NumLanes * i, ones);
    else
      good &= loadVector<Lanes<uint8_t>>(valid + NumLanes * i);
  return maskOf(good == 1) == AllLanes;
}

/// The checks of 32 neighbours; false after a fault.
template <unsigned bytes, bool writes>
METTLE_INLINE bool checkNeighbours(Execution &x, const Op &op, const Segment &segment,
                                   uint8_t *host) {
  uint64_t offset = uint64_t(host - segment.host);
  bool good = true;
  if (segment.writers)
    good = bytes % 4 == 0 && isSettled<bytes - bytes % 4, writes>(x, segment, offset);
  if (good && segment.valid)
    good = isWritten<bytes, writes>(segment, offset);
  return good || x.checkRange(op, segment, host, bytes, writes ? Access::Write : Access::Read);
}

/// The same for lanes that touch words here and there; false if more must be looked at. Lanes may
/// read the same words, not write them.
template <unsigned bytes, bool writes, typename A>
METTLE_INLINE bool areSettled(Execution &x, const Segment &segment, Lanes<A> offsets,
                              LaneMask mask) {
  constexpr unsigned words = bytes / 4;
  if (words == 0 || !segment.writers || segment.size > GatherLimit)
    return false;
  Now now(x, segment);
  Stamps own = now.base | laneNumbers<uint32_t>();
  Stamps at = convert<uint32_t>(offsets), writer[words + !words], reader[words + !words];
  Truth<uint32_t> good = -1;
  for (unsigned i = 0; i < words; ++i) {
    writer[i] = gather(segment.writers, at + 4 * i, mask);
    reader[i] = gather(segment.readers, at + 4 * i, mask);
    good &= allows<writes>(now, own, writer[i], reader[i]);
    if (!writes && segment.valid)
      good &= gather(segment.valid, at + 4 * i, mask) == 0x01010101;
  }
  if (~maskOf(good) & mask)
    return false;
  // Lanes in rising order meet nobody; others are seen by what is left of their stamps.
  Stamps next =
      __builtin_shufflevector(at, at, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
                              19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 31);
  bool isRising =
      mask == AllLanes && !(maskOf(next - at < bytes) & ~(1u << 31)) && maskOf(next < at) == 0;
  for (unsigned i = 0; i < words; ++i) {
    uint32_t *stamps = writes ? segment.writers : segment.readers;
    scatter(stamps, at + 4 * i, mask, writes ? own : reader[i]);
    if (isRising)
      continue;
    Stamps left = gather(stamps, at + 4 * i, mask);
    LaneMask met = maskOf(((left ^ own) & ~OthersFlag) != 0) & mask;
    if (!met)
      continue;
    if (writes) {
      for (unsigned j = 0; j <= i; ++j)
        scatter(stamps, at + 4 * j, mask, writer[j]);
      return false;
    }
    scatter(stamps, at + 4 * i, met, left | OthersFlag);
  }
  if (writes)
    for (unsigned i = 0; i < words; ++i) {
      scatter(segment.readers, at + 4 * i, mask, Stamps(0));
      if (segment.valid)
        scatter(segment.valid, at + 4 * i, mask, Stamps(0x01010101));
    }
  return true;
}

} // namespace
} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_MEMORYCHECKS_H
