//===- Launch.h - Running a kernel ------------------------------*- C++ -*-===//
//
// A launch of a decoded kernel on global memory: which blocks, which parameters, what is checked.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_EMULATOR_LAUNCH_H
#define METTLE_EMULATOR_LAUNCH_H

#include "Mettle/Emulator/Fault.h"
#include "Mettle/Emulator/Memory.h"
#include "Mettle/Emulator/Profile.h"
#include "Mettle/Emulator/Program.h"
#include <functional>
#include <optional>

namespace mettle::emulator {

struct Launch {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t dynamicShared = 0;
  /// The parameters' bytes at their offsets.
  std::vector<uint8_t> parameters;
};

/// The host instruction sets that the vector code is compiled for.
enum class HostISA : uint8_t { Best, Portable, AVX2, AVX512 };

/// Chooses the vector code for kernels decoded from now on, for tests and benchmarks; the best the
/// machine has is the default. False if this machine cannot run it.
bool setHostISA(HostISA isa);

struct RunOptions {
  /// Worker threads; 0 means as many as the machine has. Results do not depend on it.
  unsigned workers = 0;
  /// Look for races, uninitialised reads and divergent barriers. Bounds, alignment and deadlocks
  /// are always checked.
  bool checks = false;
  /// A block may execute so many warp instructions; 0: no limit.
  uint64_t stepLimit = 0;
  /// Filled with counts of the run, if given and nothing else is checked.
  Profile *profile = nullptr;
  /// Called now and then with the number of finished blocks.
  std::function<void(uint64_t)> progress;
};

/// Counts of a run.
struct RunCounts {
  uint64_t warpInstructions = 0, laneInstructions = 0;
};

/// Runs a kernel. The first fault, that of the lowest block, or nothing. What a faulty run leaves
/// in memory is unspecified.
std::optional<Fault> run(const Kernel &kernel, const Launch &launch, GlobalMemory &memory,
                         const RunOptions &options = {}, RunCounts *counts = nullptr);

} // namespace mettle::emulator

#endif // METTLE_EMULATOR_LAUNCH_H
