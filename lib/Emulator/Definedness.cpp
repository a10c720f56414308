//===- Definedness.cpp - Words that nobody has set ------------------------===//
//
// How an op carries unset words on, by its class; most by one rule: a result is unset in the lanes
// in which an operand is.
//
//===----------------------------------------------------------------------===//

#include "Definedness.h"
#include "Block.h"
#include "Control.h"
#include <cstring>

using namespace mettle::emulator;
using namespace mettle::assembly;
using ptx::Opcode;

static const ptx::Instruction &instructionOf(Execution &x, const Op &op) {
  return x.code->module->instructions[op.instruction];
}

/// Lanes in which one operand of a predicate's `and` or `or` settles the result alone.
static LaneMask settledLanes(Execution &x, const Op &op, llvm::ArrayRef<LaneMask> unset) {
  const ptx::Instruction &instruction = instructionOf(x, op);
  bool isAnd = instruction.opcode == Opcode::And;
  if ((!isAnd && instruction.opcode != Opcode::Or) ||
      x.code->module->mnemonicOf(instruction).type() != ptx::Type::Pred)
    return 0;
  LaneMask a = x.predicate(op.a) ^ op.flipMask(),
           b = x.predicate(op.b) ^ (op.detail ? AllLanes : 0);
  if (isAnd)
    a = ~a, b = ~b;
  return (a & ~unset[op.a / 4]) | (b & ~unset[op.b / 4]);
}

/// A store of unset words leaves memory as if nobody had written it.
static void markUnset(Execution &x, const Op &op, LaneMask lanes, uint32_t origin) {
  if (op.space != Space::Shared || !x.shared.valid || instructionOf(x, op).opcode != Opcode::St)
    return;
  for (unsigned lane : Execution::each(lanes)) {
    uint64_t address = op.detail == 32 ? x.lanes<uint32_t>(op.a)[lane] + uint32_t(op.immediate)
                                       : x.lanes<uint64_t>(op.a)[lane] + op.immediate;
    memset(x.shared.valid + (address - x.shared.address), 0, op.bytes * op.count);
    for (uint64_t word = address / 4; word * 4 < address + op.bytes * op.count; ++word)
      x.block->unsetOrigins[word] = origin;
  }
}

/// The same of a stmatrix: of the rows some of whose words are unset.
void Definedness::markUnsetRows(const Op &op) {
  Execution &x = warp.x;
  for (unsigned i = 0; i < op.count * 8u; ++i) {
    Slot slot = x.slots[op.list + i / 8];
    // A row is in four lanes; transposed, its columns are in eight.
    LaneMask holders = op.detail ? 0x11111111u << i % 8 / 2 : LaneMask(0xF) << i % 8 * 4;
    uint64_t address = (op.flip ? x.lanes<uint32_t>(op.a)[i] : x.lanes<uint64_t>(op.a)[i]) +
                       op.immediate - x.shared.address;
    if (!(unsetOf(slot) & holders) || op.space != Space::Shared)
      continue;
    memset(x.shared.valid + address, 0, 16);
    for (unsigned word = 0; word < 4; ++word)
      x.block->unsetOrigins[(address + x.shared.address) / 4 + word] = origins[slot / 4];
  }
}

bool Definedness::start() {
  const Code &code = *warp.x.code;
  bool isClean = !isFollowing && !unset.empty();
  isFollowing = !code.unwritten.empty();
  if (isClean && !isFollowing)
    return false;
  if (unset.empty()) {
    unset.resize(code.fileBytes / 4 + 1);
    origins.resize(unset.size(), NoOrigin);
  }
  std::fill(unset.begin(), unset.end(), 0);
  for (Slot slot : code.unwritten) {
    unset[slot / 4] = AllLanes;
    origins[slot / 4] = NoOrigin;
  }
  return isFollowing;
}

void Definedness::note(Slot slot, const Op &op) {
  if (origins[slot / 4] == NoOrigin)
    origins[slot / 4] = op.instruction;
}

void Definedness::set(Slot slot, LaneMask mask, LaneMask lanes, uint32_t origin) {
  LaneMask &word = unset[slot / 4];
  word = (word & ~mask) | (lanes & mask);
  if (lanes & mask)
    origins[slot / 4] = origin;
}

bool Definedness::decide(const Op &op, Slot slot, LaneMask lanes, const char *what) {
  return blame(op, unsetOf(slot) & lanes, origins[slot / 4], what);
}

bool Definedness::blame(const Op &op, LaneMask guilty, uint32_t origin, const char *what) {
  if (!guilty)
    return true;
  if (origin == NoOrigin)
    origin = op.instruction;
  Op first = op;
  first.instruction = origin & ~FromMemory;
  bool isMemory = origin & FromMemory;
  Block &block = *warp.x.block;
  block.setFault(
      &first, &warp, unsigned(__builtin_ctz(guilty)),
      isMemory ? FaultKind::UninitialisedMemory : FaultKind::UninitialisedRegister,
      isMemory ? "expected memory that was written; what is read here decides " + std::string(what)
               : "expected a register that was written; its word decides " + std::string(what));
  if (first.instruction != op.instruction) {
    block.fault->otherOffset = block.state.code.module->instructions[op.instruction].offset;
    block.fault->otherMessage = std::string("here ") + what + " depends on it";
  }
  return false;
}

/// Runs an exchange between lanes on the marks in place of the words.
LaneMask Definedness::exchanged(const Op &op, LaneMask mask) {
  Execution &x = warp.x;
  uint32_t saved[NumLanes], result[NumLanes];
  uint32_t *a = x.lanes<uint32_t>(op.a), *d = x.lanes<uint32_t>(op.d);
  // The op itself runs afterwards, so its registers must be as they were.
  memcpy(saved, a, sizeof saved);
  memcpy(result, d, sizeof result);
  LaneMask predicate = 0;
  if (op.immediate != NoSlot)
    predicate = x.predicate(Slot(op.immediate));
  for (unsigned lane = 0; lane < NumLanes; ++lane)
    a[lane] = unsetOf(op.a) >> lane & 1;
  op.run(x, op, mask);
  LaneMask lanes = 0;
  for (unsigned lane : Execution::each(mask))
    lanes |= (d[lane] & 1) << lane;
  memcpy(d, result, sizeof result);
  memcpy(a, saved, sizeof saved);
  if (op.immediate != NoSlot)
    *x.lanes<LaneMask>(Slot(op.immediate)) = predicate;
  return lanes;
}

bool Definedness::before(const Op &op, LaneMask mask) {
  Execution &x = warp.x;
  const Code &code = *x.code;
  const OpUses &uses = code.opUses[&op - code.ops.data()];
  const Slot *slots = code.uses.data() + uses.first;
  for (unsigned i = 0; i < uses.reads; ++i)
    if (unsetOf(slots[i]))
      note(slots[i], op);
  bool hasEffect = op.opClass == OpClass::Store || op.opClass == OpClass::Atomic ||
                   op.opClass == OpClass::Async || op.opClass == OpClass::Control ||
                   op.opClass == OpClass::Barrier;
  if (hasEffect && !decide(op, op.guard, x.active, "whether this happens"))
    return false;
  // What the first op of an instruction has read, its last one writes.
  if (&op == code.ops.data() || (&op)[-1].instruction != op.instruction)
    forget();
  auto take = [&](Slot slot, LaneMask lanes) {
    if (lanes) {
      pending |= lanes;
      pendingOrigin = origins[slot / 4];
    }
  };
  take(op.guard, unsetOf(op.guard));
  if (op.run == narrow || op.run == widen) {
    set(op.d, mask, unsetOf(op.a), origins[op.a / 4]);
    for (unsigned i = 0; i < uses.reads; ++i)
      take(slots[i], unsetOf(slots[i]));
    return true;
  }
  switch (op.opClass) {
  case OpClass::Load:
    if (instructionOf(x, op).opcode == Opcode::Ld)
      return decide(op, op.a, mask, "an address");
    for (unsigned i = 0; i < uses.reads; ++i)
      if (slots[i] != op.guard && !decide(op, slots[i], mask, "an address"))
        return false;
    return true;
  case OpClass::Store: {
    Opcode opcode = instructionOf(x, op).opcode;
    if (opcode != Opcode::St)
      return opcode != Opcode::StMatrix || decide(op, op.a, mask, "an address");
    if (!decide(op, op.a, mask, "an address"))
      return false;
    for (unsigned i = 0; i < op.count; ++i) {
      Slot slot = x.slots[op.list + i];
      bool isOutput = op.space == Space::Global || op.space == Space::Generic;
      if (isOutput && !decide(op, slot, mask, "what is stored to global memory"))
        return false;
      take(slot, unsetOf(slot));
    }
    return true;
  }
  case OpClass::Atomic:
  case OpClass::Async:
  case OpClass::Barrier:
    for (unsigned i = 0; i < uses.reads; ++i)
      if (slots[i] != op.guard && !decide(op, slots[i], mask, "what happens"))
        return false;
    // What its first op has read, if that made an address of it.
    return blame(op, pending & mask, pendingOrigin, "what happens");
  case OpClass::Warp:
    if (instructionOf(x, op).opcode == Opcode::ShflSync && x.gathered(mask, AllLanes)) {
      if (LaneMask lanes = unsetOf(op.a) ? exchanged(op, mask) : 0)
        take(op.a, lanes);
      return true;
    }
    break;
  case OpClass::Matrix:
    // 64 bits are an address of wgmma's operands; each of its accumulators goes into itself alone.
    if (instructionOf(x, op).opcode == Opcode::WgmmaMmaAsync) {
      llvm::ArrayRef<Slot> accumulators(slots + uses.reads, uses.writes);
      for (unsigned i = 0; i < uses.reads; ++i) {
        if (code.slotSize.lookup(slots[i]) == NumLanes * 8) {
          if (!decide(op, slots[i], mask, "an address"))
            return false;
        } else if (unsetOf(slots[i]) & mask && !llvm::is_contained(accumulators, slots[i])) {
          take(slots[i], AllLanes);
        }
      }
      return true;
    }
    for (unsigned i = 0; i < uses.reads; ++i)
      if (unsetOf(slots[i]) & mask)
        take(slots[i], AllLanes);
    return true;
  case OpClass::Move:
    // A selection takes one side.
    if (instructionOf(x, op).opcode == Opcode::SelP) {
      LaneMask chosen = x.predicate(op.c) ^ op.flipMask();
      take(op.a, unsetOf(op.a) & chosen);
      take(op.b, unsetOf(op.b) & ~chosen);
      take(op.c, unsetOf(op.c));
      return true;
    }
    break;
  default:
    break;
  }
  for (unsigned i = 0; i < uses.reads; ++i)
    take(slots[i], unsetOf(slots[i]));
  // A predicate that one side settles alone is set.
  pending &= ~settledLanes(x, op, unset);
  return true;
}

void Definedness::explainRace(const Op &op) {
  Block &block = *warp.x.block;
  if (!block.fault || block.fault->kind != FaultKind::Race || op.opClass != OpClass::Store ||
      !pending)
    return;
  // Threads that would all write one word do not when it is unset.
  block.fault.reset();
  blame(op, pending, pendingOrigin, "what is stored where others store");
}

void Definedness::after(const Op &op, LaneMask mask, LaneMask unsetLanes) {
  Execution &x = warp.x;
  const Code &code = *x.code;
  if (unsetLanes) {
    // What one lane names other lanes may get.
    bool isOwn = instructionOf(x, op).opcode == Opcode::Ld;
    pending |= isOwn ? unsetLanes : AllLanes;
    pendingOrigin = op.instruction | FromMemory;
    // What a store of unset registers has left there began with them.
    const std::map<uint64_t, uint32_t> &origins = x.block->unsetOrigins;
    if (isOwn && op.space == Space::Shared) {
      unsigned lane = unsigned(__builtin_ctz(unsetLanes));
      uint64_t address = op.detail == 32 ? x.lanes<uint32_t>(op.a)[lane] + uint32_t(op.immediate)
                                         : x.lanes<uint64_t>(op.a)[lane] + op.immediate;
      auto found = origins.lower_bound(address / 4);
      if (found != origins.end() && found->first * 4 < address + op.bytes * op.count)
        pendingOrigin = found->second;
    } else if (!isOwn && !origins.empty()) {
      pendingOrigin = origins.begin()->second;
    }
  }
  // A store that was refused has left nothing.
  if (op.opClass == OpClass::Store && x.block->fault)
    return;
  if (op.opClass == OpClass::Store && instructionOf(x, op).opcode == Opcode::StMatrix) {
    if (x.gathered(mask, AllLanes) && x.shared.valid)
      markUnsetRows(op);
    return;
  }
  if (op.opClass == OpClass::Store && pending & mask) {
    markUnset(x, op, pending & mask, pendingOrigin);
    return;
  }
  const OpUses &uses = code.opUses[&op - code.ops.data()];
  const Slot *slots = code.uses.data() + uses.first + uses.reads;
  // Accumulators that wgmma adds to stay as unset as they were.
  bool adds = op.opClass == OpClass::Matrix &&
              instructionOf(x, op).opcode == Opcode::WgmmaMmaAsync &&
              ((x.predicate(op.c) ^ op.flipMask()) & mask);
  if (adds && !pending)
    return;
  for (unsigned i = 0; i < uses.writes; ++i)
    set(slots[i], mask, pending, pendingOrigin);
}
