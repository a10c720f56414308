//===- Delivery.h - Copies that nobody has waited for yet -------*- C++ -*-===//
//
// An asynchronous copy's bytes are in shared memory at once here, but a kernel may count on them
// only after a wait. Under checks the words of a copy therefore carry a stamp of their own (see
// Race.h), which nobody may touch, until the wait: then they are what the waiting thread has
// written just now. cp.async is waited for by its own thread, in groups; a bulk copy by whoever
// finds the phase of its mbarrier over.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_DELIVERY_H
#define METTLE_LIB_EMULATOR_DELIVERY_H

#include "Execution.h"
#include <unordered_map>
#include <vector>

namespace mettle::emulator {

class Deliveries {
public:
  /// Forgets everything, for a block of so many threads.
  void start(unsigned threads);

  /// `bytes` bytes from `address` on, in shared memory, are on their way by cp.async.
  void issue(Execution &x, unsigned lane, uint64_t address, uint32_t bytes);
  /// Ends the lane's group.
  void commit(Execution &x, unsigned lane);
  /// All but the lane's last `left` groups are there.
  void waitGroups(Execution &x, unsigned lane, uint64_t left);
  /// Everything is, also what was not committed.
  void waitAll(Execution &x, unsigned lane);

  /// The same for bulk copies that the mbarrier at `barrier` counts.
  void issueBulk(Execution &x, unsigned lane, uint64_t barrier, uint64_t address, uint32_t bytes);
  void endPhase(uint64_t barrier);
  /// The lane finds a phase of the mbarrier over.
  void waitPhase(Execution &x, unsigned lane, uint64_t barrier);

private:
  /// `turn`: the number of the group, or of the phase.
  struct Copy {
    uint32_t turn, bytes;
    uint64_t address;
  };
  struct Queue {
    uint32_t turn = 0;
    std::vector<Copy> copies;
  };
  void deliver(Execution &x, unsigned lane, Queue &queue, uint64_t before);

  std::vector<Queue> groups;                    ///< of each thread
  std::unordered_map<uint64_t, Queue> barriers; ///< by address
};

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_DELIVERY_H
