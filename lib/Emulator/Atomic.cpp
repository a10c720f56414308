//===- Atomic.cpp - atom and red ------------------------------------------===//
//
// Lanes take their turns in rising order. Updates of global memory are atomic on the host too, so
// blocks on several cores may do what no order can change; where the order shows, the kernel is
// marked, its blocks run one after another, and a note says so.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "LaneTables.h"
#include "Mettle/Numerics/Format.h"
#include "Mettle/Numerics/Step.h"
#include "Segment.h"
#include <type_traits>

using namespace mettle;
using namespace mettle::emulator;
using namespace mettle::assembly;
using numerics::Format;
using ptx::Modifier;
using ptx::Type;

namespace {
enum class Update : uint8_t { Exchange, Swap, Add, Inc, Dec, Min, Max, And, Or, Xor };

/// Op::detail of an atomic.
struct UpdateDetail {
  Update update;
  bool isSigned, isFloat;
  bool flushes; ///< added by the memory, not by the multiprocessor: f32 subnormals are zeros
  uint8_t alignment = 0; ///< of the first element of a vector; 0: the element's own
  uint16_t pack() const {
    return uint16_t(unsigned(update) | isSigned << 4 | isFloat << 5 | flushes << 6 |
                    alignment << 8);
  }
  static UpdateDetail unpack(uint16_t word) {
    return {Update(word & 15), bool(word >> 4 & 1), bool(word >> 5 & 1), bool(word >> 6 & 1),
            uint8_t(word >> 8)};
  }
};
} // namespace

static uint32_t flushed(uint32_t word) {
  return (word & 0x7f800000) == 0 ? word & 0x80000000 : word;
}

/// a + b as the type's arithmetic has it, a from memory. Op::count: halves in a word, or 1;
/// Op::list: the Format.
static uint64_t addFloats(const Op &op, bool flushes, uint64_t a, uint64_t b) {
  auto format = Format(op.list);
  if (format == Format::F32) {
    uint32_t left = uint32_t(a), right = uint32_t(b);
    if (flushes)
      left = flushed(left), right = flushed(right);
    float sum = __builtin_bit_cast(float, left) + __builtin_bit_cast(float, right);
    uint32_t word = sum != sum ? 0x7fffffff : __builtin_bit_cast(uint32_t, sum);
    return flushes ? flushed(word) : word;
  }
  if (format == Format::F64) {
    // In global memory a NaN goes as it is, b before a; in shared memory made quiet, a before b.
    auto isNaN = [](uint64_t word) { return word << 1 > uint64_t(0x7ff) << 53; };
    if (flushes && (isNaN(a) || isNaN(b)))
      return isNaN(b) ? b : a;
    if (isNaN(a) || isNaN(b))
      return (isNaN(a) ? a : b) | 0x0008000000000000;
    double sum = __builtin_bit_cast(double, a) + __builtin_bit_cast(double, b);
    return sum != sum ? 0xfff8000000000000 : __builtin_bit_cast(uint64_t, sum);
  }
  uint64_t result = 0;
  for (unsigned i = 0; i < op.count; ++i) {
    uint64_t sum = numerics::addRounded(format, format, a >> (16 * i) & 0xffff, format,
                                        b >> (16 * i) & 0xffff);
    result |= sum << (16 * i);
  }
  return result;
}

template <typename T> static T updated(const Op &op, const UpdateDetail &detail, T old, T b, T c) {
  using S = std::make_signed_t<T>;
  bool isLess = detail.isSigned ? S(b) < S(old) : b < old;
  switch (detail.update) {
  case Update::Exchange:
    return b;
  case Update::Swap:
    return old == b ? c : old;
  case Update::Add:
    return detail.isFloat ? T(addFloats(op, detail.flushes, old, b)) : T(old + b);
  case Update::Inc:
    return old >= b ? 0 : T(old + 1);
  case Update::Dec:
    return old == 0 || old > b ? b : T(old - 1);
  case Update::Min:
    return isLess ? b : old;
  case Update::Max:
    return isLess ? old : b;
  case Update::And:
    return old & b;
  case Update::Or:
    return old | b;
  case Update::Xor:
    return old ^ b;
  }
  return old;
}

/// The address is in slot a (32-bit if Op::flip) plus the immediate.
template <typename T> static const Op *runAtomic(Execution &x, const Op &op, LaneMask mask) {
  UpdateDetail detail = UpdateDetail::unpack(op.detail);
  const T *b = x.lanes<T>(op.b), *c = op.c == NoSlot ? b : x.lanes<T>(op.c);
  T olds[NumLanes];
  for (unsigned lane : Execution::each(mask)) {
    uint64_t address = op.flip ? uint32_t(x.lanes<uint32_t>(op.a)[lane] + uint32_t(op.immediate))
                               : x.lanes<uint64_t>(op.a)[lane] + op.immediate;
    uint8_t *host =
        x.access(op, lane, op.space, address, sizeof(T), Access::Update, detail.alignment);
    if (!host)
      return x.stop();
    if (op.space == Space::Generic)
      detail.flushes = address < SharedWindow || address >= SharedWindow + WindowSize;
    T *word = reinterpret_cast<T *>(host);
    T old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, updated(op, detail, old, b[lane], c[lane]),
                                        false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
    olds[lane] = old;
  }
  x.noteEvent();
  if (op.d != NoSlot)
    for (unsigned lane : Execution::each(mask))
      x.lanes<T>(op.d)[lane] = olds[lane];
  return op.next();
}

static Type wordType(unsigned bits) {
  return bits == 16 ? Type::B16 : bits == 32 ? Type::B32 : Type::B64;
}

/// The slots of an operand's elements, as many as the mnemonic says.
static bool elementSlots(Decoder &decoder, const ptx::Operand &operand, unsigned bits, bool writes,
                         llvm::SmallVectorImpl<Slot> &slots) {
  unsigned width = decoder.mnemonic->vectorWidth;
  if (width == 1) {
    slots.push_back(writes ? decoder.write(operand, bits) : decoder.read(operand, wordType(bits)));
    return slots[0] != NoSlot;
  }
  unsigned count;
  uint32_t list = writes ? decoder.writeList(operand, bits, count)
                         : decoder.readList(operand, wordType(bits), count);
  if (count != width)
    return decoder.fail("expected " + llvm::Twine(width) + " registers, found " +
                        llvm::Twine(count));
  slots.append(decoder.code.slots.begin() + list, decoder.code.slots.begin() + list + count);
  return !llvm::is_contained(slots, NoSlot);
}

bool mettle::emulator::decodeAtomic(Decoder &decoder) {
  static constexpr std::pair<Modifier, Update> updates[] = {
      {Modifier::Exch, Update::Exchange}, {Modifier::Cas, Update::Swap},
      {Modifier::Add, Update::Add},       {Modifier::Inc, Update::Inc},
      {Modifier::Dec, Update::Dec},       {Modifier::Min, Update::Min},
      {Modifier::Max, Update::Max},       {Modifier::And, Update::And},
      {Modifier::Or, Update::Or},         {Modifier::Xor, Update::Xor}};
  bool isAtom = decoder.instruction->opcode == ptx::Opcode::Atom;
  Type type = decoder.mnemonic->type();
  unsigned bits = ptx::typeBits(type);
  UpdateDetail detail{};
  bool isKnown = false;
  for (auto [modifier, update] : updates)
    if (decoder.has(modifier) && !isKnown) {
      detail.update = update;
      isKnown = true;
    }
  detail.isSigned = ptx::typeKind(type) == ptx::TypeKind::Signed;
  detail.isFloat = ptx::typeKind(type) == ptx::TypeKind::Float;
  // Vectors are of floats in global memory; the mnemonic's reader knows the widths.
  unsigned width = decoder.mnemonic->vectorWidth;
  if (!isKnown || (bits != 16 && bits != 32 && bits != 64) ||
      (width != 1 && (!detail.isFloat || bits == 64 || width * bits > 128)) ||
      (detail.isFloat && detail.update != Update::Add))
    return decoder.unsupported();
  Format format = type == Type::F64                            ? Format::F64
                  : type == Type::F16 || type == Type::F16x2   ? Format::F16
                  : type == Type::BF16 || type == Type::BF16x2 ? Format::BF16
                                                               : Format::F32;
  llvm::ArrayRef<ptx::Operand> operands = decoder.operands;
  llvm::SmallVector<Slot, 8> olds, words;
  bool wantsOld = isAtom && !operands[0].is(ptx::OperandKind::Sink);
  if (wantsOld && !elementSlots(decoder, operands[0], bits, /*writes=*/true, olds))
    return false;
  if (isAtom)
    operands = operands.drop_front();
  Decoder::Address address;
  if (!decoder.address(operands[0], decoder.space(), address))
    return false;
  if (!elementSlots(decoder, operands[1], bits, /*writes=*/false, words))
    return false;
  Slot c = NoSlot;
  if (detail.update == Update::Swap) {
    if (operands.size() < 3)
      return decoder.unsupported();
    c = decoder.read(operands[2], wordType(bits));
    if (c == NoSlot)
      return false;
  }
  detail.flushes = address.space != Space::Shared;
  // The elements of a vector are updated one by one; a register may be both old word and operand.
  bool overlaps = width > 1 && wantsOld;
  for (unsigned i = 0; i < width; ++i) {
    detail.alignment = uint8_t(i == 0 && width > 1 ? width * bits / 8 : 0);
    Slot old = overlaps ? decoder.temporary(bits) : wantsOld ? olds[i] : NoSlot;
    Op &op = decoder.emit(bits == 16   ? runAtomic<uint16_t>
                          : bits == 32 ? runAtomic<uint32_t>
                                       : runAtomic<uint64_t>,
                          OpClass::Atomic);
    op.d = old;
    op.a = address.base;
    op.b = words[i];
    op.c = c;
    op.immediate = address.offset + i * bits / 8;
    op.flip = address.bits == 32;
    op.space = address.space;
    op.bytes = uint8_t(bits / 8);
    op.count = uint16_t(type == Type::F16x2 || type == Type::BF16x2 ? 2 : 1);
    op.list = uint32_t(format);
    op.detail = detail.pack();
    words[i] = old;
  }
  for (unsigned i = 0; overlaps && i < width; ++i) {
    Op &op = decoder.emit(handlerOf(IntegerLane::Mov16, bits == 16 ? 0 : 1), OpClass::Move);
    op.d = olds[i];
    op.a = words[i];
  }
  bool commutes = !detail.isFloat && !wantsOld && detail.update != Update::Exchange &&
                  detail.update != Update::Swap && detail.update != Update::Inc &&
                  detail.update != Update::Dec;
  if (!commutes) {
    decoder.note("the result may depend on the order of threads; rising order is taken");
    if (address.space != Space::Shared)
      decoder.code.isOrderSensitive = true;
  }
  return true;
}
