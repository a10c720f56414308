//===- Block.h - A block of threads at work ---------------------*- C++ -*-===//
//
// The warps of one block, its shared memory and barriers. A worker has one and runs block after
// block in it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_BLOCK_H
#define METTLE_LIB_EMULATOR_BLOCK_H

#include "Code.h"
#include "Delivery.h"
#include "Mettle/Emulator/Launch.h"
#include "Race.h"
#include "Warp.h"
#include <map>
#include <optional>

namespace mettle::emulator {

class MatrixState;

/// A barrier of the block. Warps arrive as wholes: 32 threads each, whatever their live lanes.
struct Barrier {
  std::array<LaneMask, 32> arrived = {};
  unsigned threads = 0; ///< expected, 0 for all that live
  bool isUsed = false;
  /// What a reduction has gathered.
  uint32_t count = 0, arrivedLanes = 0;
  /// What those had behind them who came and went on.
  Clock clock = {};
};

/// What all blocks of a launch share.
struct LaunchState {
  const Code &code;
  const Launch &launch;
  GlobalMemory &memory;
  const RunOptions &options;
  /// The module's variables in global and constant memory.
  std::vector<uint8_t> globalVariables, constantVariables;
  std::vector<uint8_t> parameters;
  Intervals intervals;

  bool isOneBlock() const { return launch.grid[0] * launch.grid[1] * launch.grid[2] == 1; }
};

class Block {
public:
  Block(LaunchState &state);

  /// Runs the block with this number in the grid, x fastest.
  std::optional<Fault> run(uint64_t linear);

  LaunchState &state;
  uint64_t linear = 0;
  std::array<uint32_t, 3> index = {};
  std::vector<std::unique_ptr<Warp>> warps;
  /// The last is that of a cluster of one.
  static constexpr unsigned ClusterBarrier = 16;
  std::array<Barrier, ClusterBarrier + 1> barriers;
  std::vector<uint8_t> sharedMemory, sharedValid, localMemory;
  /// Working memory of the matrix instructions, made when the first one runs.
  std::shared_ptr<MatrixState> matrix;
  std::optional<Fault> fault;
  uint64_t laneSteps = 0, warpSteps = 0;
  std::vector<uint32_t> sharedWriters, sharedReaders;
  BlockClocks clocks;
  Intervals::Chunk intervals;
  SplitWords splits;
  Deliveries deliveries;
  /// Words of shared memory that a store of unset registers left, and where those were first read.
  std::map<uint64_t, uint32_t> unsetOrigins;
  /// A barrier has let warps go: they take their turns from the first one on.
  bool startsOver = false;
  /// Grows whenever something happened that another warp may wait for.
  uint64_t events = 0;

  /// A warp comes to a barrier, and waits there or goes on.
  void arrive(Barrier &barrier, const Warp &warp, LaneMask mask, bool waits);
  /// Lets the warps at a barrier go if all have come.
  void completeBarrier(unsigned number);
  void setFault(const Op *op, const Warp *warp, unsigned lane, FaultKind kind, std::string message);

private:
  void meet(const Barrier &barrier, llvm::ArrayRef<Warp *> waiting, bool isWhole);
  void setSpecials(Warp &warp, bool ofBlock);
  void reportDeadlock();
  uint64_t specialValue(const SpecialSlot &special, const Warp &warp, unsigned lane) const;
};

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_BLOCK_H
