//===- Workgroup.cpp - a launch and its workgroups -===//
//
// The scheduler, and what it knows of barriers.
//
//===----------------------------------------------------------------------===//

#include "Workgroup.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

static Extents unfold(uint64_t place, Extents extents) {
  return {static_cast<uint32_t>(place % extents[0]),
          static_cast<uint32_t>(place / extents[0] % extents[1]),
          static_cast<uint32_t>(place / extents[0] / extents[1])};
}

Workgroup::Workgroup(Launch &launch) : launch(launch) {
  memory.add(launch.config.dynamicWorkgroupBytes, AddressSpace::Workgroup,
             "the dynamic workgroup memory", std::nullopt, /*findRaces=*/true);
  for (const StaticArray &array : launch.program.workgroupArrays)
    memory.add(array.bytes, AddressSpace::Workgroup, "a workgroup array", array.location,
               /*findRaces=*/true);
  const Extents &block = launch.config.block;
  for (uint32_t linear = 0; linear < block[0] * block[1] * block[2]; ++linear)
    items.push_back(std::make_unique<WorkItem>(*this, linear, unfold(linear, block)));
  ArrayRef<std::unique_ptr<WorkItem>> rest = items;
  for (; !rest.empty(); rest = rest.drop_front(std::min<size_t>(launch.subgroupSize, rest.size())))
    subgroups.emplace_back(launch.subgroupSize, rest.take_front(launch.subgroupSize));
}

Workgroup::~Workgroup() = default;

void Workgroup::beginInterval(MemoryRegion regions) {
  Interval next = ++launch.lastInterval;
  if (bitEnumContainsAny(regions, MemoryRegion::Workgroup))
    workgroupInterval = next;
  if (bitEnumContainsAny(regions, MemoryRegion::Global))
    globalInterval = next;
}

void Workgroup::shareAcquired(MemoryRegion regions) {
  Interval global = 0, workgroup = 0;
  for (const std::unique_ptr<WorkItem> &item : items) {
    global = std::max(global, item->acquired.global);
    workgroup = std::max(workgroup, item->acquired.workgroup);
  }
  for (const std::unique_ptr<WorkItem> &item : items) {
    if (bitEnumContainsAny(regions, MemoryRegion::Global))
      item->acquired.global = global;
    if (bitEnumContainsAny(regions, MemoryRegion::Workgroup))
      item->acquired.workgroup = workgroup;
  }
}

std::string Workgroup::describe(Interval when, uint32_t workItem) const {
  const std::vector<Interval> &starts = launch.workgroupStarts;
  uint64_t place = llvm::upper_bound(starts, when) - starts.begin() - 1;
  Extents item = items[workItem]->index, group = unfold(place, launch.config.grid);
  return llvm::formatv("work-item ({0}, {1}, {2}) of workgroup ({3}, {4}, {5})", item[0], item[1],
                       item[2], group[0], group[1], group[2])
      .str();
}

LogicalResult Workgroup::run(uint64_t place, LaunchStatistics &statistics) {
  index = unfold(place, launch.config.grid);
  beginInterval(MemoryRegion::Workgroup | MemoryRegion::Global);
  launch.workgroupStarts.push_back(launch.lastInterval);
  memory.reset();
  asyncCopies.clear();

  started = finished = 0;
  while (finished < items.size()) {
    for (Subgroup &lanes : subgroups)
      if (failed(runLanes(lanes, statistics)))
        return failure();
    // One that runs has let the others go first.
    bool isRunning =
        llvm::any_of(items, [](const auto &item) { return item->state == WorkItemState::Running; });
    if (!isRunning && finished < items.size() && failed(meet()))
      return failure();
  }
  ++statistics.workgroups;
  return success();
}

/// Runs the lanes one after another, from collective to collective, until each has returned, waits
/// for others than these, or lets others go first.
LogicalResult Workgroup::runLanes(Subgroup &lanes, LaunchStatistics &statistics) {
  for (;;) {
    for (const std::unique_ptr<WorkItem> &item : lanes.lanes()) {
      if (item->linear >= started) {
        std::vector<uint64_t> stack;
        // The last one used is still in the cache; a kernel without barriers needs no other.
        if (!freeStacks.empty()) {
          stack = std::move(freeStacks.back());
          freeStacks.pop_back();
        }
        item->start(std::move(stack));
        ++started;
      } else if (item->state != WorkItemState::Running) {
        continue;
      }
      item->run();
      if (item->state == WorkItemState::Waiting || item->state == WorkItemState::Running)
        continue;
      statistics.instructions += item->executed;
      if (item->state == WorkItemState::Faulted)
        return failure();
      ++statistics.workItems;
      freeStacks.push_back(item->finish());
      ++finished;
    }
    FailureOr<bool> met = lanes.meet();
    if (failed(met) || !*met)
      return failed(met) ? failure() : success();
  }
}

/// Every work-item has stopped, some of them at a barrier or at a collective that lanes are missing
/// from.
LogicalResult Workgroup::meet() {
  for (const Subgroup &lanes : subgroups)
    for (const std::unique_ptr<WorkItem> &item : lanes.lanes())
      if (item->state == WorkItemState::Waiting && item->laneRendezvous)
        for (const std::unique_ptr<WorkItem> &other : lanes.lanes())
          if (other->state == WorkItemState::Waiting && !other->isBeside(*item))
            return reportDivergence(*item, *other);
  const WorkItem &waiting = **llvm::find_if(
      items, [](const auto &item) { return item->state == WorkItemState::Waiting; });
  for (std::unique_ptr<WorkItem> &item : items)
    if (item->state != WorkItemState::Waiting || item->at != waiting.at)
      return reportDivergence(waiting, *item);
  const Instruction *place = waiting.at;
  waiting.rendezvous(*place, *this);
  for (std::unique_ptr<WorkItem> &item : items)
    item->resumeBehind(place);
  return success();
}

// A work-item that has returned does not reach the barrier either: OpenCL asks every work-item of
// the workgroup to execute it, whatever other targets tolerate.
LogicalResult Workgroup::reportDivergence(const WorkItem &waiting, const WorkItem &other) {
  auto locationOf = [&](const WorkItem &item) {
    return launch.program.locations[launch.program.indexOf(item.at)];
  };
  bool returned = other.state == WorkItemState::Finished;
  InFlightDiagnostic diagnostic = emitError(locationOf(waiting));
  diagnostic << describe(start(), waiting.linear) << " waits at this "
             << (waiting.laneRendezvous ? "collective of its subgroup" : "barrier") << ", which "
             << describe(start(), other.linear)
             << (returned ? " has returned without reaching" : " does not reach");
  if (!returned)
    diagnostic.attachNote(locationOf(other))
        << (waiting.at == other.at ? "it waits here too, through another call"
                                   : "it waits at this one");
  return diagnostic;
}
