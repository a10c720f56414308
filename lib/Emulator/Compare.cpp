//===- Compare.cpp - Decoding comparisons ---------------------------------===//
//
// setp, set and testp. The handlers are in IntegerLanes.cpp and HalfLanes.cpp.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "FloatDetail.h"
#include "LaneTables.h"
#include <optional>

using namespace mettle::emulator;
using namespace mettle::assembly;
using ptx::Modifier;
using ptx::Type;

namespace {
/// A comparison, its rows of handlers, and for halves its table of truth: 1 less, 2 equal,
/// 4 greater, 8 unordered.
struct Comparison {
  Modifier modifier;
  std::optional<IntegerLane> integer;
  IntegerLane floating;
  unsigned truth;
};
} // namespace

static constexpr Comparison comparisons[] = {
    {Modifier::Eq, IntegerLane::EqU16, IntegerLane::EqF32, 2},
    {Modifier::Ne, IntegerLane::NeU16, IntegerLane::NeF32, 1 | 4},
    {Modifier::Lt, IntegerLane::LtU16, IntegerLane::LtF32, 1},
    {Modifier::Le, IntegerLane::LeU16, IntegerLane::LeF32, 1 | 2},
    {Modifier::Gt, IntegerLane::GtU16, IntegerLane::GtF32, 4},
    {Modifier::Ge, IntegerLane::GeU16, IntegerLane::GeF32, 4 | 2},
    {Modifier::Lo, IntegerLane::LtU16, IntegerLane::LtF32, 1},
    {Modifier::Ls, IntegerLane::LeU16, IntegerLane::LeF32, 1 | 2},
    {Modifier::Hi, IntegerLane::GtU16, IntegerLane::GtF32, 4},
    {Modifier::Hs, IntegerLane::GeU16, IntegerLane::GeF32, 4 | 2},
    {Modifier::Equ, std::nullopt, IntegerLane::EquF32, 2 | 8},
    {Modifier::Neu, std::nullopt, IntegerLane::NeuF32, 1 | 4 | 8},
    {Modifier::Ltu, std::nullopt, IntegerLane::LtuF32, 1 | 8},
    {Modifier::Leu, std::nullopt, IntegerLane::LeuF32, 1 | 2 | 8},
    {Modifier::Gtu, std::nullopt, IntegerLane::GtuF32, 4 | 8},
    {Modifier::Geu, std::nullopt, IntegerLane::GeuF32, 4 | 2 | 8},
    {Modifier::Num, std::nullopt, IntegerLane::NumF32, 1 | 2 | 4},
    {Modifier::Nan, std::nullopt, IntegerLane::NanF32, 8},
};

static unsigned halfRow(Type type) {
  switch (type) {
  case Type::F16:
    return 0;
  case Type::F16x2:
    return 1;
  case Type::BF16:
    return 2;
  case Type::BF16x2:
    return 3;
  default:
    return 4;
  }
}

/// Appends the comparison of operands `first` and `first` + 1 with the result in predicate slots.
/// `combined` is the operand of .and, .or or .xor, if there is one.
static bool emitComparison(Decoder &decoder, Type type, unsigned first, Slot d, Slot opposite,
                           const ptx::Operand *combined) {
  const Comparison *comparison = nullptr;
  for (const Comparison &one : comparisons)
    if (decoder.has(one.modifier) && !comparison)
      comparison = &one;
  if (!comparison)
    return decoder.unsupported();
  Slot a = decoder.read(decoder.operands[first], type),
       b = decoder.read(decoder.operands[first + 1], type);
  if (a == NoSlot || b == NoSlot)
    return false;
  bool flip = false;
  Slot other = combined ? decoder.readPredicate(*combined, flip) : NoSlot;
  if (combined && other == NoSlot)
    return false;
  unsigned combine = !combined                    ? 0
                     : decoder.has(Modifier::And) ? 1
                     : decoder.has(Modifier::Or)  ? 2
                                                  : 3;
  unsigned bits = ptx::typeBits(type);
  Op *op = nullptr;
  if (halfRow(type) < 4) {
    if (combined)
      return decoder.unsupported();
    op = &decoder.emit(handlerOf(HalfLane::SetPF16, halfRow(type)), OpClass::Compare);
    op->immediate = comparison->truth;
    op->detail = decoder.has(Modifier::Ftz) ? Flush : 0;
  } else if (ptx::typeKind(type) == ptx::TypeKind::Float) {
    unsigned row = type == Type::F64 ? 2 : decoder.has(Modifier::Ftz) ? 1 : 0;
    op = &decoder.emit(handlerOf(comparison->floating, row), OpClass::Compare);
    op->detail = uint16_t(combine);
  } else {
    if (!comparison->integer || bits < 16)
      return decoder.unsupported();
    unsigned row = (bits == 16   ? 0
                    : bits == 32 ? 1
                                 : 2) +
                   (ptx::typeKind(type) == ptx::TypeKind::Signed ? 3 : 0);
    op = &decoder.emit(handlerOf(*comparison->integer, row), OpClass::Compare);
    op->detail = uint16_t(combine);
  }
  op->d = d;
  op->a = a;
  op->b = b;
  op->c = other;
  op->flip = flip;
  // Slot 0 holds the predicate that is always true, so 0 says that nobody wants the opposite.
  op->list = opposite == NoSlot ? 0 : opposite;
  return true;
}

bool mettle::emulator::decodeSetP(Decoder &decoder) {
  const ptx::Operand &result = decoder.operands[0];
  Slot d, opposite = NoSlot;
  if (result.is(ptx::OperandKind::Pair)) {
    llvm::ArrayRef<ptx::Operand> both = decoder.module.elements(result);
    d = decoder.writePredicate(both[0]);
    opposite = decoder.writePredicate(both[1]);
    if (opposite == NoSlot)
      return false;
  } else {
    d = decoder.writePredicate(result);
  }
  return d != NoSlot &&
         emitComparison(decoder, decoder.mnemonic->type(), 1, d, opposite,
                        decoder.operands.size() > 3 ? &decoder.operands[3] : nullptr);
}

bool mettle::emulator::decodeSet(Decoder &decoder) {
  Type result = decoder.mnemonic->types[0], type = decoder.mnemonic->types[1];
  unsigned bits = ptx::typeBits(result);
  if (halfRow(type) < 4) {
    const Comparison *comparison = nullptr;
    for (const Comparison &one : comparisons)
      if (decoder.has(one.modifier) && !comparison)
        comparison = &one;
    bool isPair = halfRow(type) & 1, isWhole = ptx::typeKind(result) != ptx::TypeKind::Float;
    if (!comparison || decoder.operands.size() > 3 || (isPair ? bits != 32 : bits > 32))
      return decoder.unsupported();
    if (!isPair && bits == 32 && isWhole) {
      Slot truth = decoder.temporary(1);
      Slot a = decoder.read(decoder.operands[1], type), b = decoder.read(decoder.operands[2], type);
      Slot d = decoder.write(decoder.operands[0], bits);
      if (a == NoSlot || b == NoSlot || d == NoSlot)
        return false;
      Op &compare = decoder.emit(handlerOf(HalfLane::SetPF16, halfRow(type)), OpClass::Compare);
      compare.d = truth;
      compare.a = a;
      compare.b = b;
      compare.immediate = comparison->truth;
      compare.detail = decoder.has(Modifier::Ftz) ? Flush : 0;
      Op &set = decoder.emit(handlerOf(IntegerLane::SetFromPredicate32), OpClass::Compare);
      set.d = d;
      set.a = truth;
      set.immediate = ~uint64_t(0);
      return true;
    }
    if (!isPair && bits == 32)
      return decoder.unsupported();
    Op *op = decoder.emitPlain(handlerOf(HalfLane::SetF16, halfRow(type)), OpClass::Compare, bits,
                               {type, type});
    if (!op)
      return false;
    op->immediate = comparison->truth;
    op->detail = decoder.has(Modifier::Ftz) ? Flush : 0;
    op->flip = isWhole;
    return true;
  }
  if (bits != 32 && bits != 16)
    return decoder.unsupported();
  Slot truth = decoder.temporary(1), d = decoder.write(decoder.operands[0], bits);
  if (d == NoSlot || !emitComparison(decoder, type, 1, truth, NoSlot,
                                     decoder.operands.size() > 3 ? &decoder.operands[3] : nullptr))
    return false;
  Op &op = decoder.emit(
      handlerOf(bits == 32 ? IntegerLane::SetFromPredicate32 : IntegerLane::SetFromPredicate16),
      OpClass::Compare);
  op.d = d;
  op.a = truth;
  op.immediate = result == Type::F32    ? 0x3f800000
                 : result == Type::F16  ? 0x3c00
                 : result == Type::BF16 ? 0x3f80
                                        : ~uint64_t(0);
  return true;
}

/// Op::detail: which property; Op::bytes: 4 or 8.
static const Op *runTestP(Execution &x, const Op &op, LaneMask mask) {
  LaneMask truth = 0;
  for (unsigned lane : Execution::each(mask)) {
    uint64_t word =
        op.bytes == 4 ? uint64_t(x.lanes<uint32_t>(op.a)[lane]) : x.lanes<uint64_t>(op.a)[lane];
    unsigned fraction = op.bytes == 4 ? 23 : 52, width = op.bytes * 8;
    uint64_t magnitude = word & ((uint64_t(1) << (width - 1)) - 1);
    uint64_t infinity = ((uint64_t(1) << (width - 1)) - 1) >> fraction << fraction;
    uint64_t least = uint64_t(1) << fraction;
    bool holds = false;
    switch (op.detail) {
    case 0:
      holds = magnitude < infinity;
      break;
    case 1:
      holds = magnitude == infinity;
      break;
    case 2:
      holds = magnitude <= infinity;
      break;
    case 3:
      holds = magnitude > infinity;
      break;
    case 4:
      holds = (magnitude >= least && magnitude < infinity) || !magnitude;
      break;
    default:
      holds = magnitude < least && magnitude;
      break;
    }
    truth |= LaneMask(holds) << lane;
  }
  x.setPredicate(op.d, mask, truth);
  return op.next();
}

bool mettle::emulator::decodeTestP(Decoder &decoder) {
  static constexpr Modifier properties[] = {Modifier::Finite, Modifier::Infinite,
                                            Modifier::Number, Modifier::Notanumber,
                                            Modifier::Normal, Modifier::Subnormal};
  Type type = decoder.mnemonic->type();
  unsigned property = 0;
  while (property < 6 && !decoder.has(properties[property]))
    ++property;
  Slot d = decoder.writePredicate(decoder.operands[0]), a = decoder.read(decoder.operands[1], type);
  if (property == 6)
    return decoder.unsupported();
  if (d == NoSlot || a == NoSlot)
    return false;
  Op &op = decoder.emit(runTestP, OpClass::Compare);
  op.d = d;
  op.a = a;
  op.bytes = uint8_t(ptx::typeBits(type) / 8);
  op.detail = uint16_t(property);
  return true;
}
