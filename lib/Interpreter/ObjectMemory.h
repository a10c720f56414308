//===- ObjectMemory.h - objects that pointers point into -===//
//
// An object is host memory and what the sanitizer knows about its bytes. Workgroup and private
// objects belong to an arena that is emptied for the next workgroup; global ones to the caller.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_OBJECTMEMORY_H
#define METTLE_LIB_INTERPRETER_OBJECTMEMORY_H

#include "AccessHistory.h"
#include "Program.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace mettle::interpreter {

struct Allocation {
  uint8_t *data = nullptr;
  uint64_t bytes = 0;
  /// One byte for each byte, 1 where it was written; null where all may be read.
  uint8_t *initialised = nullptr;
  /// Null where races are not looked for.
  AccessHistory *history = nullptr;
  AddressSpace space = AddressSpace::Global;
  /// How messages call it.
  std::string name;
  /// Where the kernel declares it; none where the launch gives it.
  std::optional<mlir::Location> declaration;
};

/// The high half of a pointer: which object it points into, by its number in its space.
constexpr uint64_t makeHandle(AddressSpace space, uint64_t number) {
  return static_cast<uint64_t>(space) << 32 | number;
}
constexpr AddressSpace spaceOf(uint64_t handle) { return static_cast<AddressSpace>(handle >> 32); }
constexpr uint32_t numberOf(uint64_t handle) { return static_cast<uint32_t>(handle); }

/// Number of the launch-sized array in workgroup memory; declared arrays follow.
constexpr uint32_t dynamicArrayNumber = 0;

/// The workgroup memory of a workgroup, or the private memory of a work-item.
class Arena {
public:
  /// Adds an uninitialised object, numbered in order. With `findRaces` accesses are compared.
  void add(uint64_t bytes, AddressSpace space, std::string name,
           std::optional<mlir::Location> declaration, bool findRaces);
  /// Makes every byte uninitialised again.
  void reset();
  Allocation *table() { return allocations.data(); }

private:
  struct Storage {
    std::unique_ptr<uint8_t[]> data, initialised;
    std::unique_ptr<AccessHistory> history;
  };
  std::vector<Storage> storage;
  std::vector<Allocation> allocations;
};

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_OBJECTMEMORY_H
