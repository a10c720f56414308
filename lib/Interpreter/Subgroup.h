//===- Subgroup.h - the lanes that run together -===//
//
// A subgroup is so many neighbours in the linear order of the workgroup; the last may lack some.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_SUBGROUP_H
#define METTLE_LIB_INTERPRETER_SUBGROUP_H

#include "WorkItem.h"

namespace mettle::interpreter {

class Subgroup {
public:
  /// `size` is that of a full subgroup, which `items` may fall short of.
  Subgroup(uint32_t size, llvm::ArrayRef<std::unique_ptr<WorkItem>> items)
      : size(size), items(items) {}

  const uint32_t size;

  /// The work-items, from lane 0 on; what has finished is absent.
  llvm::ArrayRef<std::unique_ptr<WorkItem>> lanes() const { return items; }
  bool isPresent(uint64_t lane) const {
    return lane < items.size() && items[lane]->state != WorkItemState::Finished;
  }
  /// The work-item of a lane that is not absent, or null.
  WorkItem *at(uint64_t lane) const { return isPresent(lane) ? items[lane].get() : nullptr; }

  /// If every lane that is not absent waits at one collective, meets there and lets them go on.
  /// Gives whether they did; fails after a fault.
  llvm::FailureOr<bool> meet() {
    WorkItem *first = nullptr;
    for (const std::unique_ptr<WorkItem> &item : items) {
      if (item->state == WorkItemState::Finished)
        continue;
      if (item->state != WorkItemState::Waiting || !item->laneRendezvous)
        return false;
      if (first && !item->isBeside(*first))
        return false;
      first = first ? first : item.get();
    }
    if (!first)
      return false;
    const Instruction *place = first->at;
    if (llvm::failed(first->laneRendezvous(*place, *this)))
      return llvm::failure();
    for (const std::unique_ptr<WorkItem> &item : items)
      if (item->state == WorkItemState::Waiting)
        item->resumeBehind(place);
    return true;
  }

private:
  llvm::ArrayRef<std::unique_ptr<WorkItem>> items;
};

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_SUBGROUP_H
