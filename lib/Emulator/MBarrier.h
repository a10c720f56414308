//===- MBarrier.h - Barriers in shared memory -----------------------------===//
//
// The 64-bit object behind an mbarrier. Its form is opaque in PTX; here it is, from bit 0: expected
// arrivals (20 bits), pending arrivals (20), pending bytes (21, signed), phase (1), and 2 bits that
// are 2 in a live object and 0 in memory that nobody initialised.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_MBARRIER_H
#define METTLE_LIB_EMULATOR_MBARRIER_H

#include "Execution.h"

namespace mettle::emulator {

struct MBarrierWord {
  static constexpr uint32_t MaxCount = (1u << 20) - 1;
  uint32_t expected = 0, pending = 0;
  int32_t bytes = 0;
  bool phase = false, isLive = false;

  static MBarrierWord decode(uint64_t word) {
    return {uint32_t(word) & MaxCount, uint32_t(word >> 20) & MaxCount,
            int32_t(int64_t(word << 3) >> 43), bool(word >> 61 & 1), word >> 62 == 2};
  }
  uint64_t encode() const {
    return uint64_t(expected) | uint64_t(pending) << 20 | uint64_t(bytes & 0x1FFFFF) << 40 |
           uint64_t(phase) << 61 | uint64_t(isLive ? 2 : 0) << 62;
  }
};

/// Counts the bytes of a finished copy at the mbarrier at a shared address. False after a fault.
bool completeBytes(Execution &x, const Op &op, unsigned lane, uint64_t address, uint64_t bytes);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_MBARRIER_H
