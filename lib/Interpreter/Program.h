//===- Program.h - the flat program that work-items execute -===//
//
// What a kernel and its helpers are lowered to once: arrays of small instructions over numbered
// slots. Control flow is relative jumps, so running a work-item is one loop over handlers, and
// suspending it is remembering one address.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_PROGRAM_H
#define METTLE_LIB_INTERPRETER_PROGRAM_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/IR/Location.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mettle::interpreter {
struct Instruction;
class Subgroup;
class WorkItem;
class Workgroup;

/// Executes one instruction and returns the next. Null where the work-item stops: it finished,
/// waits or has a fault, as its state says.
using Handler = const Instruction *(*)(const Instruction *, WorkItem &);

/// A slot is 64 bits of a function's frame. An integer is zero-extended, a float its bits, a
/// pointer two slots (offset in bytes, allocation), a vector its elements one after another.
using Slot = uint32_t;

struct Instruction {
  Handler handler;
  Slot result;
  /// Slots of operands, or what else the handler takes.
  uint32_t a, b, c;
  /// A jump's distance in instructions, or what else the handler takes.
  uint64_t immediate;
};

/// Where a function stands in the program and what its frame holds: arguments (at the end, its
/// results) from slot 0, values, then constants, which entering the function copies in. Behind the
/// frame come the arguments of the function it calls, which are that function's first slots.
struct Function {
  std::string name;
  uint32_t entry = 0;
  uint32_t frameSlots = 0;
  uint32_t constantBase = 0;
  /// Slots behind the frame that calls use.
  uint32_t outgoingSlots = 0;
  std::vector<uint64_t> constants;
};

/// What happens when all work-items of a workgroup have arrived at the same instruction.
using Rendezvous = void (*)(const Instruction &, Workgroup &);
/// The same for the lanes of a subgroup, but those that have returned. Fails after a fault.
using LaneRendezvous = llvm::LogicalResult (*)(const Instruction &, Subgroup &);

/// An array that the kernel declares, in workgroup or private memory.
struct StaticArray {
  uint64_t bytes;
  mlir::Location location;
};

/// A kernel, function 0, and what it calls.
struct Program {
  std::vector<Instruction> instructions;
  /// Of each instruction.
  std::vector<mlir::Location> locations;
  std::vector<Function> functions;
  std::vector<StaticArray> workgroupArrays;
  std::vector<StaticArray> privateArrays;

  uint32_t indexOf(const Instruction *instruction) const {
    return static_cast<uint32_t>(instruction - instructions.data());
  }
};

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_PROGRAM_H
