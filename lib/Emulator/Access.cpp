//===- Access.cpp - Decoding loads, stores and addresses ------------------===//
//
// ld, st and what makes addresses of one space from those of another. The handlers of loads and
// stores are in MemoryLanes.cpp.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "Families.h"
#include "LaneTables.h"
#include "Segment.h"

using namespace mettle::emulator;
using namespace mettle::assembly;
using ptx::Modifier;
using ptx::Type;

static Type bitsType(unsigned bits) {
  return bits <= 8 ? Type::B8 : bits == 16 ? Type::B16 : bits == 32 ? Type::B32 : Type::B64;
}

/// Row of MemoryLanes.def within a name.
static unsigned rowOf(unsigned addressBits, unsigned bytes, unsigned count) {
  unsigned width = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
  unsigned elements = count == 1 ? 0 : count == 2 ? 1 : count == 4 ? 2 : 3;
  return (addressBits == 64 ? 16 : 0) + width * 4 + elements;
}

//===----------------------------------------------------------------------===//
// Loads and stores that are atomic
//===----------------------------------------------------------------------===//

static uint64_t addressOf(Execution &x, const Op &op, unsigned lane) {
  return op.detail == 64 ? x.lanes<uint64_t>(op.a)[lane] + op.immediate
                         : uint32_t(x.lanes<uint32_t>(op.a)[lane] + uint32_t(op.immediate));
}

template <typename T> static const Op *loadAtomically(Execution &x, const Op &op, LaneMask mask) {
  // All lanes first: the address may be in the register that is loaded.
  T words[NumLanes];
  for (unsigned lane : Execution::each(mask))
    if (!x.load(op, lane, op.space, addressOf(x, op, lane), &words[lane], sizeof(T),
                Access::AtomicRead))
      return x.stop();
  for (unsigned lane : Execution::each(mask))
    x.lanes<T>(op.d)[lane] = words[lane];
  return op.next();
}

template <typename T> static const Op *storeAtomically(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask))
    if (!x.store(op, lane, op.space, addressOf(x, op, lane), &x.lanes<T>(op.d)[lane], sizeof(T),
                 Access::AtomicWrite))
      return x.stop();
  return op.next();
}

/// Whether a load or store of one word does not race with atomics: it says its order, or is
/// volatile, which is relaxed.
static bool isOrdered(const Decoder &decoder, unsigned bits, unsigned count) {
  return bits >= 16 && count == 1 &&
         llvm::any_of(llvm::ArrayRef{Modifier::Relaxed, Modifier::Acquire, Modifier::Release,
                                     Modifier::Volatile, Modifier::Mmio},
                      [&](Modifier order) { return decoder.has(order); });
}

bool mettle::emulator::decodeLd(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  unsigned bits = ptx::typeBits(type), count = decoder.mnemonic->vectorWidth;
  Decoder::Address address;
  if (!decoder.address(decoder.operands[1], decoder.space(), address))
    return false;
  if (bits < 8 || bits > 64 || bits * count > 256)
    return decoder.unsupported();
  // The same in all lanes and blocks: a move from where the launch has put it.
  if (address.isLiteral && address.space == Space::Param && bits >= 16 && count == 1 &&
      decoder.bitsOf(decoder.operands[0]) == bits &&
      address.literal + bits / 8 <= decoder.code.paramBytes && address.literal % (bits / 8) == 0) {
    Slot d = decoder.write(decoder.operands[0], bits),
         a = decoder.parameter(uint32_t(address.literal), bits);
    if (d == NoSlot)
      return false;
    Op &op = decoder.emit(handlerOf(IntegerLane::Mov16, bits == 16   ? 0
                                                        : bits == 32 ? 1
                                                                     : 2),
                          OpClass::Load);
    op.d = d;
    op.a = a;
    return true;
  }
  // Registers may be wider than what is loaded; then the sign decides.
  const ptx::Operand &to = decoder.operands[0];
  llvm::SmallVector<ptx::Operand, 8> elements;
  if (to.is(ptx::OperandKind::Vector))
    llvm::append_range(elements, decoder.module.elements(to));
  else
    elements.push_back(to);
  bool isSigned = ptx::typeKind(type) == ptx::TypeKind::Signed;
  unsigned held = std::max(bits, 16u);
  struct Widening {
    Slot from, to;
    unsigned bits;
  };
  llvm::SmallVector<Widening, 8> widenings;
  llvm::SmallVector<Slot, 8> slots;
  if (elements.size() != count && to.is(ptx::OperandKind::Vector))
    return decoder.fail("expected " + llvm::Twine(count) + " registers, found " +
                        llvm::Twine(elements.size()));
  if (count > 1 && elements.size() == 1) {
    unsigned listed;
    uint32_t list = decoder.writeList(to, held, listed);
    slots.append(decoder.code.slots.begin() + list, decoder.code.slots.end());
  } else {
    for (const ptx::Operand &element : elements) {
      unsigned width = std::max(decoder.bitsOf(element), 16u);
      if (decoder.bitsOf(element) && width > held && width <= 64) {
        Slot narrowSlot = decoder.temporary(held);
        widenings.push_back({narrowSlot, decoder.write(element, width), width});
        slots.push_back(narrowSlot);
      } else {
        slots.push_back(decoder.write(element, held));
      }
    }
  }
  if (llvm::is_contained(slots, NoSlot) || slots.size() != count)
    return false;
  Op &op = decoder.emit(handlerOf(MemoryLane::LoadA32B1V1, rowOf(address.bits, bits / 8, count)),
                        OpClass::Load);
  op.a = address.base;
  op.immediate = address.offset;
  op.space = address.space;
  op.bytes = uint8_t(bits / 8);
  op.d = slots[0];
  op.list = uint32_t(decoder.code.slots.size());
  op.count = uint16_t(count);
  op.flip = isSigned;
  op.detail = uint16_t(address.bits);
  if (isOrdered(decoder, bits, count))
    op.run = bits == 16   ? loadAtomically<uint16_t>
             : bits == 32 ? loadAtomically<uint32_t>
                          : loadAtomically<uint64_t>;
  decoder.code.slots.insert(decoder.code.slots.end(), slots.begin(), slots.end());
  for (const Widening &one : widenings) {
    Op &wide = decoder.emit(widen, OpClass::Move);
    wide.d = one.to;
    wide.a = one.from;
    wide.bytes = uint8_t(one.bits / 8);
    wide.detail = uint16_t(held / 8);
    wide.flip = isSigned;
  }
  return true;
}

bool mettle::emulator::decodeSt(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  unsigned bits = ptx::typeBits(type), count = decoder.mnemonic->vectorWidth, listed;
  Decoder::Address address;
  if (!decoder.address(decoder.operands[0], decoder.space(), address))
    return false;
  if (bits < 8 || bits > 64 || bits * count > 256)
    return decoder.unsupported();
  uint32_t list = decoder.readList(decoder.operands[1], bitsType(bits), listed);
  if (listed != count)
    return decoder.fail("expected " + llvm::Twine(count) + " registers, found " +
                        llvm::Twine(listed));
  for (unsigned i = 0; i < count; ++i)
    if (decoder.code.slots[list + i] == NoSlot)
      return false;
  Op &op = decoder.emit(handlerOf(MemoryLane::StoreA32B1V1, rowOf(address.bits, bits / 8, count)),
                        OpClass::Store);
  op.a = address.base;
  op.immediate = address.offset;
  op.space = address.space;
  op.bytes = uint8_t(bits / 8);
  op.d = decoder.code.slots[list];
  op.list = list;
  op.count = uint16_t(count);
  op.detail = uint16_t(address.bits);
  if (isOrdered(decoder, bits, count))
    op.run = bits == 16   ? storeAtomically<uint16_t>
             : bits == 32 ? storeAtomically<uint32_t>
                          : storeAtomically<uint64_t>;
  return true;
}

/// d = a + immediate, words of Op::bytes bytes.
static const Op *runShift(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask))
    if (op.bytes == 8)
      x.lanes<uint64_t>(op.d)[lane] = x.lanes<uint64_t>(op.a)[lane] + op.immediate;
    else
      x.lanes<uint32_t>(op.d)[lane] = x.lanes<uint32_t>(op.a)[lane] + uint32_t(op.immediate);
  return op.next();
}

/// Where a space begins among generic addresses.
static uint64_t windowOf(Space space) {
  switch (space) {
  case Space::Shared:
    return SharedWindow;
  case Space::Local:
    return LocalWindow;
  case Space::Param:
    return ParamWindow;
  default:
    return 0;
  }
}

bool mettle::emulator::decodeCvta(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (ptx::typeBits(type) != 64)
    return decoder.unsupported();
  Op *op = decoder.emitPlain(runShift, OpClass::Integer, 64, {type});
  if (!op)
    return false;
  uint64_t window = windowOf(decoder.space());
  op->immediate = decoder.has(Modifier::To) ? 0 - window : window;
  op->bytes = 8;
  return true;
}

/// Op::space asked of generic addresses.
static const Op *runIsSpace(Execution &x, const Op &op, LaneMask mask) {
  const uint64_t *a = x.lanes<uint64_t>(op.a);
  LaneMask truth = 0;
  for (unsigned lane : Execution::each(mask)) {
    bool inWindow = false;
    for (uint64_t window : {SharedWindow, LocalWindow, ParamWindow})
      inWindow |= a[lane] - window < WindowSize;
    bool isConstant = a[lane] - ConstantBase < WindowSize;
    uint64_t window = windowOf(op.space);
    bool holds = op.space == Space::Global     ? !inWindow && !isConstant
                 : op.space == Space::Constant ? isConstant
                                               : a[lane] - window < WindowSize;
    truth |= LaneMask(holds) << lane;
  }
  x.setPredicate(op.d, mask, truth);
  return op.next();
}

bool mettle::emulator::decodeIsSpaceP(Decoder &decoder) {
  Slot d = decoder.writePredicate(decoder.operands[0]),
       a = decoder.read(decoder.operands[1], Type::U64);
  if (d == NoSlot || a == NoSlot)
    return false;
  Op &op = decoder.emit(runIsSpace, OpClass::Compare);
  op.d = d;
  op.a = a;
  op.space = decoder.space();
  return true;
}

/// Cache policies have no effect on results; their words are zero here.
bool mettle::emulator::decodeCreatePolicy(Decoder &decoder) {
  Slot d = decoder.write(decoder.operands[0], 64);
  if (d == NoSlot)
    return false;
  Op &op = decoder.emit(handlerOf(IntegerLane::Mov64), OpClass::Move);
  op.d = d;
  op.a = decoder.constant(0, 64);
  return true;
}
