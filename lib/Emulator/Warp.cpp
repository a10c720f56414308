//===- Warp.cpp - Lanes that part and meet again --------------------------===//
//
// The loop over ops, and the bookkeeping of fragments.
//
//===----------------------------------------------------------------------===//

#include "Warp.h"
#include "Block.h"
#include "Control.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Compiler.h"
#include <cstring>
#include <new>

using namespace mettle::emulator;

/// After so many ops in one go a fragment gives way to whoever is ready.
static constexpr uint64_t TimeSlice = 1 << 16;

Warp::Warp(const Code &code, Block &block, unsigned index)
    : definedness(*this), file(static_cast<uint8_t *>(::operator new[](
                              std::max<size_t>(code.fileBytes, 64), std::align_val_t(64)))) {
  memcpy(file.get(), code.constants.data(), code.fileBytes);
  x.registers = file.get();
  x.code = &code;
  x.slots = code.slots.data();
  x.block = &block;
  x.warp = this;
  x.warpIndex = index;
}

void Warp::start(LaneMask exists) {
  for (Slot slot : x.code->unwritten) {
    uint32_t bytes = x.code->slotSize.lookup(slot);
    memset(file.get() + slot, 0, bytes);
  }
  if (x.checks)
    definedness.start();
  x.live = exists;
  fragments.clear();
  fragments.emplace_back().mask = exists;
}

bool Warp::isReady() const {
  for (const Fragment &fragment : fragments)
    if (fragment.state <= Fragment::Yielded)
      return true;
  return false;
}

/// The op of each function on the way to where a fragment stands that it must leave, from the
/// kernel's on.
static uint32_t placeAt(const Fragment &fragment, size_t depth) {
  return depth < fragment.frames.size() ? fragment.frames[depth].callOp : fragment.pc;
}

/// Whether `one` stands before `other` in text order, calls taken for their callee's text: lanes
/// that come back from a call early wait for those that are still in it.
static bool isBehind(const Fragment &one, const Fragment &other) {
  size_t depth = std::min(one.frames.size(), other.frames.size());
  for (size_t i = 0; i <= depth; ++i)
    if (placeAt(one, i) != placeAt(other, i))
      return placeAt(one, i) < placeAt(other, i);
  return one.frames.size() < other.frames.size();
}

/// The first op of `one`, which is behind, at which `other` is no longer ahead of it.
static uint32_t meetingPlace(const Fragment &one, const Fragment &other) {
  size_t depth = one.frames.size();
  if (other.frames.size() < depth ||
      !std::equal(one.frames.begin(), one.frames.end(), other.frames.begin()))
    return ~0u; // not before it returns
  return other.frames.size() == depth ? other.pc : other.frames[depth].callOp + 1;
}

/// Merges fragments that stand at the same place and picks the one that is furthest behind.
/// `limit` becomes the place where it meets the next one.
bool Warp::choose(uint32_t &limit) {
  limit = ~0u;
  unsigned best = ~0u;
  for (unsigned i = 0; i < fragments.size(); ++i) {
    Fragment &one = fragments[i];
    if (one.state != Fragment::Ready)
      continue;
    if (best == ~0u) {
      best = i;
      continue;
    }
    Fragment &other = fragments[best];
    if (one.pc == other.pc && one.frames == other.frames) {
      other.mask |= one.mask;
      fragments.erase(fragments.begin() + i--);
    } else if (isBehind(one, other)) {
      best = i;
    }
  }
  if (best == ~0u)
    return false;
  for (unsigned i = 0; i < fragments.size(); ++i)
    if (i != best && fragments[i].state == Fragment::Ready)
      limit = std::min(limit, meetingPlace(fragments[best], fragments[i]));
  current = best;
  return true;
}

bool Warp::run() {
  for (;;) {
    uint32_t limit;
    if (!choose(limit)) {
      // Whoever gave way may go on when it is this warp's turn again.
      for (Fragment &fragment : fragments)
        if (fragment.state == Fragment::Yielded)
          fragment.state = Fragment::Ready;
      return true;
    }
    bool counts = x.block->state.options.profile;
    bool good = x.checks ? definedness.isOn() ? runFragment<Watch::Everything>(limit)
                                              : runFragment<Watch::Loads>(limit)
                : counts ? runFragment<Watch::Counts>(limit)
                         : runFragment<Watch::Nothing>(limit);
    if (!good)
      return false;
    if (x.block->startsOver)
      return true;
  }
}

template <Warp::Watch watch> bool Warp::runFragment(uint32_t limit) {
  const Op *ops = x.code->ops.data();
  const Op *pc = ops + fragments[current].pc;
  const Op *stop = limit == ~0u ? ops + x.code->ops.size() : ops + limit;
  x.active = fragments[current].mask;
  uint64_t budget = TimeSlice, lanes = 0;
  hasGivenWay = false;
  for (;;) {
    const Op &op = *pc;
    LaneMask mask = x.active & (x.predicate(op.guard) ^ op.guardFlip);
    // Counting bits is a function on a host whose instructions are not known.
    lanes += mask == AllLanes ? NumLanes : unsigned(__builtin_popcount(mask));
    --budget;
    if (watch == Watch::Everything && !definedness.before(op, mask))
      return false;
    if (watch == Watch::Counts)
      countOp(profile, x, op, mask);
    if (LLVM_LIKELY(mask)) {
      pc = op.run(x, op, mask);
    } else {
      pc = op.next();
    }
    if (watch == Watch::Everything) {
      if (LLVM_UNLIKELY(!pc))
        definedness.explainRace(op);
      definedness.after(op, mask, x.unsetLanes);
      x.unsetLanes = 0;
    } else if (watch == Watch::Loads && LLVM_UNLIKELY(x.unsetLanes != 0)) {
      definedness.follow();
      definedness.after(op, mask, x.unsetLanes);
      x.unsetLanes = 0;
      if (pc) {
        fragments[current].pc = uint32_t(pc - ops);
        steps += TimeSlice - budget;
        laneSteps += lanes;
        return true;
      }
    }
    // A null pointer wraps to the largest difference.
    if (LLVM_UNLIKELY(uintptr_t(pc) - 1 >= uintptr_t(stop) - 1 || !budget))
      break;
  }
  steps += TimeSlice - budget;
  laneSteps += lanes;
  if (!pc)
    return hasGivenWay;
  fragments[current].pc = uint32_t(pc - ops);
  if (!budget)
    fragments[current].state = Fragment::Yielded;
  return true;
}

Fragment &Warp::detach(const Op &op, LaneMask mask) {
  uint32_t pc = uint32_t(&op - x.code->ops.data());
  Fragment &whole = fragments[current];
  LaneMask rest = whole.mask & ~mask;
  whole.pc = pc;
  hasGivenWay = true;
  if (rest) {
    Fragment other = whole;
    other.mask = rest;
    other.pc = pc + 1;
    other.state = Fragment::Ready;
    whole.mask = mask;
    fragments.push_back(std::move(other));
  }
  return fragments[current];
}

void Warp::release() {
  const Op *ops = x.code->ops.data();
  for (unsigned i = 0; i < fragments.size(); ++i) {
    Fragment &one = fragments[i];
    if (one.state != Fragment::AtWarp)
      continue;
    // Lanes meet at one instruction; a bare synchronisation lets them stay where they are.
    bool anywhere = ops[one.pc].run == synchroniseWarp;
    LaneMask come = 0;
    auto meets = [&](const Fragment &other) {
      return other.state == Fragment::AtWarp && other.members == one.members &&
             (anywhere ? ops[other.pc].run == synchroniseWarp : other.pc == one.pc);
    };
    for (const Fragment &other : fragments)
      if (meets(other))
        come |= other.mask;
    if (one.members & x.live & ~come)
      continue;
    for (unsigned j = 0; j < fragments.size(); ++j) {
      Fragment &other = fragments[j];
      if (j == i || !meets(other))
        continue;
      if (other.pc == one.pc && other.frames == one.frames) {
        one.mask |= other.mask;
        other.mask = 0;
      } else if (anywhere) {
        other.state = Fragment::Ready;
        ++other.pc;
      }
    }
    one.state = Fragment::Ready;
    if (anywhere) {
      ++one.pc;
      x.synchroniseLanes();
    }
    llvm::erase_if(fragments, [](const Fragment &fragment) { return !fragment.mask; });
    return release();
  }
}

//===----------------------------------------------------------------------===//
// What handlers ask for
//===----------------------------------------------------------------------===//

const Op *Execution::awaitLanes(const Op &op, LaneMask mask, LaneMask members) {
  if (mask & ~members)
    return fault(op, unsigned(__builtin_ctz(mask & ~members)), FaultKind::Misuse,
                 "expected a member mask that names the executing lane");
  Fragment &fragment = warp->detach(op, mask);
  fragment.state = Fragment::AtWarp;
  fragment.members = members;
  warp->release();
  return nullptr;
}

const Op *Execution::awaitBarrier(const Op &op, LaneMask mask, unsigned number, unsigned threads) {
  Barrier &barrier = block->barriers[number];
  if (barrier.isUsed && barrier.threads != threads)
    return fault(op, unsigned(__builtin_ctz(mask)), FaultKind::Misuse,
                 "expected the number of threads that others at this barrier named");
  barrier.isUsed = true;
  barrier.threads = threads;
  block->arrive(barrier, *warp, mask, /*waits=*/true);
  Fragment &fragment = warp->detach(op, mask);
  fragment.state = Fragment::AtBarrier;
  fragment.barrier = number;
  block->completeBarrier(number);
  return nullptr;
}

const Op *Execution::yield(const Op &op) {
  Fragment &fragment = warp->fragments[warp->current];
  fragment.pc = uint32_t(op.next() - code->ops.data());
  fragment.state = Fragment::Yielded;
  warp->hasGivenWay = true;
  return nullptr;
}

const Op *Execution::leave(const Op &op, LaneMask mask) {
  Fragment &fragment = warp->fragments[warp->current];
  fragment.pc = uint32_t(op.next() - code->ops.data());
  fragment.mask &= ~mask;
  if (!fragment.mask)
    warp->fragments.erase(&fragment);
  live &= ~mask;
  warp->hasGivenWay = true;
  warp->release();
  for (unsigned number = 0; number < block->barriers.size(); ++number)
    if (block->barriers[number].isUsed)
      block->completeBarrier(number);
  return nullptr;
}

const Op *Execution::branch(const Op &op, LaneMask taken, const Op *target) {
  if (taken == active)
    return target;
  if (!taken)
    return op.next();
  Fragment &rest = warp->fragments[warp->current];
  Fragment other = rest;
  rest.mask = active & ~taken;
  rest.pc = uint32_t(op.next() - code->ops.data());
  other.mask = taken;
  other.pc = uint32_t(target - code->ops.data());
  warp->fragments.push_back(std::move(other));
  warp->hasGivenWay = true;
  return nullptr;
}

const Op *Execution::giveWay() {
  warp->hasGivenWay = true;
  return nullptr;
}

void Execution::noteEvent() { ++block->events; }

const Op *Execution::fault(const Op &op, unsigned lane, FaultKind kind, const char *message) {
  block->setFault(&op, warp, lane, kind, message);
  warp->hasGivenWay = false;
  return nullptr;
}

const Op *Execution::misuse(const Op &op, unsigned lane, const char *message) {
  return fault(op, lane, FaultKind::Misuse, message);
}
