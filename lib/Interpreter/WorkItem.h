//===- WorkItem.h - the state that instructions work on -===//
//
// A work-item has a stack of frames and the objects its pointers may point into. It stops when a
// handler gives no next instruction.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_WORKITEM_H
#define METTLE_LIB_INTERPRETER_WORKITEM_H

#include "AsyncCopies.h"
#include "Mettle/Interpreter/Interpreter.h"
#include "ObjectMemory.h"
#include "Program.h"
#include "mlir/IR/Diagnostics.h"
#include <cstring>

namespace mettle::interpreter {

enum class WorkItemState : uint8_t { Running, Waiting, Finished, Faulted };

class WorkItem {
public:
  WorkItem(Workgroup &group, uint32_t linear, Extents index);

  /// Puts the work-item at the kernel's entry, with `memory` for its frames.
  void start(std::vector<uint64_t> memory);
  /// Executes until the work-item stops.
  void run();
  /// Gives the memory for frames back.
  std::vector<uint64_t> finish() { return std::move(stack); }

  Workgroup &group;
  /// Place in the workgroup, as one number (x fastest) and along each axis.
  const uint32_t linear;
  const Extents index;

  /// Slots of the running function.
  uint64_t *frame = nullptr;
  WorkItemState state = WorkItemState::Running;
  /// Where the work-item goes on; where it stands if it waits or has a fault.
  const Instruction *at = nullptr;
  /// Instructions since the start.
  uint64_t executed = 0;
  /// The last atomic access, and what it saw: one that sees the same again may be waiting.
  struct {
    const Instruction *instruction;
    uint64_t offset, value;
  } lastAtomic = {};
  /// Of global and of workgroup memory, what anyone did before this is ordered by an acquire of
  /// this work-item.
  struct {
    Interval global, workgroup;
  } acquired = {};
  /// Groups of asynchronous copies since the start.
  uint64_t committedGroups = 0;

  /// Enters a function whose arguments are behind the frame.
  const Instruction *enter(const Instruction *call, uint32_t function);
  /// Leaves the running function.
  const Instruction *leave();
  /// What is done when those have met that this one waits for: the workgroup or the subgroup.
  Rendezvous rendezvous = nullptr;
  LaneRendezvous laneRendezvous = nullptr;

  /// Stops until every work-item of the workgroup is at `instruction`; then `meet` is called once
  /// and all go on behind it.
  const Instruction *wait(const Instruction *instruction, Rendezvous meet) {
    state = WorkItemState::Waiting;
    at = instruction;
    rendezvous = meet;
    laneRendezvous = nullptr;
    return nullptr;
  }
  /// The same with the work-items of the subgroup that have not returned.
  const Instruction *waitForLanes(const Instruction *instruction, LaneRendezvous meet) {
    state = WorkItemState::Waiting;
    at = instruction;
    rendezvous = nullptr;
    laneRendezvous = meet;
    return nullptr;
  }
  /// Makes a waiting work-item ready to go on.
  void resumeBehind(const Instruction *instruction) {
    state = WorkItemState::Running;
    at = instruction + 1;
  }
  /// Lets the other work-items run before this one goes on at `instruction`.
  const Instruction *yield(const Instruction *instruction) {
    at = instruction;
    return nullptr;
  }
  /// Whether the other one stands at the same instruction, reached through the same calls.
  bool isBeside(const WorkItem &other) const;
  /// Stops with an error at the instruction's source line, which starts with "work-item (…) of
  /// workgroup (…) "; the handler appends the rest and returns null. Notes show the calls.
  mlir::InFlightDiagnostic fault(const Instruction *instruction);

  Allocation &resolve(uint64_t handle) {
    return tables[static_cast<uint32_t>(spaceOf(handle))][numberOf(handle)];
  }
  /// The host's address of the `Bytes` bytes that the pointer in slots `pointer` and `pointer` + 1
  /// points at, checked for an access; null after a fault.
  template <unsigned Bytes, AccessKind Kind>
  uint8_t *access(const Instruction *instruction, Slot pointer, uint64_t alignment) {
    return accessAt<Bytes, Kind>(instruction, frame[pointer + 1], frame[pointer], alignment);
  }
  /// The same for an address that is in no slots.
  template <unsigned Bytes, AccessKind Kind>
  uint8_t *accessAt(const Instruction *instruction, uint64_t handle, uint64_t offset,
                    uint64_t alignment);
  /// Compares a copy that is done with the accesses of others; false after a fault.
  bool recordCopy(const AsyncCopy &copy);
  /// The interval up to which acquires have ordered accesses to the memory.
  Interval &acquiredOf(const Allocation &memory) {
    return memory.space == AddressSpace::Workgroup ? acquired.workgroup : acquired.global;
  }

private:
  struct Call {
    const Instruction *site;
    uint64_t frameBase;
    uint32_t function;
  };

  void setFrame(uint64_t base, const Function &function);
  void reportAccess(const Instruction *instruction, const Allocation &memory, uint64_t offset,
                    unsigned bytes, uint64_t alignment, AccessKind kind);
  bool recordAccess(const Instruction *instruction, Allocation &memory, uint64_t offset,
                    unsigned bytes, AccessKind kind);
  void reportOutstanding(const Instruction *instruction, const ByteRange &range, AccessKind kind,
                         const AsyncCopy &copy);

  /// Of the workgroup.
  const AsyncCopies &copies;
  /// Objects by space; a handle never says generic.
  Allocation *tables[4] = {};
  Arena privateMemory;
  std::vector<uint64_t> stack;
  /// Of the running functions; the last is the innermost.
  std::vector<Call> calls;
};

template <unsigned Bytes, AccessKind Kind>
uint8_t *WorkItem::accessAt(const Instruction *instruction, uint64_t handle, uint64_t offset,
                            uint64_t alignment) {
  Allocation &memory = resolve(handle);
  // Offsets are modulo 2^64: one below zero is beyond every size.
  bool legal =
      offset <= memory.bytes && memory.bytes - offset >= Bytes && (offset & (alignment - 1)) == 0;
  if (reads(Kind) && legal && memory.initialised) {
    uint8_t written[Bytes];
    std::memset(written, 1, Bytes);
    legal = std::memcmp(memory.initialised + offset, written, Bytes) == 0;
  }
  if (!legal) {
    reportAccess(instruction, memory, offset, Bytes, alignment, Kind);
    return nullptr;
  }
  if (!copies.none()) {
    ByteRange range{handle, offset, Bytes};
    if (const AsyncCopy *copy = copies.conflict(range, Kind)) {
      reportOutstanding(instruction, range, Kind, *copy);
      return nullptr;
    }
  }
  if (memory.history && !recordAccess(instruction, memory, offset, Bytes, Kind))
    return nullptr;
  if (writes(Kind) && memory.initialised)
    std::memset(memory.initialised + offset, 1, Bytes);
  return memory.data + offset;
}

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_WORKITEM_H
