//===- WarpOps.cpp - shfl, vote, match, redux, activemask -----------------===//
//
// What lanes of a warp tell one another. The handlers of shfl are in WarpLanes.cpp.
//
//===----------------------------------------------------------------------===//

#include "Families.h"
#include "LaneTables.h"
#include "llvm/Support/MathExtras.h"

using namespace mettle::emulator;
using namespace mettle::assembly;
using ptx::Modifier;
using ptx::Type;

bool mettle::emulator::decodeShflSync(Decoder &decoder) {
  const ptx::Operand &result = decoder.operands[0];
  Slot d, predicate = NoSlot;
  if (result.is(ptx::OperandKind::Pair)) {
    llvm::ArrayRef<ptx::Operand> both = decoder.module.elements(result);
    d = decoder.write(both[0], 32);
    predicate = decoder.writePredicate(both[1]);
    if (predicate == NoSlot)
      return false;
  } else {
    d = decoder.write(result, 32);
  }
  Slot a = decoder.read(decoder.operands[1], Type::B32),
       b = decoder.read(decoder.operands[2], Type::U32),
       c = decoder.read(decoder.operands[3], Type::U32),
       members = decoder.read(decoder.operands[4], Type::B32);
  if (d == NoSlot || a == NoSlot || b == NoSlot || c == NoSlot || members == NoSlot)
    return false;
  WarpLane lane = decoder.has(Modifier::Up)     ? WarpLane::ShflUp
                  : decoder.has(Modifier::Down) ? WarpLane::ShflDown
                  : decoder.has(Modifier::Bfly) ? WarpLane::ShflBfly
                                                : WarpLane::ShflIdx;
  Op &op = decoder.emit(handlerOf(lane), OpClass::Warp);
  op.d = d;
  op.a = a;
  op.b = b;
  op.c = c;
  op.list = members;
  op.immediate = predicate;
  const ptx::Operand &by = decoder.operands[2], &clamp = decoder.operands[3];
  bool isLiteral =
      by.is(ptx::OperandKind::Integer) && clamp.is(ptx::OperandKind::Integer) && clamp.bits == 31;
  if (isLiteral && by.bits < 32 && llvm::isPowerOf2_64(by.bits))
    op.detail = uint16_t(by.bits);
  return true;
}

namespace {
enum class Vote : uint16_t { All, Any, Uniform, Ballot };
} // namespace

static const Op *runVote(Execution &x, const Op &op, LaneMask mask) {
  LaneMask members = x.lanes<uint32_t>(op.b)[__builtin_ctz(mask)];
  if (!x.gathered(mask, members) || (mask & ~members))
    return x.awaitLanes(op, mask, members);
  LaneMask holds = (x.predicate(op.a) ^ op.flipMask()) & mask;
  if (Vote(op.detail) == Vote::Ballot) {
    for (unsigned lane : Execution::each(mask))
      x.lanes<uint32_t>(op.d)[lane] = holds;
    return op.next();
  }
  bool truth = Vote(op.detail) == Vote::All   ? holds == mask
               : Vote(op.detail) == Vote::Any ? holds != 0
                                              : holds == mask || !holds;
  x.setPredicate(op.d, mask, truth ? AllLanes : 0);
  return op.next();
}

bool mettle::emulator::decodeVoteSync(Decoder &decoder) {
  bool flip, isBallot = decoder.has(Modifier::Ballot);
  Slot d = isBallot ? decoder.write(decoder.operands[0], 32)
                    : decoder.writePredicate(decoder.operands[0]);
  Slot a = decoder.readPredicate(decoder.operands[1], flip),
       members = decoder.read(decoder.operands[2], Type::B32);
  if (d == NoSlot || a == NoSlot || members == NoSlot)
    return false;
  Op &op = decoder.emit(runVote, OpClass::Warp);
  op.d = d;
  op.a = a;
  op.b = members;
  op.flip = flip;
  op.detail = uint16_t(isBallot                     ? Vote::Ballot
                       : decoder.has(Modifier::All) ? Vote::All
                       : decoder.has(Modifier::Any) ? Vote::Any
                                                    : Vote::Uniform);
  return true;
}

/// Op::bytes: of the compared words; slot c: the predicate of match.all, or NoSlot for match.any.
static const Op *runMatch(Execution &x, const Op &op, LaneMask mask) {
  LaneMask members = x.lanes<uint32_t>(op.b)[__builtin_ctz(mask)];
  if (!x.gathered(mask, members) || (mask & ~members))
    return x.awaitLanes(op, mask, members);
  auto word = [&](unsigned lane) {
    return op.bytes == 8 ? x.lanes<uint64_t>(op.a)[lane] : x.lanes<uint32_t>(op.a)[lane];
  };
  uint32_t results[NumLanes];
  bool isAll = op.detail, allEqual = true;
  for (unsigned lane : Execution::each(mask)) {
    results[lane] = 0;
    for (unsigned other : Execution::each(mask))
      if (word(lane) == word(other))
        results[lane] |= LaneMask(1) << other;
    allEqual &= results[lane] == mask;
  }
  for (unsigned lane : Execution::each(mask))
    x.lanes<uint32_t>(op.d)[lane] = isAll ? allEqual ? mask : 0 : results[lane];
  if (op.c != NoSlot)
    x.setPredicate(op.c, mask, allEqual ? AllLanes : 0);
  return op.next();
}

bool mettle::emulator::decodeMatch(Decoder &decoder) {
  const ptx::Operand &result = decoder.operands[0];
  Type type = decoder.mnemonic->type();
  Slot d, predicate = NoSlot;
  if (result.is(ptx::OperandKind::Pair)) {
    llvm::ArrayRef<ptx::Operand> both = decoder.module.elements(result);
    d = decoder.write(both[0], 32);
    predicate = decoder.writePredicate(both[1]);
  } else {
    d = decoder.write(result, 32);
  }
  Slot a = decoder.read(decoder.operands[1], type),
       members = decoder.read(decoder.operands[2], Type::B32);
  if (d == NoSlot || a == NoSlot || members == NoSlot)
    return false;
  Op &op = decoder.emit(runMatch, OpClass::Warp);
  op.d = d;
  op.a = a;
  op.b = members;
  op.c = predicate;
  op.bytes = uint8_t(ptx::typeBits(type) / 8);
  op.detail = decoder.has(Modifier::All);
  return true;
}

namespace {
enum class Reduction : uint16_t { Add, Min, Max, And, Or, Xor };
} // namespace

static const Op *runRedux(Execution &x, const Op &op, LaneMask mask) {
  LaneMask members = x.lanes<uint32_t>(op.b)[__builtin_ctz(mask)];
  if (!x.gathered(mask, members) || (mask & ~members))
    return x.awaitLanes(op, mask, members);
  const uint32_t *a = x.lanes<uint32_t>(op.a);
  uint32_t result = a[__builtin_ctz(mask)];
  for (unsigned lane : Execution::each(mask & (mask - 1))) {
    uint32_t word = a[lane];
    bool isLess = op.flip ? int32_t(word) < int32_t(result) : word < result;
    switch (Reduction(op.detail)) {
    case Reduction::Add:
      result += word;
      break;
    case Reduction::Min:
      result = isLess ? word : result;
      break;
    case Reduction::Max:
      result = isLess ? result : word;
      break;
    case Reduction::And:
      result &= word;
      break;
    case Reduction::Or:
      result |= word;
      break;
    case Reduction::Xor:
      result ^= word;
      break;
    }
  }
  for (unsigned lane : Execution::each(mask))
    x.lanes<uint32_t>(op.d)[lane] = result;
  return op.next();
}

bool mettle::emulator::decodeReduxSync(Decoder &decoder) {
  Type type = decoder.mnemonic->type();
  if (ptx::typeKind(type) == ptx::TypeKind::Float)
    return decoder.unsupported();
  Op *op = decoder.emitPlain(runRedux, OpClass::Warp, 32, {type, Type::B32});
  if (!op)
    return false;
  op->flip = ptx::typeKind(type) == ptx::TypeKind::Signed;
  op->detail = uint16_t(decoder.has(Modifier::Add)   ? Reduction::Add
                        : decoder.has(Modifier::Min) ? Reduction::Min
                        : decoder.has(Modifier::Max) ? Reduction::Max
                        : decoder.has(Modifier::And) ? Reduction::And
                        : decoder.has(Modifier::Or)  ? Reduction::Or
                                                     : Reduction::Xor);
  return true;
}

static const Op *runActiveMask(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask))
    x.lanes<uint32_t>(op.d)[lane] = mask;
  return op.next();
}

bool mettle::emulator::decodeActiveMask(Decoder &decoder) {
  Slot d = decoder.write(decoder.operands[0], 32);
  if (d == NoSlot)
    return false;
  decoder.emit(runActiveMask, OpClass::Warp).d = d;
  decoder.note("which lanes are active depends on scheduling; those that stand together are given");
  return true;
}
