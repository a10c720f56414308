//===- Memory.cpp - Addresses and what is behind them ---------------------===//
//
// Global memory's allocations, and the way of a lane's access to the host's bytes. The vector
// families have a faster way for what they do all day; whatever that does not settle comes here.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Emulator/Memory.h"
#include "Block.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mettle::emulator;

/// Unmapped bytes between allocations, at least.
static constexpr uint64_t Gap = 1 << 20;

static uint64_t nextAddress(llvm::ArrayRef<GlobalMemory::Allocation> list, uint64_t alignment) {
  uint64_t end = list.empty() ? GlobalBase : list.back().address + list.back().size + Gap;
  end = (end + Gap - 1) / Gap * Gap;
  return alignment < 4096 ? end + alignment : end;
}

uint64_t GlobalMemory::map(llvm::MutableArrayRef<uint8_t> data, llvm::StringRef name,
                           uint64_t alignment) {
  uint64_t address = nextAddress(list, alignment);
  Allocation &one = list.emplace_back();
  one.name = name.str();
  one.address = address;
  one.size = data.size();
  one.host = data.data();
  return address;
}

uint64_t GlobalMemory::allocate(uint64_t bytes, llvm::StringRef name) {
  std::unique_ptr<uint8_t[]> memory(new uint8_t[bytes + 1]());
  uint64_t address = map({memory.get(), size_t(bytes)}, name);
  list.back().owned = std::move(memory);
  list.back().valid.reset(new uint8_t[bytes + 1]());
  return address;
}

const GlobalMemory::Allocation *GlobalMemory::find(uint64_t address) const {
  const Allocation *one = nearest(address);
  return one && address - one->address < one->size ? one : nullptr;
}

const GlobalMemory::Allocation *GlobalMemory::nearest(uint64_t address) const {
  auto above = llvm::upper_bound(
      list, address, [](uint64_t at, const Allocation &one) { return at < one.address; });
  if (list.empty())
    return nullptr;
  if (above == list.begin())
    return &*above;
  const Allocation &below = above[-1];
  if (above == list.end() || address - below.address < below.size ||
      address - (below.address + below.size) <= above->address - address)
    return &below;
  return &*above;
}

uint32_t GlobalMemory::startChecks() {
  // Stamps of earlier runs are older than any of this one, until the numbers run out.
  bool isFull = nextInterval > uint32_t(1) << 25;
  if (isFull)
    nextInterval = 1;
  for (Allocation &one : list) {
    size_t words = size_t(one.size / 4 + 1);
    if (one.writers && !isFull)
      continue;
    one.writers.reset(new uint32_t[words]());
    one.readers.reset(new uint32_t[words]());
  }
  return nextInterval;
}

//===----------------------------------------------------------------------===//
// A lane's access
//===----------------------------------------------------------------------===//

bool Execution::findGlobal(uint64_t address) {
  if (address - global.address < global.size)
    return true;
  std::swap(global, otherGlobal);
  if (address - global.address < global.size)
    return true;
  if (const GlobalMemory::Allocation *one = block->state.memory.find(address)) {
    bool checked = checks;
    global = {one->address,
              one->size,
              one->host,
              checked ? one->valid.get() : nullptr,
              checked ? one->writers.get() : nullptr,
              checked ? one->readers.get() : nullptr,
              true};
    return true;
  }
  std::vector<uint8_t> &variables = block->state.globalVariables;
  if (address - GlobalVariableBase >= variables.size())
    return false;
  global = {
      GlobalVariableBase, variables.size(), variables.data(), nullptr, nullptr, nullptr, true};
  return true;
}

bool Execution::checkRange(const Op &op, const Segment &segment, uint8_t *host, uint32_t bytes,
                           Access how) {
  uint64_t offset = uint64_t(host - segment.host), total = uint64_t(bytes) * NumLanes;
  if (segment.writers) {
    for (unsigned lane = 0; lane < NumLanes; ++lane)
      if (!checkRace(*this, op, segment, offset + lane * bytes, bytes, lane, how, false))
        return false;
  }
  if (!segment.valid)
    return true;
  if (how != Access::Read) {
    memset(segment.valid + offset, 1, total);
    return true;
  }
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    if (memchr(segment.valid + offset + lane * bytes, 0, bytes))
      unsetLanes |= LaneMask(1) << lane;
  return true;
}

static std::string describe(uint64_t address, Space space, const Block &block) {
  std::string text = "0x" + llvm::utohexstr(address, /*LowerCase=*/true);
  if (space == Space::Shared)
    return text + " of shared memory, which has " +
           llvm::utostr(block.state.code.dynamicOffset - SharedStart +
                        block.state.launch.dynamicShared) +
           " bytes from 0x" + llvm::utohexstr(SharedStart, true) + " on";
  if (space == Space::Local)
    return text + " of local memory, which has " + llvm::utostr(block.state.code.localBytes) +
           " bytes";
  if (space != Space::Global)
    return text;
  const GlobalMemory::Allocation *near = block.state.memory.nearest(address);
  if (!near)
    return text + "; no buffer is there";
  uint64_t end = near->address + near->size;
  if (address >= end)
    return text + ", " + llvm::utostr(address - end) + " bytes behind the end of '" + near->name +
           "' (" + llvm::utostr(near->size) + " bytes)";
  if (address < near->address)
    return text + ", " + llvm::utostr(near->address - address) + " bytes before '" + near->name +
           "' (" + llvm::utostr(near->size) + " bytes)";
  return text + ", byte " + llvm::utostr(address - near->address) + " of '" + near->name + "' (" +
         llvm::utostr(near->size) + " bytes)";
}

uint8_t *Execution::access(const Op &op, unsigned lane, Space space, uint64_t address,
                           uint32_t bytes, Access how, uint32_t alignment, const void *value) {
  if (space == Space::Generic) {
    space = Space::Global;
    for (auto [window, of] : {std::pair(SharedWindow, Space::Shared),
                              {LocalWindow, Space::Local},
                              {ParamWindow, Space::Param}})
      if (address - window < WindowSize) {
        space = of;
        address -= window;
      }
    if (address - ConstantBase < constant.size)
      space = Space::Constant;
  }
  auto complain = [&](FaultKind kind, std::string message) -> uint8_t * {
    block->setFault(&op, warp, lane, kind, std::move(message));
    return nullptr;
  };
  bool reads = ::mettle::emulator::reads(how), writes = ::mettle::emulator::writes(how);
  Segment segment;
  switch (space) {
  case Space::Shared:
    segment = shared;
    break;
  case Space::Local:
    segment = local;
    segment.host += local.size * (warpIndex * NumLanes + lane);
    break;
  case Space::Param:
    segment = param;
    break;
  case Space::Constant:
    segment = constant;
    break;
  case Space::Global:
  case Space::Generic:
    if (findGlobal(address))
      segment = global;
    break;
  }
  const char *verb = !writes ? "a read of " : reads ? "an update of " : "a write of ";
  if (!segment.covers(address, bytes))
    return complain(FaultKind::OutOfBounds, "expected memory of the kernel, found " +
                                                (verb + llvm::utostr(bytes)) + " bytes at " +
                                                describe(address, space, *block));
  if (address % (alignment ? alignment : bytes))
    return complain(FaultKind::Misaligned, "expected a multiple of " +
                                               llvm::utostr(alignment ? alignment : bytes) +
                                               ", found " + (verb + llvm::utostr(bytes)) +
                                               " bytes at " + describe(address, space, *block));
  if (writes && !segment.isWritable)
    return complain(FaultKind::ReadOnly, "expected memory that may be written, found " +
                                             (verb + llvm::utostr(bytes)) + " bytes at " +
                                             describe(address, space, *block));
  uint64_t offset = address - segment.address;
  if (segment.valid) {
    if (how == Access::Read || how == Access::AtomicRead) {
      if (memchr(segment.valid + offset, 0, bytes))
        unsetLanes |= LaneMask(1) << lane;
    } else if (reads) {
      for (uint32_t i = 0; i < bytes; ++i)
        if (!segment.valid[offset + i])
          return complain(FaultKind::UninitialisedMemory,
                          "expected memory that was written, found a read of byte " +
                              describe(address + i, space, *block));
    }
    if (writes)
      memset(segment.valid + offset, 1, bytes);
  }
  if (segment.writers) {
    bool isAtomic = ::mettle::emulator::isAtomic(how);
    if (isAtomic && reads)
      acquire(space, address);
    bool isSame = value && !memcmp(value, segment.host + offset, bytes);
    if (!checkRace(*this, op, segment, offset, bytes, lane, how, isAtomic, isSame))
      return nullptr;
    if (isAtomic && writes)
      release(space, address);
  }
  return segment.host + offset;
}
