//===- Reach.h - Memory that needs no check but bounds --------------------===//
//
// The short way to memory for instructions that move many small pieces: shared memory and the
// global segment of the last access, where nobody looks for races or unwritten bytes. Everything
// else, faults included, goes through Execution::access.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_REACH_H
#define METTLE_LIB_EMULATOR_REACH_H

#include "Execution.h"

namespace mettle::emulator {

/// As Execution::access; `bytes` or, if given, `alignment` is a power of two. `value` is what will
/// be written, if it is known.
inline uint8_t *reach(Execution &x, const Op &op, unsigned lane, Space space, uint64_t address,
                      uint32_t bytes, Access how, uint32_t alignment = 0,
                      const void *value = nullptr) {
  uint32_t multiple = alignment ? alignment : bytes;
  const Segment &segment = space == Space::Shared ? x.shared : x.global;
  bool isPlain = (space == Space::Shared || space == Space::Global) && !segment.valid &&
                 !segment.writers && segment.isWritable && segment.covers(address, bytes) &&
                 (address & (multiple - 1)) == 0;
  if (__builtin_expect(isPlain, 1))
    return segment.host + (address - segment.address);
  return x.access(op, lane, space, address, bytes, how, alignment, value);
}

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_REACH_H
