//===- Op.h - The compact form of an instruction ----------------*- C++ -*-===//
//
// What a PTX instruction is decoded to, once: a handler and the places of its operands in a warp's
// register file. Plain data only: the vector families include this header and are compiled once
// for each instruction set of the host.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_OP_H
#define METTLE_LIB_EMULATOR_OP_H

#include <cstdint>

namespace mettle::emulator {

/// One bit a lane of a warp; lane 0 is the lowest.
using LaneMask = uint32_t;
inline constexpr unsigned NumLanes = 32;
inline constexpr LaneMask AllLanes = ~LaneMask(0);

/// Where a register of all lanes stands in a warp's register file, in bytes. A register of 16, 32
/// or 64 bits takes 32 such words, lane 0 first; 8-bit registers are held as 16 bits, 128-bit ones
/// as two blocks of 64 (low halves first); a predicate takes one LaneMask. Literals, addresses of
/// variables and special registers are slots too, filled before the first op runs, so a handler
/// never asks what kind an operand is of.
using Slot = uint32_t;
inline constexpr Slot NoSlot = ~Slot(0);

/// A state space, as far as an access must know it.
enum class Space : uint8_t { Generic, Global, Shared, Local, Constant, Param };

struct Op;
struct Execution;

/// Runs an op for the lanes of `mask`, of which there is at least one, and gives the op to run
/// next: `op.next()`, unless it branches, or what Execution's `fault`, `await...` and `leave` give,
/// to be returned at once.
using Handler = const Op *(*)(Execution & execution, const Op &op, LaneMask mask);

/// What an op does, for the profile.
enum class OpClass : uint8_t {
  Integer,
  Float,
  Double,
  Half,
  Special, ///< the multi-function unit
  Convert,
  Compare,
  Move,
  Load,
  Store,
  Atomic,
  Async,
  Control,
  Barrier,
  Warp,
  Matrix,
};

/// Which members mean something is up to the handler and the decode function beside it.
struct Op {
  Handler run = nullptr;
  /// The op runs for the lanes whose bit of (guard ^ guardFlip) is set. Unguarded ops name the
  /// slot whose lanes are all true.
  Slot guard = NoSlot;
  LaneMask guardFlip = 0;
  Slot d = NoSlot, a = NoSlot, b = NoSlot, c = NoSlot;
  /// A literal, an address offset, the index of a branch target in Code::ops.
  uint64_t immediate = 0;
  /// `count` more slots from Code::slots[list] on: the registers of a vector or fragment.
  uint32_t list = 0;
  uint16_t count = 0;
  Space space = Space::Generic;
  /// Bytes of one element of a memory access.
  uint8_t bytes = 0;
  /// Index of the module's instruction, for faults.
  uint32_t instruction = 0;
  /// The handler's own small number: flags, a table row.
  uint16_t detail = 0;
  OpClass opClass = OpClass::Move;
  /// A predicate operand is negated: xor-ed to it.
  bool flip = false;

  const Op *next() const { return this + 1; }
  LaneMask flipMask() const { return flip ? AllLanes : 0; }
};
static_assert(sizeof(Op) == 64 || sizeof(Op) == 56);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_OP_H
