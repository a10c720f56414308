//===- AsyncCopy.cpp - cp.async and cp.async.bulk -------------------------===//
//
// Copies that a kernel waits for later. They happen when a lane comes to them, which is a legal
// time, so groups and waits have nothing left to do; what counts bytes at an mbarrier is counted at
// once.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopy.h"
#include "Block.h"
#include "Families.h"
#include "MBarrier.h"
#include "Mettle/Emulator/Fault.h"
#include "Mettle/Numerics/Step.h"
#include "Reach.h"

using namespace mettle::emulator;
using mettle::numerics::Format;
namespace numerics = mettle::numerics;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// d = a, of 4 or 8 bytes, + immediate.
static const Op *runWiden(Execution &x, const Op &op, LaneMask mask) {
  uint64_t *d = x.lanes<uint64_t>(op.d);
  for (unsigned lane : Execution::each(mask)) {
    uint64_t base = op.bytes == 4 ? x.lanes<uint32_t>(op.a)[lane] : x.lanes<uint64_t>(op.a)[lane];
    d[lane] = base + op.immediate;
  }
  return op.next();
}

Slot mettle::emulator::wideAddress(Decoder &decoder, const Decoder::Address &address) {
  if (address.bits == 64 && address.offset == 0)
    return address.base;
  Slot slot = decoder.temporary(64);
  Op &op = decoder.emit(runWiden, OpClass::Integer);
  op.d = slot;
  op.a = address.base;
  op.bytes = uint8_t(address.bits / 8);
  op.immediate = address.offset;
  return slot;
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

namespace {
/// Op::detail: what the fourth operand is.
enum CopyDetail : uint16_t { WholeCopy, SourceBytes, IgnoreSource };
} // namespace

// a: destination; b: source; c: source bytes or the ignoring predicate; bytes: size.
static const Op *runCopy(Execution &x, const Op &op, LaneMask mask) {
  uint32_t bytes = op.bytes;
  for (unsigned lane : Execution::each(mask)) {
    uint32_t fromSource = bytes;
    if (op.detail == SourceBytes)
      fromSource = x.lanes<uint32_t>(op.c)[lane];
    else if (op.detail == IgnoreSource && ((x.predicate(op.c) ^ op.flipMask()) >> lane & 1))
      fromSource = 0;
    if (fromSource > bytes)
      return x.fault(op, lane, FaultKind::Misuse,
                     "expected no more source bytes than the copy has");
    uint8_t data[16] = {};
    if (fromSource) {
      const uint8_t *from =
          reach(x, op, lane, op.space, wideWord(x, op.b, lane), fromSource, Access::Read, bytes);
      if (!from)
        return x.stop();
      memcpy(data, from, fromSource);
    }
    // Compilers take no proxy fence between this copy and what the async proxy reads of it.
    uint8_t *to = reach(x, op, lane, Space::Shared, wideWord(x, op.a, lane), bytes,
                        Access::AsyncWrite, 0, data);
    if (!to)
      return x.stop();
    memcpy(to, data, bytes);
    if (x.checks)
      x.block->deliveries.issue(x, lane, wideWord(x, op.a, lane), bytes);
  }
  return op.next();
}

bool mettle::emulator::decodeCpAsync(Decoder &decoder) {
  llvm::ArrayRef<ptx::Operand> operands = decoder.operands;
  Decoder::Address to, from;
  uint64_t bytes;
  if (!decoder.address(operands[0], Space::Shared, to) ||
      !decoder.address(operands[1], Space::Global, from) ||
      !decoder.immediate(operands[2], "the bytes of a copy", bytes))
    return false;
  if (bytes != 16 && (decoder.has(ptx::Modifier::Cg) || (bytes != 4 && bytes != 8)))
    return decoder.fail("expected a copy of 16 bytes, or of 4 or 8 with .ca, found " +
                        llvm::Twine(bytes));
  // A cache policy comes last and changes nothing.
  size_t count = operands.size() - decoder.has(ptx::Modifier::L2CacheHint);
  uint16_t detail = WholeCopy;
  Slot c = NoSlot;
  bool flip = false;
  if (count > 3) {
    const ptx::Operand &last = operands[3];
    bool isPredicate = last.has(ptx::Negated) ||
                       (last.is(ptx::OperandKind::Register) && decoder.bitsOf(last) == 1);
    detail = isPredicate ? IgnoreSource : SourceBytes;
    c = isPredicate ? decoder.readPredicate(last, flip) : decoder.read(last, ptx::Type::U32);
  }
  Slot a = wideAddress(decoder, to), b = wideAddress(decoder, from);
  Op &op = decoder.emit(runCopy, OpClass::Async);
  op.a = a;
  op.b = b;
  op.c = c;
  op.flip = flip;
  op.bytes = uint8_t(bytes);
  op.space = from.space;
  op.detail = detail;
  return true;
}

/// Every copy before them has happened: of groups and waits only the checks want to know.
bool mettle::emulator::decodeAsyncOrder(Decoder &) { return true; }

static const Op *runCommit(Execution &x, const Op &op, LaneMask mask) {
  if (x.checks)
    for (unsigned lane : Execution::each(mask))
      x.block->deliveries.commit(x, lane);
  return op.next();
}

static const Op *runWaitGroup(Execution &x, const Op &op, LaneMask mask) {
  if (x.checks)
    for (unsigned lane : Execution::each(mask))
      x.block->deliveries.waitGroups(x, lane, op.immediate);
  return op.next();
}

static const Op *runWaitAll(Execution &x, const Op &op, LaneMask mask) {
  if (x.checks)
    for (unsigned lane : Execution::each(mask))
      x.block->deliveries.waitAll(x, lane);
  return op.next();
}

bool mettle::emulator::decodeCpAsyncCommit(Decoder &decoder) {
  decoder.emit(runCommit, OpClass::Async);
  return true;
}

bool mettle::emulator::decodeCpAsyncWaitGroup(Decoder &decoder) {
  uint64_t left;
  if (!decoder.immediate(decoder.operands[0], "a number of groups", left))
    return false;
  decoder.emit(runWaitGroup, OpClass::Async).immediate = left;
  return true;
}

bool mettle::emulator::decodeCpAsyncWaitAll(Decoder &decoder) {
  decoder.emit(runWaitAll, OpClass::Async);
  return true;
}

//===----------------------------------------------------------------------===//
// cp.async.bulk
//===----------------------------------------------------------------------===//

bool mettle::emulator::checkMulticast(Decoder &decoder, unsigned index) {
  if (!decoder.has(ptx::Modifier::MulticastCluster))
    return true;
  const ptx::Operand *mask = index < decoder.operands.size() ? &decoder.operands[index] : nullptr;
  // A mask in a register cannot be told here; the block itself is always its own receiver.
  if (mask && mask->is(ptx::OperandKind::Integer) && mask->bits != 1)
    return decoder.fail("expected a multicast mask of 1; clusters have one block here");
  return true;
}

// a: destination; b: source; c: bytes; d: mbarrier or NoSlot. detail: whether it reduces.
static const Op *runBulk(Execution &x, const Op &op, LaneMask mask) {
  Space from = op.space, to = Space(op.bytes);
  for (unsigned lane : Execution::each(mask)) {
    uint32_t bytes = x.lanes<uint32_t>(op.c)[lane];
    if (bytes % 16 != 0)
      return x.fault(op, lane, FaultKind::Misuse,
                     "expected a number of bytes that is a multiple of 16");
    if (bytes != 0) {
      const uint8_t *source =
          x.access(op, lane, from, wideWord(x, op.b, lane), bytes, Access::AsyncRead, 16);
      if (!source)
        return x.stop();
      uint8_t *target = x.access(op, lane, to, wideWord(x, op.a, lane), bytes,
                                 op.detail ? Access::Update : Access::AsyncWrite, 16);
      if (!target)
        return x.stop();
      if (op.detail)
        reduceBytes(Reduction::decode(op.immediate), target, source, bytes);
      else
        memmove(target, source, bytes);
      if (x.checks && to == Space::Shared && op.d != NoSlot && !op.detail)
        x.block->deliveries.issueBulk(x, lane, wideWord(x, op.d, lane), wideWord(x, op.a, lane),
                                      bytes);
    }
    if (op.d != NoSlot && !completeBytes(x, op, lane, wideWord(x, op.d, lane), bytes))
      return x.stop();
  }
  return op.next();
}

bool mettle::emulator::decodeCpAsyncBulk(Decoder &decoder) {
  llvm::ArrayRef<ptx::Operand> operands = decoder.operands;
  llvm::StringRef text = decoder.text();
  bool reduces = text.starts_with("cp.reduce");
  // Of the two spaces, in order of destination and source, at most one is global.
  Space to = decoder.space(), from = Space::Shared;
  if (to == Space::Shared && text.contains(".global"))
    from = Space::Global;
  if (text.contains(".cp_mask") || text.contains(".ignore_oob"))
    return decoder.unsupported();
  bool hasBarrier = text.contains(".mbarrier::");
  Decoder::Address toAddress, fromAddress, barrier;
  if (!decoder.address(operands[0], to, toAddress) ||
      !decoder.address(operands[1], from, fromAddress))
    return false;
  if (hasBarrier && (operands.size() < 4 || !decoder.address(operands[3], Space::Shared, barrier)))
    return decoder.fail("expected an mbarrier as fourth operand");
  if (!checkMulticast(decoder, 4))
    return false;
  Reduction reduction;
  if (reduces && !decodeReduction(decoder, reduction, /*hasType=*/true))
    return false;
  Slot bytes = decoder.read(operands[2], ptx::Type::U32);
  Slot a = wideAddress(decoder, toAddress), b = wideAddress(decoder, fromAddress);
  Slot d = hasBarrier ? wideAddress(decoder, barrier) : NoSlot;
  Op &op = decoder.emit(runBulk, OpClass::Async);
  op.a = a;
  op.b = b;
  op.c = bytes;
  op.d = d;
  op.space = fromAddress.space;
  op.bytes = uint8_t(toAddress.space);
  op.detail = reduces;
  op.immediate = reduction.encode();
  return true;
}

//===----------------------------------------------------------------------===//
// st.async and red.async
//===----------------------------------------------------------------------===//

// a: destination; list: the words; bytes: of one; d: mbarrier. detail: whether it reduces.
static const Op *runStoreAsync(Execution &x, const Op &op, LaneMask mask) {
  const Slot *words = x.code->slots.data() + op.list;
  uint32_t total = op.bytes * op.count;
  for (unsigned lane : Execution::each(mask)) {
    uint8_t *to = x.access(op, lane, Space::Shared, wideWord(x, op.a, lane), total,
                           op.detail ? Access::Update : Access::AsyncWrite);
    if (!to)
      return x.stop();
    for (unsigned i = 0; i < op.count; ++i) {
      const uint8_t *word = x.registers + words[i] + lane * op.bytes;
      if (op.detail)
        reduceBytes(Reduction::decode(op.immediate), to, word, op.bytes);
      else
        memcpy(to + i * op.bytes, word, op.bytes);
    }
    if (x.checks && !op.detail)
      x.block->deliveries.issueBulk(x, lane, wideWord(x, op.d, lane), wideWord(x, op.a, lane),
                                    total);
    if (!completeBytes(x, op, lane, wideWord(x, op.d, lane), total))
      return x.stop();
  }
  return op.next();
}

bool mettle::emulator::decodeStoreAsync(Decoder &decoder) {
  bool reduces = decoder.text().starts_with("red.async");
  ptx::Type type = decoder.mnemonic->type();
  Decoder::Address to, barrier;
  if (ptx::typeBits(type) < 32 || decoder.operands.size() != 3)
    return decoder.unsupported();
  if (!decoder.address(decoder.operands[0], Space::Shared, to) ||
      !decoder.address(decoder.operands[2], Space::Shared, barrier))
    return false;
  Reduction reduction;
  if (reduces && !decodeReduction(decoder, reduction, /*hasType=*/true))
    return false;
  unsigned count;
  uint32_t list = decoder.readList(decoder.operands[1], type, count);
  if (count != decoder.mnemonic->vectorWidth)
    return decoder.fail("expected " + llvm::Twine(decoder.mnemonic->vectorWidth) +
                        " registers, found " + llvm::Twine(count));
  Slot a = wideAddress(decoder, to), d = wideAddress(decoder, barrier);
  Op &op = decoder.emit(runStoreAsync, OpClass::Async);
  op.a = a;
  op.d = d;
  op.list = list;
  op.count = uint16_t(count);
  op.bytes = uint8_t(ptx::typeBits(type) / 8);
  op.detail = reduces;
  op.immediate = reduction.encode();
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

bool mettle::emulator::decodeReduction(Decoder &decoder, Reduction &reduction, bool hasType) {
  static constexpr std::pair<llvm::StringLiteral, Reduction::Operation> names[] = {
      {"add", Reduction::Add}, {"min", Reduction::Min}, {"max", Reduction::Max},
      {"inc", Reduction::Inc}, {"dec", Reduction::Dec}, {"and", Reduction::And},
      {"or", Reduction::Or},   {"xor", Reduction::Xor}};
  llvm::SmallVector<llvm::StringRef, 12> parts;
  decoder.text().split(parts, '.');
  bool isNamed = false;
  for (llvm::StringRef part : llvm::ArrayRef(parts).drop_front(std::min<size_t>(4, parts.size())))
    for (auto [name, operation] : names)
      if (part == name) {
        reduction.operation = operation;
        isNamed = true;
      }
  if (hasType)
    reduction.type = decoder.mnemonic->types[0];
  if (!isNamed || (hasType && !isReduction(reduction)))
    return decoder.unsupported();
  return true;
}

bool mettle::emulator::isReduction(Reduction reduction) {
  using ptx::Type;
  bool isInteger = reduction.type == Type::U32 || reduction.type == Type::S32 ||
                   reduction.type == Type::U64 || reduction.type == Type::S64;
  switch (reduction.operation) {
  case Reduction::Add:
    return isInteger || ptx::typeKind(reduction.type) == ptx::TypeKind::Float;
  case Reduction::Min:
  case Reduction::Max:
    return isInteger || reduction.type == Type::F16 || reduction.type == Type::BF16;
  case Reduction::Inc:
  case Reduction::Dec:
    return reduction.type == Type::U32;
  default:
    return isInteger || reduction.type == Type::B32 || reduction.type == Type::B64;
  }
}

template <typename T> static T reducedInteger(Reduction::Operation operation, T a, T b) {
  using U = std::make_unsigned_t<T>;
  switch (operation) {
  case Reduction::Add:
    return T(U(a) + U(b));
  case Reduction::Min:
    return std::min(a, b);
  case Reduction::Max:
    return std::max(a, b);
  case Reduction::Inc:
    return a >= b ? T(0) : T(a + 1);
  case Reduction::Dec:
    return a == 0 || a > b ? b : T(a - 1);
  case Reduction::And:
    return a & b;
  case Reduction::Or:
    return a | b;
  case Reduction::Xor:
    return a ^ b;
  }
  llvm_unreachable("an operation");
}

template <typename T>
static void overElements(uint8_t *target, const uint8_t *source, size_t bytes,
                         llvm::function_ref<T(T, T)> combine) {
  for (size_t i = 0; i < bytes; i += sizeof(T)) {
    T a, b;
    memcpy(&a, target + i, sizeof(T));
    memcpy(&b, source + i, sizeof(T));
    a = combine(a, b);
    memcpy(target + i, &a, sizeof(T));
  }
}

/// A NaN goes as it is, the copy's before the target's.
static uint64_t addDoubles(uint64_t a, uint64_t b) {
  auto isNaN = [](uint64_t word) { return word << 1 > uint64_t(0x7ff) << 53; };
  return isNaN(b)   ? b
         : isNaN(a) ? a
                    : numerics::addRounded(Format::F64, Format::F64, a, Format::F64, b);
}

/// min and max of halves: a number before a NaN, -0 below +0.
template <bool isMax> static uint16_t extreme(Format format, uint16_t a, uint16_t b) {
  uint64_t infinity = numerics::info(format).infinity();
  bool aIsNaN = (a & 0x7fff) > infinity, bIsNaN = (b & 0x7fff) > infinity;
  if (aIsNaN || bIsNaN)
    return aIsNaN && bIsNaN ? 0x7fff : aIsNaN ? b : a;
  auto order = [](uint16_t word) { return int16_t(word & 0x8000 ? word ^ 0x7fff : word); };
  return (order(a) < order(b)) != isMax ? a : b;
}

void mettle::emulator::reduceBytes(Reduction reduction, uint8_t *target, const uint8_t *source,
                                   size_t bytes) {
  Reduction::Operation operation = reduction.operation;
  auto add = [](Format format) {
    return [format](auto a, auto b) {
      return decltype(a)(numerics::addRounded(format, format, a, format, b));
    };
  };
  switch (reduction.type) {
  case ptx::Type::F16:
  case ptx::Type::BF16: {
    Format format = reduction.type == ptx::Type::F16 ? Format::F16 : Format::BF16;
    if (operation == Reduction::Add)
      return overElements<uint16_t>(target, source, bytes, add(format));
    return overElements<uint16_t>(target, source, bytes, [&](uint16_t a, uint16_t b) {
      return operation == Reduction::Max ? extreme<true>(format, a, b)
                                         : extreme<false>(format, a, b);
    });
  }
  case ptx::Type::F32: // subnormals stay, unlike those of atom.add.f32
    return overElements<uint32_t>(target, source, bytes, [&](uint32_t a, uint32_t b) {
      auto flushed = [&](uint32_t word) {
        return reduction.flushes && (word & 0x7F800000) == 0 ? word & 0x80000000 : word;
      };
      return flushed(add(Format::F32)(flushed(a), flushed(b)));
    });
  case ptx::Type::F64:
    return overElements<uint64_t>(target, source, bytes, addDoubles);
  case ptx::Type::S32:
    return overElements<int32_t>(target, source, bytes, [&](int32_t a, int32_t b) {
      return reducedInteger(operation, a, b);
    });
  case ptx::Type::S64:
    return overElements<int64_t>(target, source, bytes, [&](int64_t a, int64_t b) {
      return reducedInteger(operation, a, b);
    });
  case ptx::Type::U64:
  case ptx::Type::B64:
    return overElements<uint64_t>(target, source, bytes, [&](uint64_t a, uint64_t b) {
      return reducedInteger(operation, a, b);
    });
  default:
    return overElements<uint32_t>(target, source, bytes, [&](uint32_t a, uint32_t b) {
      return reducedInteger(operation, a, b);
    });
  }
}
