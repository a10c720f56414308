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
    BulkCommit,   ///< cp.async.bulk.commit_group
    BulkWait,     ///< cp.async.bulk.wait_group; count
    PhaseInit,    ///< mbarrier.init; count: the arrivals of a phase
    PhaseArrive,  ///< mbarrier.arrive; count: how many arrive; amount: bytes they expect
    PhaseWait,    ///< all threads wait for a phase; value: its parity
    PhaseInval,   ///< mbarrier.inval
  };
  /// What an asynchronous access is waited for by.
  enum Over : uint8_t { AtOnce, CopyGroup, MatrixGroup, BulkGroup, Phase };
  Kind kind = Barrier;
  /// The innermost loop that holds it, ~0 where none does.
  uint32_t loop = ~0u;
  FormId address = 0;
  TermId value = 0;
  uint8_t bytes = 0;
  Over over = AtOnce;
  bool isAsync() const { return over != AtOnce; }
  /// Made by the copy engine: what stands for bits of the thread are bits of the piece's number.
  bool isByEngine = false;
  uint64_t pieceBits = 0;
  PredId pred = Terms::truePred;
  uint32_t count = 0;
  /// Of the mbarrier's events, the mbarrier; of a copy, that which it completes at.
  FormId phase = 0;
  uint32_t amount = 0;
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
  /// The dimensions of %ctaid that a trip count depends on, where that is why there is no answer.
  uint8_t tripBlocks = 0;
  /// What was trusted of `LaunchFacts::trusted`.
  std::vector<std::string> assumed;
  /// The bits of %tid.x that a block of this launch has.
  uint64_t threadBits = 0;
  uint64_t bitsOf(const Event &event) const {
    return event.isByEngine ? event.pieceBits : threadBits;
  }
  /// Parameters into whose memory tensor maps are written.
  uint64_t mapParameters = 0;
  std::optional<Reason> failure;
};

/// Walks the entry.
Program execute(const assembly::ptx::Module &module, const assembly::ptx::Function &entry,
                const LaunchFacts &facts, Terms &terms);

} // namespace mettle::checker

#endif // METTLE_CHECKER_EXEC_PROGRAM_H
