//===- Program.h - What one symbolic thread does ----------------*- C++ -*-===//
//
// The result of walking an entry once: its stores and exchanges in program order, its loops, and
// the terms of the values. Nothing here is resolved between threads yet.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_EXEC_PROGRAM_H
#define METTLE_CHECKER_EXEC_PROGRAM_H

#include "Mettle/Assembly/PTX/Module.h"
#include "Mettle/Checker/Exec/MatrixUse.h"
#include <memory>

namespace mettle::checker {

/// What is known of a launch. Zeros and missing values are unknown.
struct LaunchFacts {
  std::array<uint32_t, 3> block = {}, grid = {};
  uint64_t dynamicShared = 0;
  /// Bits of the scalar parameters, by number of the parameter.
  llvm::SmallVector<std::optional<uint64_t>, 12> scalars;
  /// Matrix instructions that are trusted though no device has confirmed their row.
  llvm::SmallVector<std::string, 1> trusted;
};

/// Why there is no answer.
struct Reason {
  std::string text;
  InstructionId instruction = ~0u;
};

struct Event {
  enum Kind : uint8_t {
    GlobalStore,
    SharedStore,
    SharedLoad,
    Barrier,
    WarpBarrier,
    CopyCommit,   ///< cp.async.commit_group
    CopyWait,     ///< cp.async.wait_group; count
    MatrixCommit, ///< wgmma.commit_group
    MatrixWait,   ///< wgmma.wait_group; count
  };
  Kind kind = Barrier;
  /// The innermost loop that holds it, ~0 where none does.
  uint32_t loop = ~0u;
  FormId address = 0;
  TermId value = 0;
  uint8_t bytes = 0;
  /// A store that cp.async makes, or a load that wgmma does: over when it has been waited for.
  bool isAsync = false;
  PredId pred = Terms::truePred;
  uint32_t count = 0;
  InstructionId instruction = ~0u;
};

/// A loop-carried value. The body's value stands for the next iteration's.
struct Carried {
  TermId initial = 0, body = 0;
};

struct Loop {
  uint32_t parent = ~0u;
  int64_t trips = 1;
  AtomId counter = 0;
  /// Half-open range of its events.
  uint32_t firstEvent = 0, lastEvent = 0;
  std::vector<Carried> carried;
};

struct Program {
  std::vector<Event> events;
  std::vector<Loop> loops;
  std::vector<MatrixUse> matrices;
  /// What was trusted of `LaunchFacts::trusted`.
  std::vector<std::string> assumed;
  /// The bits of %tid.x that a block of this launch has.
  uint64_t threadBits = 0;
  std::optional<Reason> failure;
};

/// Walks the entry.
Program execute(const assembly::ptx::Module &module, const assembly::ptx::Function &entry,
                const LaunchFacts &facts, Terms &terms);

} // namespace mettle::checker

#endif // METTLE_CHECKER_EXEC_PROGRAM_H
