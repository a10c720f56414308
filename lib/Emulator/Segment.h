//===- Segment.h - A piece of emulated memory -------------------*- C++ -*-===//
//
// What an access needs of the memory it falls into. Plain data: the vector families read it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_SEGMENT_H
#define METTLE_LIB_EMULATOR_SEGMENT_H

#include <cstdint>

namespace mettle::emulator {

/// `size` bytes from `address` on, which are `host` here. Addresses of global memory are generic
/// ones; those of shared and local memory and of parameters are offsets in their space.
struct Segment {
  uint64_t address = 0, size = 0;
  uint8_t *host = nullptr;
  /// A byte for each byte, 1 once it is written; null where nothing is checked or all is written.
  uint8_t *valid = nullptr;
  /// Who last wrote and last read each four bytes (see Race.h); null where nobody looks.
  uint32_t *writers = nullptr, *readers = nullptr;
  bool isWritable = true;

  bool covers(uint64_t at, uint64_t bytes) const {
    return at - address <= size && bytes <= size - (at - address);
  }
};

/// Generic addresses. Global memory has the addresses below; the windows are where generic
/// addresses mean shared memory, the thread's local memory, or the launch's parameters. As on
/// sm_90 the first 1,024 bytes of shared memory are not the kernel's.
inline constexpr uint64_t GlobalBase = 0x7100'0000'0000, ConstantBase = 0x70ff'0000'0000,
                          GlobalVariableBase = 0x70fe'0000'0000;
inline constexpr uint64_t SharedWindow = 0x7fff'0000'0000, LocalWindow = 0x7ffe'0000'0000,
                          ParamWindow = 0x7ffd'0000'0000, WindowSize = uint64_t(1) << 32;
inline constexpr uint32_t SharedStart = 1024;

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_SEGMENT_H
