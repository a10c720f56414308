//===- Warp.h - Lanes that part and meet again ------------------*- C++ -*-===//
//
// The lanes of a warp stand at one or several places of the program. Those that stand together are
// a fragment; the fragment furthest behind in text order runs first, a function's text standing
// where it is called, and where it comes upon another they go on together. Every lane keeps making
// progress, as on hardware with independent thread scheduling: a fragment that spins gives way to
// the others.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_WARP_H
#define METTLE_LIB_EMULATOR_WARP_H

#include "Definedness.h"
#include "Execution.h"
#include "Mettle/Emulator/Profile.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace mettle::emulator {

/// Where a call returns to: the op behind it, and the copies to make (see Call.cpp).
struct Frame {
  uint32_t callOp;
  bool operator==(const Frame &other) const { return callOp == other.callOp; }
};

struct Fragment {
  enum State : uint8_t {
    Ready,
    Yielded,  ///< ready, but others go first
    AtWarp,   ///< waits for other lanes of the warp
    AtBarrier ///< waits at a barrier of the block
  };
  uint32_t pc = 0; ///< index of the next op; of the op waited at
  LaneMask mask = 0;
  State state = Ready;
  LaneMask members = 0; ///< AtWarp: the lanes that must come
  unsigned barrier = 0; ///< AtBarrier: its number
  llvm::SmallVector<Frame, 2> frames;
};

/// Counts one op in a profile.
void countOp(Profile &profile, Execution &x, const Op &op, LaneMask mask);

class Warp {
public:
  Warp(const Code &code, Block &block, unsigned index);

  /// Starts the kernel again for the lanes of `exists`.
  void start(LaneMask exists);
  /// Runs until every lane waits, has left, or gave way. False after a fault.
  bool run();

  bool isReady() const;
  bool isDone() const { return fragments.empty(); }

  Execution x;
  llvm::SmallVector<Fragment, 4> fragments;
  /// The fragment that runs.
  unsigned current = 0;
  uint64_t steps = 0, laneSteps = 0;
  Profile profile;
  Definedness definedness;

  /// Takes the lanes of `mask` out of the running fragment; gives the fragment they are in then.
  /// The rest goes on behind the op.
  Fragment &detach(const Op &op, LaneMask mask);
  /// Lets fragments go whose lanes have all come.
  void release();

private:
  bool choose(uint32_t &limit);
  /// What is looked at beside running: nothing, what is counted, whether loads meet unwritten
  /// memory, or each op.
  enum class Watch { Nothing, Counts, Loads, Everything };
  template <Watch watch> bool runFragment(uint32_t limit);

  struct Free {
    void operator()(uint8_t *memory) const { ::operator delete[](memory, std::align_val_t(64)); }
  };
  std::unique_ptr<uint8_t[], Free> file;
  /// Set by what made a handler give null.
  bool hasGivenWay = false;
  friend struct Execution;
};

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_WARP_H
