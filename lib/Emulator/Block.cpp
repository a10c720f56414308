//===- Block.cpp - A block of threads at work -----------------------------===//
//
// Warps take turns, each up to where it waits. Special registers, barriers, deadlock.
//
//===----------------------------------------------------------------------===//

#include "Block.h"
#include "Barrier.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mettle::emulator;
using namespace mettle::assembly;

/// Turns of all warps in a row without an event, after which spinning counts as a deadlock.
static constexpr unsigned IdleTurns = 20000;

Block::Block(LaunchState &state) : state(state) {
  const Code &code = state.code;
  const Launch &launch = state.launch;
  unsigned threads = launch.block[0] * launch.block[1] * launch.block[2];
  uint32_t sharedBytes = code.dynamicOffset - SharedStart + launch.dynamicShared;
  sharedMemory.resize(sharedBytes + 64);
  if (state.options.checks) {
    sharedValid.resize(sharedBytes + 64);
    sharedWriters.resize(sharedBytes / 4 + 1);
    sharedReaders.resize(sharedBytes / 4 + 1);
  }
  localMemory.resize(size_t(code.localBytes) * threads);
  for (unsigned w = 0; w * NumLanes < threads; ++w) {
    auto &warp = warps.emplace_back(std::make_unique<Warp>(code, *this, w));
    Execution &x = warp->x;
    x.checks = state.options.checks;
    x.shared = {SharedStart, sharedBytes, sharedMemory.data(), nullptr, nullptr, nullptr, true};
    if (x.checks) {
      x.shared.valid = sharedValid.data();
      x.shared.writers = sharedWriters.data();
      x.shared.readers = sharedReaders.data();
    }
    x.param = {0, code.paramBytes, state.parameters.data(), nullptr, nullptr, nullptr, false};
    x.constant = {
        ConstantBase, code.constantBytes, state.constantVariables.data(), nullptr, nullptr, nullptr,
        false};
    setSpecials(*warp, false);
    for (const ParameterSlot &one : code.parameters)
      for (unsigned lane = 0; lane < NumLanes; ++lane)
        memcpy(x.registers + one.slot + lane * one.bits / 8, state.parameters.data() + one.offset,
               one.bits / 8);
    x.local = {0, code.localBytes, localMemory.data(), nullptr, nullptr, nullptr, true};
  }
}

uint64_t Block::specialValue(const SpecialSlot &special, const Warp &warp, unsigned lane) const {
  const Launch &launch = state.launch;
  unsigned thread = warp.x.warpIndex * NumLanes + lane, component = special.component;
  auto extent = [&](const std::array<uint32_t, 3> &values) {
    return component < 3 ? values[component] : 0;
  };
  using ptx::SpecialRegister;
  LaneMask below = (LaneMask(1) << lane) - 1, own = LaneMask(1) << lane;
  switch (special.special) {
  case SpecialRegister::Tid:
    switch (component) {
    case 0:
      return thread % launch.block[0];
    case 1:
      return thread / launch.block[0] % launch.block[1];
    case 2:
      return thread / launch.block[0] / launch.block[1];
    default:
      return 0;
    }
  case SpecialRegister::NTid:
    return extent(launch.block);
  case SpecialRegister::CtaId:
  case SpecialRegister::ClusterId:
    return extent(index);
  case SpecialRegister::NCtaId:
  case SpecialRegister::NClusterId:
    return extent(launch.grid);
  case SpecialRegister::LaneId:
    return lane;
  case SpecialRegister::WarpId:
    return warp.x.warpIndex;
  case SpecialRegister::NWarpId:
    return warps.size();
  case SpecialRegister::NSmId:
    return 132;
  case SpecialRegister::ClusterNCtaId:
    return component < 3;
  case SpecialRegister::ClusterNCtaRank:
    return 1;
  case SpecialRegister::LaneMaskEq:
    return own;
  case SpecialRegister::LaneMaskLt:
    return below;
  case SpecialRegister::LaneMaskLe:
    return below | own;
  case SpecialRegister::LaneMaskGe:
    return ~below;
  case SpecialRegister::LaneMaskGt:
    return ~(below | own);
  case SpecialRegister::TotalSharedSize:
    return state.code.dynamicOffset + launch.dynamicShared;
  case SpecialRegister::DynamicSharedSize:
    return launch.dynamicShared;
  case SpecialRegister::ReservedSharedOffsetEnd:
  case SpecialRegister::ReservedSharedOffsetCap:
    return SharedStart;
  default:
    return 0; // the decoder admits no others but those that are 0 for a block alone
  }
}

template <typename T, typename F> static void fill(uint8_t *to, F value) {
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    reinterpret_cast<T *>(to)[lane] = T(value(lane));
}

/// Whether a special register changes from block to block.
static bool isOfBlock(const SpecialSlot &special) {
  return special.special == ptx::SpecialRegister::CtaId ||
         special.special == ptx::SpecialRegister::ClusterId;
}

void Block::setSpecials(Warp &warp, bool ofBlock) {
  for (const SpecialSlot &special : state.code.specials) {
    if (isOfBlock(special) != ofBlock)
      continue;
    uint8_t *to = warp.x.registers + special.slot;
    if (special.bits == 1) {
      memset(to, 0, sizeof(LaneMask));
      continue;
    }
    uint64_t same = ofBlock ? specialValue(special, warp, 0) : 0;
    auto value = [&](unsigned lane) { return ofBlock ? same : specialValue(special, warp, lane); };
    if (special.bits == 64)
      fill<uint64_t>(to, value);
    else if (special.bits == 32)
      fill<uint32_t>(to, value);
    else
      fill<uint16_t>(to, value);
  }
}

std::optional<Fault> Block::run(uint64_t number) {
  linear = number;
  const Launch &launch = state.launch;
  index = {uint32_t(linear % launch.grid[0]), uint32_t(linear / launch.grid[0] % launch.grid[1]),
           uint32_t(linear / launch.grid[0] / launch.grid[1])};
  fault.reset();
  for (Barrier &barrier : barriers)
    if (barrier.isUsed)
      barrier = {};
  if (state.options.checks) {
    clocks.fenced = {};
    clocks.released.clear();
    for (unsigned w = 0; w < warps.size(); ++w)
      clocks.seen[w] = {};
    unsetOrigins.clear();
    deliveries.start(unsigned(warps.size()) * NumLanes);
  }
  std::fill(sharedMemory.begin(), sharedMemory.end(), 0);
  std::fill(sharedValid.begin(), sharedValid.end(), 0);
  std::fill(localMemory.begin(), localMemory.end(), 0);
  unsigned threads = launch.block[0] * launch.block[1] * launch.block[2];
  for (auto &warp : warps) {
    unsigned left = threads - warp->x.warpIndex * NumLanes;
    warp->start(left >= NumLanes ? AllLanes : (LaneMask(1) << left) - 1);
    setSpecials(*warp, true);
    warp->x.startInterval();
    warp->x.quiet = warps.front()->x.interval;
    warp->x.firstInterval = warp->x.globalQuiet = state.intervals.firstOfLaunch();
  }
  uint64_t seen = events, limit = state.options.stepLimit, start = 0;
  for (auto &warp : warps)
    start += warp->steps;
  for (unsigned idle = 0;;) {
    bool isReady = false, isDone = true;
    uint64_t stepsBefore = 0, stepsAfter = 0;
    for (auto &warp : warps) {
      stepsBefore += warp->steps;
      if (warp->isReady()) {
        isReady = true;
        if (!warp->run())
          return fault;
        if (startsOver)
          break;
      }
      stepsAfter += warp->steps;
      isDone &= warp->isDone();
    }
    if (startsOver) {
      startsOver = false;
      idle = 0;
      continue;
    }
    if (isDone)
      return std::nullopt;
    if (!isReady) {
      reportDeadlock();
      return fault;
    }
    if (limit && stepsAfter - start > limit) {
      fault.emplace();
      fault->kind = FaultKind::StepLimit;
      fault->message =
          "expected the block to end within " + llvm::utostr(limit) + " warp instructions";
      fault->block = index;
      return fault;
    }
    bool isSpinning = stepsAfter - stepsBefore < warps.size() * 64 && events == seen;
    idle = isSpinning ? idle + 1 : 0;
    seen = events;
    if (idle > IdleTurns) {
      reportDeadlock();
      return fault;
    }
  }
}

static void merge(Clock &into, const Clock &from, size_t warps) {
  for (size_t i = 0; i < warps; ++i)
    into[i] = std::max(into[i], from[i]);
}

void Block::arrive(Barrier &barrier, const Warp &warp, LaneMask mask, bool waits) {
  unsigned w = warp.x.warpIndex;
  barrier.arrived[w] |= mask;
  if (waits || !state.options.checks)
    return;
  merge(barrier.clock, clocks.seen[w], warps.size());
  barrier.clock[w] = std::max(barrier.clock[w], warp.x.interval);
}

/// Those who waited know of one another what each has behind it.
void Block::meet(const Barrier &barrier, llvm::ArrayRef<Warp *> waiting, bool isWhole) {
  if (isWhole &&
      waiting.size() == size_t(llvm::count_if(warps, [](auto &w) { return w->x.live != 0; }))) {
    // Whatever was before is over for all.
    uint32_t quiet = ~0u;
    for (Warp *warp : waiting) {
      warp->x.startInterval();
      quiet = std::min(quiet, warp->x.interval);
    }
    for (auto &warp : warps) {
      warp->x.quiet = quiet;
      if (state.isOneBlock())
        warp->x.globalQuiet = quiet;
    }
    return;
  }
  Clock clock = barrier.clock;
  for (Warp *warp : waiting) {
    unsigned w = warp->x.warpIndex;
    merge(clock, clocks.seen[w], warps.size());
    clock[w] = std::max(clock[w], warp->x.interval);
  }
  for (Warp *warp : waiting) {
    merge(clocks.seen[warp->x.warpIndex], clock, warps.size());
    warp->x.startInterval();
  }
}

void Block::completeBarrier(unsigned number) {
  Barrier &barrier = barriers[number];
  if (!barrier.isUsed)
    return;
  unsigned come = 0;
  bool isWhole = true;
  // Warps take their turns in rising order: the last ones are missing longest.
  for (auto &warp : llvm::reverse(warps)) {
    LaneMask arrived = barrier.arrived[warp->x.warpIndex], live = warp->x.live;
    if (arrived && !(live & ~arrived))
      ++come;
    else if (live && !barrier.threads)
      return;
    else if (live)
      isWhole = false;
  }
  if (barrier.threads && come * NumLanes < barrier.threads)
    return;
  ++events;
  startsOver = true;
  if (state.options.checks) {
    llvm::SmallVector<Warp *, 32> waiting;
    for (auto &warp : warps)
      if (llvm::any_of(warp->fragments, [&](const Fragment &fragment) {
            return fragment.state == Fragment::AtBarrier && fragment.barrier == number;
          }))
        waiting.push_back(warp.get());
    meet(barrier, waiting, isWhole);
  }
  for (auto &warp : warps)
    for (Fragment &fragment : warp->fragments)
      if (fragment.state == Fragment::AtBarrier && fragment.barrier == number) {
        const Op &op = state.code.ops[fragment.pc];
        finishBarrier(warp->x, op, fragment.mask, barrier);
        fragment.state = Fragment::Ready;
        ++fragment.pc;
      }
  barrier = {};
}

void Block::reportDeadlock() {
  for (auto &warp : warps)
    for (const Fragment &fragment : warp->fragments) {
      const Op &op = state.code.ops[fragment.pc];
      unsigned lane = unsigned(__builtin_ctz(fragment.mask));
      if (fragment.state == Fragment::AtBarrier) {
        std::string others;
        for (auto &other : warps)
          for (const Fragment &part : other->fragments)
            if (part.state != Fragment::AtBarrier || part.barrier != fragment.barrier)
              others = "; warp " + llvm::utostr(other->x.warpIndex) + " never comes";
        return setFault(&op, warp.get(), lane, FaultKind::BarrierDivergence,
                        "expected all threads at barrier " + llvm::utostr(fragment.barrier) +
                            others);
      }
      if (fragment.state == Fragment::AtWarp)
        return setFault(&op, warp.get(), lane, FaultKind::WarpDivergence,
                        "expected the lanes of mask 0x" + llvm::utohexstr(fragment.members) +
                            ", found those of 0x" + llvm::utohexstr(fragment.mask));
    }
  for (auto &warp : warps)
    for (const Fragment &fragment : warp->fragments)
      return setFault(&state.code.ops[fragment.pc], warp.get(),
                      unsigned(__builtin_ctz(fragment.mask)), FaultKind::Deadlock,
                      "expected an end to this wait; no thread of the block can bring it about");
}

void Block::setFault(const Op *op, const Warp *warp, unsigned lane, FaultKind kind,
                     std::string message) {
  if (fault)
    return;
  fault.emplace();
  fault->kind = kind;
  fault->message = std::move(message);
  const ptx::Module &module = *state.code.module;
  const ptx::Instruction &instruction = module.instructions[op->instruction];
  fault->offset = instruction.offset;
  if (instruction.location) {
    const ptx::Location &location = module.locations[instruction.location];
    if (const ptx::SourceFile *file = module.fileNumbered(location.file))
      fault->source = (module.slice(file->path).trim('"') + ":" + llvm::Twine(location.line)).str();
  }
  fault->hasThread = true;
  const Launch &launch = state.launch;
  unsigned thread = warp->x.warpIndex * NumLanes + lane;
  fault->thread = {thread % launch.block[0], thread / launch.block[0] % launch.block[1],
                   thread / launch.block[0] / launch.block[1]};
  fault->block = index;
}
