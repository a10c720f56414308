//===- Race.cpp - Who touched a byte last ---------------------------------===//
//
// The rules of stamps, and the clocks behind them.
//
//===----------------------------------------------------------------------===//

#include "Race.h"
#include "Block.h"
#include "llvm/ADT/StringExtras.h"

using namespace mettle::emulator;

//===----------------------------------------------------------------------===//
// Intervals and clocks
//===----------------------------------------------------------------------===//

void Intervals::refill(Chunk &chunk) {
  std::lock_guard lock(mutex);
  chunk.first = next();
  chunk.used = 0;
  chunk.owners = chunks.emplace_back(new std::atomic<uint64_t>[ChunkSize]).get();
}

Intervals::Owner Intervals::ownerOf(uint32_t interval) {
  uint32_t number = interval - first;
  std::atomic<uint64_t> *owners;
  {
    std::lock_guard lock(mutex);
    owners = chunks[number / ChunkSize].get();
  }
  uint64_t owner = owners[number % ChunkSize].load(std::memory_order_relaxed);
  return {owner >> 5, uint32_t(owner & 31)};
}

void Intervals::release(uint64_t address, uint64_t block, uint32_t interval) {
  std::lock_guard lock(mutex);
  auto &at = released[address];
  for (auto [other, theirs] : known[block])
    at[other] = std::max(at[other], theirs);
  at[block] = std::max(at[block], interval);
}

void Intervals::acquire(uint64_t address, uint64_t block) {
  std::lock_guard lock(mutex);
  auto found = released.find(address);
  if (found == released.end())
    return;
  auto &mine = known[block];
  for (auto [other, interval] : found->second)
    mine[other] = std::max(mine[other], interval);
}

bool Intervals::isOver(uint64_t block, uint64_t other, uint32_t interval) {
  std::lock_guard lock(mutex);
  auto mine = known.find(block);
  if (mine == known.end())
    return false;
  auto theirs = mine->second.find(other);
  return theirs != mine->second.end() && interval <= theirs->second;
}

static void merge(Clock &into, const Clock &from) {
  for (unsigned i = 0; i < into.size(); ++i)
    into[i] = std::max(into[i], from[i]);
}

void Execution::startInterval() {
  if (checks)
    interval = block->state.intervals.start(block->intervals, block->linear, warpIndex);
}

void Execution::synchroniseLanes() {
  if (!checks)
    return;
  block->clocks.seen[warpIndex][warpIndex] = interval;
  startInterval();
}

void Execution::fenceProxy() {
  if (!checks)
    return;
  BlockClocks &clocks = block->clocks;
  merge(clocks.fenced, clocks.seen[warpIndex]);
  // What a barrier has closed is over for all.
  for (uint32_t &last : clocks.fenced)
    last = std::max(last, quiet ? quiet - 1 : 0);
  clocks.fenced[warpIndex] = std::max(clocks.fenced[warpIndex], interval);
  startInterval();
}

void Execution::release(Space space, uint64_t address) {
  if (!checks)
    return;
  if (space == Space::Shared) {
    Clock &clock = block->clocks.released[address];
    merge(clock, block->clocks.seen[warpIndex]);
    clock[warpIndex] = std::max(clock[warpIndex], interval);
  } else {
    block->state.intervals.release(address, block->linear, interval);
  }
  startInterval();
}

void Execution::acquire(Space space, uint64_t address) {
  if (!checks)
    return;
  if (space != Space::Shared)
    return block->state.intervals.acquire(address, block->linear);
  auto found = block->clocks.released.find(address);
  if (found != block->clocks.released.end())
    merge(block->clocks.seen[warpIndex], found->second);
}

/// Whether the access behind a stamp is over for the lane. `isOwn`: it is the lane's own.
static bool isOver(Execution &x, const Segment &segment, Stamp stamp, unsigned lane) {
  uint32_t interval = stamp >> IntervalShift;
  if (interval < x.firstInterval || (interval == x.interval && (stamp & 31) == lane))
    return true;
  bool isShared = segment.host == x.shared.host;
  if (isShared && interval < x.quiet)
    return true;
  Intervals::Owner owner = x.block->state.intervals.ownerOf(interval);
  if (owner.block != x.block->linear)
    return isShared || x.block->state.intervals.isOver(x.block->linear, owner.block, interval);
  if (interval < x.quiet || interval <= x.block->clocks.seen[x.warpIndex][owner.warp])
    return true;
  // Program order of the lane itself.
  return owner.warp == x.warpIndex && (stamp & 31) == lane;
}

static bool report(Execution &x, const Op &op, Stamp other, bool otherWrote, unsigned lane,
                   Access how) {
  Intervals::Owner owner = x.block->state.intervals.ownerOf(other >> IntervalShift);
  bool isOneOfMany = !otherWrote && (other & StampFlag);
  std::string who = isOneOfMany ? "other threads have"
                                : "thread " + llvm::utostr(owner.warp * NumLanes + (other & 31)) +
                                      (owner.block == x.block->linear
                                           ? ""
                                           : " of block number " + llvm::utostr(owner.block)) +
                                      " has";
  const char *mine = writes(how) ? "writes" : "reads";
  x.block->setFault(&op, x.warp, lane, FaultKind::Race,
                    "expected synchronisation: this thread " + std::string(mine) + " what " + who +
                        (otherWrote ? " written" : " read"));
  return false;
}

/// Touching what a copy has not delivered.
static bool reportPending(Execution &x, const Op &op, Stamp writer, unsigned lane, bool writes) {
  x.block->setFault(&op, x.warp, lane, FaultKind::MissingWait,
                    "expected a wait before: this thread " +
                        std::string(writes ? "writes" : "reads") +
                        " bytes that an asynchronous copy of thread " +
                        llvm::utostr(writer - PendingStamps) + " has not yet delivered");
  return false;
}

static bool isFenced(Execution &x, Stamp writer) {
  uint32_t interval = writer >> IntervalShift;
  Intervals::Owner owner = x.block->state.intervals.ownerOf(interval);
  return owner.block != x.block->linear || interval <= x.block->clocks.fenced[owner.warp];
}

/// One word, or one byte of a split one.
static bool checkStamps(Execution &x, const Op &op, const Segment &segment, Stamp &writer,
                        Stamp &reader, unsigned lane, Access how, bool isAtomic, bool isSame) {
  Stamp own = x.interval << IntervalShift | lane;
  bool writes = ::mettle::emulator::writes(how);
  // Threads that hold the same may copy it to the same place.
  if (isPending(writer)) {
    if (!writes || !isSame)
      return reportPending(x, op, writer, lane, writes);
    writer = 0;
  }
  bool bothAtomic = isAtomic && (writer & StampFlag);
  if (!bothAtomic && !isSame && !isOver(x, segment, writer, lane))
    return report(x, op, writer, true, lane, how);
  if (how == Access::AsyncRead && writer && !(writer & StampFlag) &&
      segment.host == x.shared.host && !isFenced(x, writer)) {
    x.block->setFault(&op, x.warp, lane, FaultKind::MissingFence,
                      "expected a proxy fence between the stores that wrote this memory and the "
                      "async proxy's read of it");
    return false;
  }
  if (!writes) {
    if (isAtomic)
      return true;
    bool joins = (reader & ~StampFlag) != own && !isOver(x, segment, reader & ~StampFlag, lane);
    bool stays = (reader & ~StampFlag) == own && (reader & StampFlag);
    reader = own | (joins || stays ? StampFlag : 0);
    return true;
  }
  bool isOwn = (reader & ~StampFlag) == own;
  if (reader &&
      (isOwn ? (reader & StampFlag) != 0 : !isOver(x, segment, reader & ~StampFlag, lane)))
    return report(x, op, reader, false, lane, how);
  // The flag also tells what the async proxy wrote, which needs no fence for its own reads.
  writer = own | (isAtomic || how == Access::AsyncWrite ? StampFlag : 0);
  reader = 0;
  return true;
}

bool mettle::emulator::checkRace(Execution &x, const Op &op, const Segment &segment,
                                 uint64_t offset, uint32_t bytes, unsigned lane, Access how,
                                 bool isAtomic, bool isSame) {
  for (uint64_t at = offset, end = offset + bytes; at < end;) {
    uint64_t word = at / 4;
    Stamp &writer = segment.writers[word], &reader = segment.readers[word];
    bool isWhole = at % 4 == 0 && end - at >= 4;
    if (isWhole && writer != SplitStamp) {
      if (!checkStamps(x, op, segment, writer, reader, lane, how, isAtomic, isSame))
        return false;
      at += 4;
      continue;
    }
    std::unique_ptr<Stamp[]> &split = x.block->splits.bySegment[segment.writers];
    if (!split)
      split.reset(new Stamp[(segment.size / 4 + 1) * 8]());
    Stamp *stamps = split.get() + word * 8;
    if (writer != SplitStamp) {
      for (unsigned i = 0; i < 4; ++i)
        stamps[2 * i] = writer, stamps[2 * i + 1] = reader;
      writer = SplitStamp;
    }
    for (; at < end; ++at) {
      if (at / 4 != word)
        break;
      if (!checkStamps(x, op, segment, stamps[at % 4 * 2], stamps[at % 4 * 2 + 1], lane, how,
                       isAtomic, isSame))
        return false;
    }
  }
  return true;
}

void mettle::emulator::stampShared(Execution &x, uint64_t address, uint32_t bytes, Stamp stamp,
                                   bool onlyPending) {
  uint64_t first = (address - x.shared.address) / 4;
  auto set = [&](Stamp &writer) {
    if (!onlyPending || isPending(writer))
      writer = stamp;
  };
  for (uint64_t word = first; word < first + bytes / 4; ++word) {
    if (x.shared.writers[word] != SplitStamp) {
      set(x.shared.writers[word]);
      continue;
    }
    Stamp *stamps = x.block->splits.bySegment[x.shared.writers].get() + word * 8;
    for (unsigned i = 0; i < 4; ++i)
      set(stamps[2 * i]);
  }
}
