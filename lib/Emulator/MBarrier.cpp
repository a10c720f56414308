//===- MBarrier.cpp - Barriers in shared memory ---------------------------===//
//
// The mbarrier instructions and the arrival of cp.async. A phase ends when nothing is pending,
// neither arrivals nor bytes; a wait that finds it unfinished says so and lets other warps run.
//
//===----------------------------------------------------------------------===//

#include "MBarrier.h"
#include "AsyncCopy.h"
#include "Block.h"
#include "Families.h"

using namespace mettle::emulator;

namespace {
/// Op::detail: what happens to the object.
enum BarrierAction : uint16_t {
  Init,
  Invalidate,
  ExpectBytes,
  CompleteBytes,
  Arrive,
  ArriveExpectBytes,
  ArriveDrop,
  ArriveDropExpectBytes,
};
} // namespace

/// The offset in shared memory of an address that may be generic.
static uint64_t sharedOffset(Space space, uint64_t address) {
  return space == Space::Generic ? address - SharedWindow : address;
}

/// Ends the phase of the object at this place of shared memory if nothing is pending.
static void settle(Execution &x, MBarrierWord &barrier, uint64_t address) {
  if (barrier.pending != 0 || barrier.bytes != 0)
    return;
  barrier.phase = !barrier.phase;
  barrier.pending = barrier.expected;
  ++x.block->events;
  if (x.checks)
    x.block->deliveries.endPhase(address);
}

static uint8_t *barrierAt(Execution &x, const Op &op, unsigned lane, Space space, uint64_t address,
                          Access how, MBarrierWord &barrier) {
  uint8_t *host = x.access(op, lane, space, address, 8, how);
  if (!host)
    return nullptr;
  uint64_t word;
  memcpy(&word, host, 8);
  barrier = MBarrierWord::decode(word);
  if (!barrier.isLive && how != Access::Write) {
    x.fault(op, lane, FaultKind::Misuse, "expected an initialised mbarrier");
    return nullptr;
  }
  return host;
}

static void write(uint8_t *host, const MBarrierWord &barrier) {
  uint64_t word = barrier.encode();
  memcpy(host, &word, 8);
}

static bool addBytes(Execution &x, const Op &op, unsigned lane, MBarrierWord &barrier,
                     int64_t bytes) {
  int64_t sum = barrier.bytes + bytes;
  if (sum > int64_t(MBarrierWord::MaxCount) || sum < -int64_t(MBarrierWord::MaxCount)) {
    x.fault(op, lane, FaultKind::Misuse, "expected fewer than 2^20 pending bytes of an mbarrier");
    return false;
  }
  barrier.bytes = int32_t(sum);
  return true;
}

bool mettle::emulator::completeBytes(Execution &x, const Op &op, unsigned lane, uint64_t address,
                                     uint64_t bytes) {
  MBarrierWord barrier;
  uint8_t *host = barrierAt(x, op, lane, Space::Shared, address, Access::Update, barrier);
  if (!host || !addBytes(x, op, lane, barrier, -int64_t(bytes)))
    return false;
  settle(x, barrier, address);
  write(host, barrier);
  x.release(Space::Shared, address);
  return true;
}

static bool arrive(Execution &x, const Op &op, unsigned lane, MBarrierWord &barrier,
                   uint32_t count) {
  if (count == 0 || count > barrier.pending) {
    x.fault(op, lane, FaultKind::Misuse,
            "expected no more arrivals at an mbarrier than are pending");
    return false;
  }
  barrier.pending -= count;
  return true;
}

// a: address; b: count or bytes; d: the state before, or NoSlot.
static const Op *runBarrier(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask)) {
    MBarrierWord barrier;
    bool isNew = op.detail == Init;
    uint8_t *host = barrierAt(x, op, lane, op.space, wideWord(x, op.a, lane),
                              isNew ? Access::Write : Access::Update, barrier);
    if (!host)
      return x.stop();
    uint32_t value = op.b == NoSlot ? 1 : x.lanes<uint32_t>(op.b)[lane];
    if (op.d != NoSlot)
      x.lanes<uint64_t>(op.d)[lane] = barrier.encode();
    bool good = true;
    switch (op.detail) {
    case Init:
      if (value == 0 || value > MBarrierWord::MaxCount)
        return x.fault(op, lane, FaultKind::Misuse,
                       "expected a count of 1 to 2^20 - 1 for an mbarrier");
      barrier = {value, value, 0, false, true};
      break;
    case Invalidate:
      barrier = {};
      break;
    case ExpectBytes:
      good = addBytes(x, op, lane, barrier, value);
      break;
    case CompleteBytes:
      good = addBytes(x, op, lane, barrier, -int64_t(value));
      break;
    case Arrive:
      good = arrive(x, op, lane, barrier, value);
      break;
    case ArriveExpectBytes:
      good = addBytes(x, op, lane, barrier, value) && arrive(x, op, lane, barrier, 1);
      break;
    case ArriveDrop:
      good = arrive(x, op, lane, barrier, value);
      barrier.expected -= good ? value : 0;
      break;
    case ArriveDropExpectBytes:
      good = addBytes(x, op, lane, barrier, value) && arrive(x, op, lane, barrier, 1);
      barrier.expected -= good ? 1 : 0;
      break;
    }
    if (!good)
      return x.stop();
    if (op.detail > Invalidate && op.detail != ExpectBytes)
      settle(x, barrier, sharedOffset(op.space, wideWord(x, op.a, lane)));
    write(host, barrier);
    if (op.detail >= Arrive)
      x.release(Space::Shared, sharedOffset(op.space, wideWord(x, op.a, lane)));
  }
  return op.next();
}

/// An object's address is `operand`; its state before goes to `state`, a count or a number of bytes
/// is read from `value`.
static bool decodeBarrierOp(Decoder &decoder, BarrierAction action, const ptx::Operand &operand,
                            const ptx::Operand *state, const ptx::Operand *value) {
  Decoder::Address address;
  if (!decoder.address(operand, decoder.space(), address))
    return false;
  Slot a = wideAddress(decoder, address);
  Slot b = value ? decoder.read(*value, ptx::Type::U32) : NoSlot;
  Slot d = state && !state->is(ptx::OperandKind::Sink) ? decoder.write(*state, 64) : NoSlot;
  Op &op = decoder.emit(runBarrier, OpClass::Barrier);
  op.a = a;
  op.b = b;
  op.d = d;
  op.space = address.space;
  op.detail = action;
  return true;
}

bool mettle::emulator::decodeMBarrierInit(Decoder &decoder) {
  return decodeBarrierOp(decoder, Init, decoder.operands[0], nullptr, &decoder.operands[1]);
}

bool mettle::emulator::decodeMBarrierInval(Decoder &decoder) {
  return decodeBarrierOp(decoder, Invalidate, decoder.operands[0], nullptr, nullptr);
}

bool mettle::emulator::decodeMBarrierBytes(Decoder &decoder) {
  bool expects = decoder.text().starts_with("mbarrier.expect_tx");
  return decodeBarrierOp(decoder, expects ? ExpectBytes : CompleteBytes, decoder.operands[0],
                         nullptr, &decoder.operands[1]);
}

bool mettle::emulator::decodeMBarrierArrive(Decoder &decoder) {
  llvm::ArrayRef<ptx::Operand> operands = decoder.operands;
  bool drops = decoder.text().starts_with("mbarrier.arrive_drop");
  bool expects = decoder.has(ptx::Modifier::ExpectTx);
  BarrierAction action = drops     ? expects ? ArriveDropExpectBytes : ArriveDrop
                         : expects ? ArriveExpectBytes
                                   : Arrive;
  // An arrival at another block's barrier gives no state.
  bool hasState =
      !operands[0].is(ptx::OperandKind::Address) && !operands[0].is(ptx::OperandKind::Symbol);
  const ptx::Operand *value = operands.size() > hasState + 1u ? &operands[hasState + 1u] : nullptr;
  if (expects && !value)
    return decoder.fail("expected a number of bytes");
  return decodeBarrierOp(decoder, action, operands[hasState], hasState ? &operands[0] : nullptr,
                         value);
}

bool mettle::emulator::decodeCpAsyncArrive(Decoder &decoder) {
  // The copies are taken for delivered here, not where the phase that they end is waited for.
  if (!decodeCpAsyncWaitAll(decoder))
    return false;
  // Without .noinc the pending count goes up by the arrival that follows at once: nothing is left.
  if (!decoder.has(ptx::Modifier::Noinc))
    return true;
  return decodeBarrierOp(decoder, Arrive, decoder.operands[0], nullptr, nullptr);
}

// a: address; b: parity or state; d: predicate. detail: 1 for a parity.
static const Op *runWait(Execution &x, const Op &op, LaneMask mask) {
  LaneMask done = 0;
  for (unsigned lane : Execution::each(mask)) {
    MBarrierWord barrier;
    if (!barrierAt(x, op, lane, op.space, wideWord(x, op.a, lane), Access::Update, barrier))
      return x.stop();
    bool phase = op.detail ? x.lanes<uint32_t>(op.b)[lane] & 1
                           : MBarrierWord::decode(x.lanes<uint64_t>(op.b)[lane]).phase;
    if (barrier.phase != phase) {
      done |= LaneMask(1) << lane;
      uint64_t address = sharedOffset(op.space, wideWord(x, op.a, lane));
      if (x.checks)
        x.block->deliveries.waitPhase(x, lane, address);
      x.acquire(Space::Shared, address);
    }
  }
  x.setPredicate(op.d, mask, done);
  return done == mask ? op.next() : x.yield(op);
}

bool mettle::emulator::decodeMBarrierWait(Decoder &decoder) {
  bool isParity = decoder.has(ptx::Modifier::Parity);
  Decoder::Address address;
  if (!decoder.address(decoder.operands[1], decoder.space(), address))
    return false;
  Slot a = wideAddress(decoder, address);
  Slot b = decoder.read(decoder.operands[2], isParity ? ptx::Type::U32 : ptx::Type::B64);
  Slot d = decoder.writePredicate(decoder.operands[0]);
  Op &op = decoder.emit(runWait, OpClass::Barrier);
  op.a = a;
  op.b = b;
  op.d = d;
  op.space = address.space;
  op.detail = isParity;
  return true;
}

static const Op *runPendingCount(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask))
    x.lanes<uint32_t>(op.d)[lane] = MBarrierWord::decode(x.lanes<uint64_t>(op.a)[lane]).pending;
  return op.next();
}

bool mettle::emulator::decodeMBarrierPendingCount(Decoder &decoder) {
  Slot d = decoder.write(decoder.operands[0], 32);
  Slot a = decoder.read(decoder.operands[1], ptx::Type::B64);
  Op &op = decoder.emit(runPendingCount, OpClass::Barrier);
  op.d = d;
  op.a = a;
  return true;
}
