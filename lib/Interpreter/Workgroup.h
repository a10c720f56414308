//===- Workgroup.h - a launch and its workgroups -===//
//
// The scheduler. Workgroups run one after another, and the work-items of a workgroup one after
// another from one barrier to the next, so a launch is deterministic.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_WORKGROUP_H
#define METTLE_LIB_INTERPRETER_WORKGROUP_H

#include "Subgroup.h"

namespace mettle::interpreter {

/// What all workgroups of a launch share.
struct Launch {
  const Program &program;
  const LaunchConfig &config;
  /// Lanes of a full subgroup.
  uint32_t subgroupSize;
  /// The kernel's frame at its entry: arguments and constants are in place.
  std::vector<uint64_t> entryFrame;
  std::vector<Allocation> globals;
  std::vector<std::unique_ptr<AccessHistory>> histories;
  /// The first interval of each workgroup so far.
  std::vector<Interval> workgroupStarts;
  Interval lastInterval = 0;
};

class Workgroup {
public:
  explicit Workgroup(Launch &launch);
  ~Workgroup();

  /// Runs the workgroup with this place in the grid (x fastest) to its end.
  llvm::LogicalResult run(uint64_t place, LaunchStatistics &statistics);

  Launch &launch;
  /// Place in the grid, along each axis.
  Extents index = {0, 0, 0};
  Arena memory;
  AsyncCopies asyncCopies;
  /// Where the last barriers that order workgroup and global memory were: each begins an interval.
  Interval workgroupInterval = 0, globalInterval = 0;

  /// Begins intervals of the named memory.
  void beginInterval(MemoryRegion regions);
  /// Makes what one work-item has acquired of the named memory visible to all: they have met.
  void shareAcquired(MemoryRegion regions);
  Interval start() const { return launch.workgroupStarts.back(); }
  /// A work-item of this or an earlier workgroup, as messages name it.
  std::string describe(Interval when, uint32_t workItem) const;

private:
  llvm::LogicalResult runLanes(Subgroup &lanes, LaunchStatistics &statistics);
  llvm::LogicalResult meet();
  llvm::LogicalResult reportDivergence(const WorkItem &waiting, const WorkItem &other);

  std::vector<std::unique_ptr<WorkItem>> items;
  std::vector<Subgroup> subgroups;
  /// Of this run: how many work-items have been started, and how many have returned.
  size_t started = 0, finished = 0;
  std::vector<std::vector<uint64_t>> freeStacks;
};

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_WORKGROUP_H
