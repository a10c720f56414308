//===- AsyncCopies.h - copies that nobody has waited for yet -===//
//
// A copy moves its bytes when it is issued; nobody can tell, since every access that would see them
// before the wait is an error. This remembers which bytes those are.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_ASYNCCOPIES_H
#define METTLE_LIB_INTERPRETER_ASYNCCOPIES_H

#include "AccessHistory.h"
#include "Program.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace mettle::interpreter {

/// Bytes of an object.
struct ByteRange {
  uint64_t handle, offset, bytes;
};

struct AsyncCopy {
  const Instruction *instruction;
  /// Linear index in the workgroup.
  uint32_t workItem;
  /// Groups that the work-item had committed before.
  uint64_t group;
  ByteRange target, source;
};

/// The outstanding copies of a workgroup.
class AsyncCopies {
public:
  bool none() const { return copies.empty(); }
  void clear();

  void issue(const AsyncCopy &copy);
  /// Takes out the copies of a work-item that belong to the groups before `end`, in order.
  std::vector<AsyncCopy> complete(uint32_t workItem, uint64_t end);
  /// A copy that an access must wait for, or null: a target is not touched, a source not written.
  const AsyncCopy *conflict(const ByteRange &range, AccessKind kind) const;
  /// The oldest copy of a work-item, or null.
  const AsyncCopy *firstOf(uint32_t workItem) const;

private:
  /// A transaction is a multiple of 4 bytes at a multiple of 4.
  static constexpr uint64_t granuleBytes = 4;
  struct Uses {
    uint32_t targets = 0, sources = 0;
  };
  using Granule = std::pair<uint64_t, uint64_t>;
  template <typename Action> static void forEachGranule(const ByteRange &range, Action action);

  /// In the order of their issue.
  std::vector<AsyncCopy> copies;
  llvm::DenseMap<Granule, Uses> granules;
};

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_ASYNCCOPIES_H
