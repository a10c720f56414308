//===- Control.cpp - Branches, ends, barriers -----------------------------===//
//
// What moves lanes through the program.
//
//===----------------------------------------------------------------------===//

#include "Control.h"
#include "Barrier.h"
#include "Block.h"
#include "Families.h"

using namespace mettle::emulator;
using namespace mettle::assembly;

//===----------------------------------------------------------------------===//
// Branches and ends
//===----------------------------------------------------------------------===//

static const Op *runBranch(Execution &x, const Op &op, LaneMask mask) {
  return x.branch(op, mask, x.code->ops.data() + op.immediate);
}

bool mettle::emulator::decodeBra(Decoder &decoder) {
  if (!decoder.operands[0].is(ptx::OperandKind::Label))
    return decoder.unsupported();
  decoder.emit(runBranch, OpClass::Control);
  decoder.branchTo(decoder.operands[0]);
  return true;
}

static const Op *runIndexedBranch(Execution &x, const Op &op, LaneMask mask) {
  const uint32_t *index = x.lanes<uint32_t>(op.a);
  unsigned first = unsigned(__builtin_ctz(mask));
  uint32_t chosen = index[first];
  if (chosen >= op.count)
    return x.fault(op, first, FaultKind::Misuse, "expected an index into the list of targets");
  LaneMask taken = 0;
  for (unsigned lane : Execution::each(mask))
    if (index[lane] == chosen)
      taken |= LaneMask(1) << lane;
  // The other lanes come back to this op.
  const Op *ops = x.code->ops.data();
  const Op *target = ops + x.code->ops[op.list + chosen].immediate;
  if (taken == x.active)
    return target;
  Fragment &rest = x.warp->fragments[x.warp->current];
  Fragment other = rest;
  other.mask = taken;
  other.pc = uint32_t(target - ops);
  Fragment past = rest;
  past.mask = x.active & ~mask;
  past.pc = uint32_t(op.next() - ops);
  rest.mask = mask & ~taken;
  rest.pc = uint32_t(&op - ops);
  bool isEmpty = !rest.mask;
  x.warp->fragments.push_back(std::move(other));
  if (past.mask)
    x.warp->fragments.push_back(std::move(past));
  if (isEmpty)
    x.warp->fragments.erase(x.warp->fragments.begin() + x.warp->current);
  return x.giveWay();
}

/// Stands for one row of a table of targets; never runs.
static const Op *runTarget(Execution &, const Op &op, LaneMask) { return op.next(); }

bool mettle::emulator::decodeBrxIdx(Decoder &decoder) {
  const ptx::Operand &table = decoder.operands[1];
  if (!table.is(ptx::OperandKind::Label))
    return decoder.unsupported();
  const ptx::Label &label = decoder.module.labels[table.index];
  if (label.kind != ptx::LabelKind::BranchTargets)
    return decoder.unsupported();
  const ptx::CodeTable &targets = decoder.module.codeTables[label.target];
  Slot index = decoder.read(decoder.operands[0], ptx::Type::U32);
  Op &op = decoder.emit(runIndexedBranch, OpClass::Control);
  op.a = index;
  op.count = uint16_t(targets.count);
  op.list = uint32_t(decoder.code.ops.size());
  for (uint32_t i = 0; i < targets.count; ++i) {
    decoder.emit(runTarget, OpClass::Control);
    decoder.branchTo(decoder.module.operands[targets.firstOperand + i]);
  }
  return true;
}

const Op *mettle::emulator::leaveKernel(Execution &x, const Op &op, LaneMask mask) {
  return x.leave(op, mask);
}

bool mettle::emulator::decodeExit(Decoder &decoder) {
  decoder.emit(leaveKernel, OpClass::Control);
  return true;
}

bool mettle::emulator::decodeRet(Decoder &decoder) {
  decoder.emit(decoder.function->isEntry ? leaveKernel : returnFromFunction, OpClass::Control);
  return true;
}

static const Op *runTrap(Execution &x, const Op &op, LaneMask mask) {
  return x.fault(op, unsigned(__builtin_ctz(mask)), FaultKind::Trap,
                 "expected not to come to a trap");
}

bool mettle::emulator::decodeTrap(Decoder &decoder) {
  decoder.emit(runTrap, OpClass::Control);
  return true;
}

/// What has no effect on results: prefetches, hints, fences (memory is always coherent here).
bool mettle::emulator::decodeNothing(Decoder &) { return true; }

static const Op *runProxyFence(Execution &x, const Op &op, LaneMask) {
  x.fenceProxy();
  return op.next();
}

/// Memory is always coherent here; what the async proxy may read is kept track of.
bool mettle::emulator::decodeFence(Decoder &decoder) {
  bool isAsync =
      decoder.has(ptx::Modifier::Proxy) &&
      (decoder.has(ptx::Modifier::Async) || decoder.has(ptx::Modifier::AsyncSharedCta) ||
       decoder.has(ptx::Modifier::AsyncGlobal) || decoder.has(ptx::Modifier::AsyncSharedCluster));
  if (isAsync)
    decoder.emit(runProxyFence, OpClass::Barrier);
  return true;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

namespace {
/// Op::detail of a barrier.
enum BarrierDetail : uint16_t { Aligned = 1, ReduceAnd = 2, ReduceOr = 4, ReducePopc = 8 };
} // namespace

static const Op *runBarrier(Execution &x, const Op &op, LaneMask mask) {
  unsigned first = unsigned(__builtin_ctz(mask));
  uint32_t number = x.lanes<uint32_t>(op.a)[first];
  uint32_t threads = op.b == NoSlot ? 0 : x.lanes<uint32_t>(op.b)[first];
  if (number > 15)
    return x.fault(op, first, FaultKind::Misuse, "expected a barrier from 0 to 15");
  if (op.b != NoSlot && (!threads || threads % NumLanes))
    return x.fault(op, first, FaultKind::Misuse,
                   "expected a number of threads that is a multiple of 32");
  if (x.checks && (op.detail & Aligned) && mask != x.live)
    return x.fault(op, unsigned(__builtin_ctz(x.live & ~mask)), FaultKind::BarrierDivergence,
                   "expected all threads of the warp at an aligned barrier");
  Barrier &barrier = x.block->barriers[number];
  if (op.c != NoSlot) {
    LaneMask value = (x.predicate(op.c) ^ op.flipMask()) & mask;
    barrier.count += unsigned(__builtin_popcount(value));
    barrier.arrivedLanes += unsigned(__builtin_popcount(mask));
  }
  return x.awaitBarrier(op, mask, number, threads);
}

static const Op *runArrive(Execution &x, const Op &op, LaneMask mask) {
  unsigned first = unsigned(__builtin_ctz(mask));
  uint32_t number = x.lanes<uint32_t>(op.a)[first], threads = x.lanes<uint32_t>(op.b)[first];
  if (number > 15 || !threads || threads % NumLanes)
    return x.fault(op, first, FaultKind::Misuse,
                   "expected a barrier from 0 to 15 and a multiple of 32 threads");
  Barrier &barrier = x.block->barriers[number];
  barrier.isUsed = true;
  barrier.threads = threads;
  x.block->arrive(barrier, *x.warp, mask, /*waits=*/false);
  x.startInterval();
  x.block->completeBarrier(number);
  return op.next();
}

void mettle::emulator::finishBarrier(Execution &x, const Op &op, LaneMask mask,
                                     const Barrier &barrier) {
  if (op.d == NoSlot)
    return;
  if (op.detail & ReducePopc) {
    for (unsigned lane : Execution::each(mask))
      x.lanes<uint32_t>(op.d)[lane] = barrier.count;
    return;
  }
  bool value = op.detail & ReduceAnd ? barrier.count == barrier.arrivedLanes : barrier.count != 0;
  x.setPredicate(op.d, mask, value ? AllLanes : 0);
}

static bool decodeBarrierOperands(Decoder &decoder, Handler run, unsigned first, bool hasCount,
                                  Op *&op) {
  Slot number = decoder.read(decoder.operands[first], ptx::Type::U32);
  Slot threads = hasCount ? decoder.read(decoder.operands[first + 1], ptx::Type::U32) : NoSlot;
  if (number == NoSlot || (hasCount && threads == NoSlot))
    return false;
  op = &decoder.emit(run, OpClass::Barrier);
  op->a = number;
  op->b = threads;
  // bar is barrier with .aligned.
  bool isAligned = decoder.text().starts_with("bar.") || decoder.has(ptx::Modifier::Aligned);
  op->detail = isAligned ? Aligned : 0;
  return true;
}

bool mettle::emulator::decodeBarrierSync(Decoder &decoder) {
  Op *op;
  return decodeBarrierOperands(decoder, runBarrier, 0, decoder.operands.size() > 1, op);
}

bool mettle::emulator::decodeBarrierArrive(Decoder &decoder) {
  Op *op;
  return decodeBarrierOperands(decoder, runArrive, 0, true, op);
}

bool mettle::emulator::decodeBarrierRed(Decoder &decoder) {
  size_t last = decoder.operands.size() - 1;
  bool flip, isPopc = decoder.has(ptx::Modifier::Popc);
  Slot input = decoder.readPredicate(decoder.operands[last], flip);
  Slot result =
      isPopc ? decoder.write(decoder.operands[0], 32) : decoder.writePredicate(decoder.operands[0]);
  Op *op;
  if (input == NoSlot || result == NoSlot ||
      !decodeBarrierOperands(decoder, runBarrier, 1, last > 2, op))
    return false;
  op->c = input;
  op->d = result;
  op->flip = flip;
  op->detail |= isPopc ? ReducePopc : decoder.has(ptx::Modifier::And) ? ReduceAnd : ReduceOr;
  return true;
}

const Op *mettle::emulator::synchroniseWarp(Execution &x, const Op &op, LaneMask mask) {
  LaneMask members = x.lanes<uint32_t>(op.a)[__builtin_ctz(mask)];
  if (!x.gathered(mask, members) || (mask & ~members))
    return x.awaitLanes(op, mask, members);
  x.synchroniseLanes();
  return op.next();
}

bool mettle::emulator::decodeBarWarpSync(Decoder &decoder) {
  Slot members = decoder.read(decoder.operands[0], ptx::Type::B32);
  if (members == NoSlot)
    return false;
  decoder.emit(synchroniseWarp, OpClass::Barrier).a = members;
  return true;
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

const Op *mettle::emulator::narrow(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask))
    __builtin_memcpy(x.registers + op.d + lane * op.bytes, x.registers + op.a + lane * op.detail,
                     op.bytes);
  return op.next();
}

const Op *mettle::emulator::widen(Execution &x, const Op &op, LaneMask mask) {
  for (unsigned lane : Execution::each(mask)) {
    uint64_t word = 0;
    __builtin_memcpy(&word, x.registers + op.a + lane * op.detail, op.detail);
    unsigned shift = 64 - 8 * op.detail;
    word = op.flip ? uint64_t(int64_t(word << shift) >> shift) : word;
    __builtin_memcpy(x.registers + op.d + lane * op.bytes, &word, op.bytes);
  }
  return op.next();
}
