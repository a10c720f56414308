//===- Memory.h - Global memory of an emulated device -----------*- C++ -*-===//
//
// The buffers a launch works on. Each is an allocation with an address of its own and unmapped
// space around it, so an access that leaves a buffer is found.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_EMULATOR_MEMORY_H
#define METTLE_EMULATOR_MEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <string>
#include <vector>

namespace mettle::emulator {

class GlobalMemory {
public:
  struct Allocation {
    std::string name;
    uint64_t address = 0, size = 0;
    uint8_t *host = nullptr;
    /// A byte for each byte, 0 where nothing was written yet; null where all is initialised.
    std::unique_ptr<uint8_t[]> valid;
    /// For a run with checks: last writer and last reader of each four bytes.
    std::unique_ptr<uint32_t[]> writers, readers;
    std::unique_ptr<uint8_t[]> owned;
  };

  /// Maps `data`, which must outlive the memory; returns its address, a multiple of 4,096 or, if
  /// that is less, exactly of `alignment` and no higher power of two.
  uint64_t map(llvm::MutableArrayRef<uint8_t> data, llvm::StringRef name,
               uint64_t alignment = 4096);
  /// Allocates memory that nothing has written.
  uint64_t allocate(uint64_t bytes, llvm::StringRef name);

  llvm::ArrayRef<Allocation> allocations() const { return list; }
  /// The allocation that holds the address, or null.
  const Allocation *find(uint64_t address) const;
  /// The one that ends nearest below it or starts nearest above; null if there is none at all.
  const Allocation *nearest(uint64_t address) const;

  /// Prepares for a run that looks for races and for memory nobody wrote. Gives the number of the
  /// run's first interval (see lib/Emulator/Race.h); `endChecks` takes that after its last.
  uint32_t startChecks();
  void endChecks(uint32_t next) { nextInterval = next; }

private:
  std::vector<Allocation> list; ///< by rising address
  uint32_t nextInterval = 1;
};

} // namespace mettle::emulator

#endif // METTLE_EMULATOR_MEMORY_H
