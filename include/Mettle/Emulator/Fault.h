//===- Fault.h - What stops a run, and what a run has to say ----*- C++ -*-===//
//
// A fault of an emulated thread, with the PTX line, the source line where the module has one, the
// thread and the block; and notes, which do not stop a run.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_EMULATOR_FAULT_H
#define METTLE_EMULATOR_FAULT_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::emulator {

enum class FaultKind : uint8_t {
  OutOfBounds,
  Misaligned,
  UninitialisedRegister,
  UninitialisedMemory,
  ReadOnly,
  Race,
  BarrierDivergence,
  WarpDivergence, ///< lanes named by a member mask cannot meet
  Deadlock,
  MissingWait,  ///< what an asynchronous copy writes is touched before anybody has waited for it
  MissingFence, ///< memory written by ordinary stores is read by the async proxy without a fence
  Trap,
  StepLimit,
  Unsupported, ///< a case of a known instruction that is not modelled
  Misuse,      ///< an operand outside what the instruction allows
};

llvm::StringRef name(FaultKind kind);

struct Fault {
  FaultKind kind;
  /// What was expected and what stood there.
  std::string message;
  /// Byte offset in the PTX text of the instruction; ~0 if none is to blame.
  uint32_t offset = ~0u;
  /// `file:line` of the `.loc` in force, empty if there is none.
  std::string source;
  /// A fault of the launch itself has neither.
  bool hasThread = false, hasBlock = true;
  std::array<uint32_t, 3> thread = {}, block = {};
  /// The other access of a race: its instruction's offset, or ~0.
  uint32_t otherOffset = ~0u;
  std::string otherMessage;
};

/// Writes `file:line:column: error: message (kind; thread (x, y, z) of block (x, y, z); at
/// source.cu:12)`, and a note line for the other place.
void printFault(llvm::raw_ostream &os, llvm::StringRef file, llvm::StringRef text,
                const Fault &fault);

} // namespace mettle::emulator

#endif // METTLE_EMULATOR_FAULT_H
