//===- SharedMatrix.cpp - Matrices that wgmma reads from shared memory ----===//
//
// The descriptor's fields.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/SharedMatrix.h"

using namespace mettle::numerics;

// The two bits of the layout type: 0 none, 1 128 bytes, 2 64 bytes, 3 32 bytes.
MatrixDescriptor MatrixDescriptor::decode(uint64_t bits) {
  auto units = [&](unsigned at) { return uint32_t(bits >> at & 0x3FFF) << 4; };
  MatrixDescriptor descriptor;
  descriptor.start = units(0);
  descriptor.leadingOffset = units(16);
  descriptor.strideOffset = units(32);
  descriptor.baseOffset = unsigned(bits >> 49 & 7);
  descriptor.swizzle = Swizzle((4 - (bits >> 62)) % 4);
  return descriptor;
}

uint64_t MatrixDescriptor::encode() const {
  auto units = [](uint32_t bytes) { return uint64_t(bytes >> 4 & 0x3FFF); };
  return units(start) | units(leadingOffset) << 16 | units(strideOffset) << 32 |
         uint64_t(baseOffset & 7) << 49 | uint64_t((4 - unsigned(swizzle)) % 4) << 62;
}
