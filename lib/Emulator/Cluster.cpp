//===- Cluster.cpp - A cluster of one block, and its leader ---------------===//
//
// Addresses and barriers of a cluster whose only block is this one; the election of a lane.
//
//===----------------------------------------------------------------------===//

#include "AsyncCopy.h"
#include "Block.h"
#include "Families.h"

using namespace mettle::emulator;

// a: address; b: rank.
static const Op *runMapa(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask)) {
    if (x.lanes<uint32_t>(op.b)[lane] != 0)
      return x.fault(op, lane, FaultKind::Misuse, "expected block 0 of a cluster of one");
    if (op.bytes == 4)
      x.lanes<uint32_t>(op.d)[lane] = uint32_t(wideWord(x, op.a, lane));
    else
      x.lanes<uint64_t>(op.d)[lane] = wideWord(x, op.a, lane);
  }
  return op.next();
}

bool mettle::emulator::decodeMapa(Decoder &decoder) {
  unsigned bits = ptx::typeBits(decoder.mnemonic->type());
  Decoder::Address address;
  const ptx::Operand &operand = decoder.operands[1];
  if (operand.is(ptx::OperandKind::Register)) {
    address.base = decoder.read(operand, decoder.mnemonic->type());
    address.bits = bits;
  } else if (!decoder.address(operand, decoder.space(), address)) {
    return false;
  }
  Slot a = wideAddress(decoder, address);
  Slot b = decoder.read(decoder.operands[2], ptx::Type::U32);
  Slot d = decoder.write(decoder.operands[0], bits);
  Op &op = decoder.emit(runMapa, OpClass::Move);
  op.a = a;
  op.b = b;
  op.d = d;
  op.bytes = uint8_t(bits / 8);
  return true;
}

static const Op *runRank(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask))
    x.lanes<uint32_t>(op.d)[lane] = 0;
  return op.next();
}

bool mettle::emulator::decodeGetCtaRank(Decoder &decoder) {
  Slot d = decoder.write(decoder.operands[0], 32);
  decoder.emit(runRank, OpClass::Move).d = d;
  return true;
}

/// The wait is a barrier of the whole block, which an arrival alone does not hold up.
static const Op *runClusterWait(Execution &x, const Op &op, LaneMask mask) {
  return x.awaitBarrier(op, mask, Block::ClusterBarrier, 0);
}

bool mettle::emulator::decodeClusterArrive(Decoder &) { return true; }

bool mettle::emulator::decodeClusterWait(Decoder &decoder) {
  decoder.emit(runClusterWait, OpClass::Barrier);
  return true;
}

// a: member mask; d: predicate; c: the leader's number, or NoSlot.
static const Op *runElect(Execution &x, const Op &op, LaneMask mask) {
  LaneMask members = x.lanes<uint32_t>(op.a)[__builtin_ctz(mask)];
  if (!(members >> __builtin_ctz(mask) & 1))
    return x.fault(op, unsigned(__builtin_ctz(mask)), FaultKind::Misuse,
                   "expected a member mask that names the lane itself");
  if (!x.gathered(mask, members))
    return x.awaitLanes(op, mask, members);
  unsigned leader = unsigned(__builtin_ctz(members & x.live));
  x.setPredicate(op.d, mask, LaneMask(1) << leader);
  if (op.c != NoSlot)
    for (unsigned lane : Execution::each(mask))
      x.lanes<uint32_t>(op.c)[lane] = leader;
  return op.next();
}

bool mettle::emulator::decodeElect(Decoder &decoder) {
  const ptx::Operand &pair = decoder.operands[0];
  if (!pair.is(ptx::OperandKind::Pair) || pair.count != 2)
    return decoder.fail("expected a register and a predicate");
  llvm::ArrayRef<ptx::Operand> parts = decoder.module.elements(pair);
  Slot leader = parts[0].is(ptx::OperandKind::Sink) ? NoSlot : decoder.write(parts[0], 32);
  Slot predicate = decoder.writePredicate(parts[1]);
  Slot members = decoder.read(decoder.operands[1], ptx::Type::B32);
  Op &op = decoder.emit(runElect, OpClass::Warp);
  op.a = members;
  op.c = leader;
  op.d = predicate;
  return true;
}
