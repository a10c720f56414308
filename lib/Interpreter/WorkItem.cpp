//===- WorkItem.cpp - the state that instructions work on -===//
//
// The execution loop, frames, and the errors that instructions report.
//
//===----------------------------------------------------------------------===//

#include "WorkItem.h"

#include "Workgroup.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::interpreter;

/// Deep enough for any kernel: devices give a work-item far less stack.
static constexpr size_t maxCallDepth = 1000;

WorkItem::WorkItem(Workgroup &group, uint32_t linear, Extents index)
    : group(group), linear(linear), index(index), copies(group.asyncCopies) {
  for (const StaticArray &array : group.launch.program.privateArrays)
    privateMemory.add(array.bytes, AddressSpace::Private, "a private array", array.location,
                      /*findRaces=*/false);
}

void WorkItem::start(std::vector<uint64_t> memory) {
  const Launch &launch = group.launch;
  stack = std::move(memory);
  calls.assign(1, {nullptr, 0, 0});
  setFrame(0, launch.program.functions.front());
  llvm::copy(launch.entryFrame, frame);
  tables[static_cast<uint32_t>(AddressSpace::Global)] = group.launch.globals.data();
  tables[static_cast<uint32_t>(AddressSpace::Workgroup)] = group.memory.table();
  tables[static_cast<uint32_t>(AddressSpace::Private)] = privateMemory.table();
  privateMemory.reset();
  at = &launch.program.instructions[launch.program.functions.front().entry];
  executed = 0;
  lastAtomic = {};
  acquired = {};
  committedGroups = 0;
}

void WorkItem::run() {
  state = WorkItemState::Running;
  const uint64_t limit = group.launch.config.stepLimit;
  uint64_t left = (limit ? limit : UINT64_MAX) - executed;
  const uint64_t before = left;
  const Instruction *next = at;
  while (next && left) {
    --left;
    next = next->handler(next, *this);
  }
  executed += before - left;
  if (next)
    fault(next) << "has executed " << limit << " instructions, which is the limit";
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

void WorkItem::setFrame(uint64_t base, const Function &function) {
  uint64_t end = base + function.frameSlots + function.outgoingSlots;
  if (stack.size() < end)
    stack.resize(std::max<uint64_t>(end, 2 * stack.size()));
  frame = stack.data() + base;
}

const Instruction *WorkItem::enter(const Instruction *call, uint32_t function) {
  const Program &program = group.launch.program;
  if (calls.size() == maxCallDepth) {
    fault(call) << "nests calls deeper than " << maxCallDepth;
    return nullptr;
  }
  uint64_t base = calls.back().frameBase + program.functions[calls.back().function].frameSlots;
  const Function &callee = program.functions[function];
  calls.push_back({call, base, function});
  setFrame(base, callee);
  llvm::copy(callee.constants, frame + callee.constantBase);
  return &program.instructions[callee.entry];
}

const Instruction *WorkItem::leave() {
  const Instruction *site = calls.back().site;
  const AsyncCopy *copy = site ? nullptr : copies.firstOf(linear);
  if (copy) {
    fault(copy->instruction) << "returns without waiting for this copy";
    return nullptr;
  }
  calls.pop_back();
  if (calls.empty()) {
    state = WorkItemState::Finished;
    return nullptr;
  }
  frame = stack.data() + calls.back().frameBase;
  return site + 1;
}

bool WorkItem::isBeside(const WorkItem &other) const {
  return at == other.at && llvm::equal(calls, other.calls, [](const Call &a, const Call &b) {
           return a.site == b.site;
         });
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

InFlightDiagnostic WorkItem::fault(const Instruction *instruction) {
  state = WorkItemState::Faulted;
  at = instruction;
  const Program &program = group.launch.program;
  auto locationOf = [&](const Instruction *place) {
    return program.locations[program.indexOf(place)];
  };
  InFlightDiagnostic diagnostic = emitError(locationOf(instruction));
  diagnostic << group.describe(group.start(), linear) << ' ';
  for (const Call &call : llvm::reverse(calls))
    if (call.site)
      diagnostic.attachNote(locationOf(call.site))
          << "in '" << program.functions[call.function].name << "', called here";
  return diagnostic;
}

static StringRef verb(AccessKind kind) {
  switch (kind) {
  case AccessKind::Read:
    return "reads";
  case AccessKind::Write:
    return "writes";
  case AccessKind::AtomicRead:
    return "atomically reads";
  case AccessKind::AtomicWrite:
    return "atomically writes";
  case AccessKind::AtomicUpdate:
    return "atomically updates";
  }
  llvm_unreachable("every kind has a word");
}

void WorkItem::reportAccess(const Instruction *instruction, const Allocation &memory,
                            uint64_t offset, unsigned bytes, uint64_t alignment, AccessKind kind) {
  InFlightDiagnostic diagnostic = fault(instruction);
  bool inside = offset <= memory.bytes && memory.bytes - offset >= bytes;
  // Negative offsets read better as such.
  diagnostic << verb(kind) << ' ' << bytes << (bytes == 1 ? " byte" : " bytes") << " at byte "
             << static_cast<int64_t>(offset) << " of " << memory.name;
  if (!inside)
    diagnostic << ", which has " << memory.bytes;
  else if (offset & (alignment - 1))
    diagnostic << ", which is not a multiple of " << alignment;
  else
    diagnostic << ", which nothing has written";
  if (memory.declaration)
    diagnostic.attachNote(memory.declaration) << "it is declared here";
}

bool WorkItem::recordAccess(const Instruction *instruction, Allocation &memory, uint64_t offset,
                            unsigned bytes, AccessKind kind) {
  const Program &program = group.launch.program;
  Interval barrier =
      memory.space == AddressSpace::Workgroup ? group.workgroupInterval : group.globalInterval;
  std::optional<Conflict> conflict =
      memory.history->record(offset, bytes, kind,
                             {group.launch.lastInterval, group.start(), barrier, acquiredOf(memory),
                              program.indexOf(instruction), static_cast<uint16_t>(linear)});
  if (!conflict)
    return true;
  std::string other = group.describe(conflict->interval, conflict->workItem);
  InFlightDiagnostic diagnostic = fault(instruction);
  diagnostic << verb(kind) << ' ' << bytes << (bytes == 1 ? " byte" : " bytes") << " at byte "
             << offset << " of " << memory.name << ", which " << other << ' '
             << verb(conflict->kind)
             << (conflict->interval < group.start() ? ", and nothing orders workgroups"
                                                    : " with no barrier between");
  diagnostic.attachNote(program.locations[conflict->instruction]) << "the other access is here";
  return false;
}

void WorkItem::reportOutstanding(const Instruction *instruction, const ByteRange &range,
                                 AccessKind kind, const AsyncCopy &copy) {
  const Program &program = group.launch.program;
  bool isTarget = copy.target.handle == range.handle;
  InFlightDiagnostic diagnostic = fault(instruction);
  diagnostic << verb(kind) << ' ' << range.bytes << (range.bytes == 1 ? " byte" : " bytes")
             << " at byte " << range.offset << " of " << resolve(range.handle).name
             << ", which an asynchronous copy of "
             << (copy.workItem == linear ? "its own" : group.describe(group.start(), copy.workItem))
             << (isTarget ? " writes" : " reads") << " until it is waited for";
  diagnostic.attachNote(program.locations[program.indexOf(copy.instruction)])
      << "the copy begins here";
}

bool WorkItem::recordCopy(const AsyncCopy &copy) {
  auto record = [&](const ByteRange &range, AccessKind kind) {
    Allocation &memory = resolve(range.handle);
    return !memory.history ||
           recordAccess(copy.instruction, memory, range.offset, range.bytes, kind);
  };
  return record(copy.source, AccessKind::Read) && record(copy.target, AccessKind::Write);
}
