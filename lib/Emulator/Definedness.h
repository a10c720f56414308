//===- Definedness.h - Words that nobody has set ----------------*- C++ -*-===//
//
// Compilers read unset registers on purpose and drop the results, so reading one is no fault. What
// counts is where such a word decides something: a branch or another guarded effect, an address,
// what is stored to global memory. So each register has a mask of lanes whose word nobody has set,
// which arithmetic, selection, exchanges and memory carry on, together with the instruction at
// which it began; a fault is reported there, with a note of what it decides.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_DEFINEDNESS_H
#define METTLE_LIB_EMULATOR_DEFINEDNESS_H

#include "Code.h"
#include "Execution.h"

namespace mettle::emulator {

class Definedness {
public:
  explicit Definedness(Warp &warp) : warp(warp) {}

  /// Forgets all but what the kernel may read unwritten. Whether there is anything to follow.
  bool start();
  bool isOn() const { return isFollowing; }
  /// Starts to follow at an op that has met bytes that nobody wrote.
  void follow() {
    isFollowing = true;
    forget();
  }

  /// Before an op runs for the lanes of `mask`; false after a fault.
  bool before(const Op &op, LaneMask mask);
  /// After a fault: a race over unset words is theirs.
  void explainRace(const Op &op);
  /// After it ran; `unsetLanes` read memory that nobody wrote.
  void after(const Op &op, LaneMask mask, LaneMask unsetLanes);
  /// Nothing is known of the op at hand yet.
  void forget() {
    pending = 0;
    pendingOrigin = NoOrigin;
  }

private:
  static constexpr uint32_t NoOrigin = ~0u, FromMemory = 1u << 31;
  LaneMask unsetOf(Slot slot) const { return unset[slot / 4]; }
  void note(Slot slot, const Op &op);
  void set(Slot slot, LaneMask mask, LaneMask lanes, uint32_t origin);
  bool decide(const Op &op, Slot slot, LaneMask lanes, const char *what);
  bool blame(const Op &op, LaneMask guilty, uint32_t origin, const char *what);
  LaneMask exchanged(const Op &op, LaneMask mask);
  void markUnsetRows(const Op &op);

  Warp &warp;
  bool isFollowing = false;
  std::vector<LaneMask> unset;   ///< by slot / 4
  std::vector<uint32_t> origins; ///< instruction, and whether it read memory
  /// Of the op at hand: lanes whose result is unset, and since when.
  LaneMask pending = 0;
  uint32_t pendingOrigin = NoOrigin;
};

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_DEFINEDNESS_H
