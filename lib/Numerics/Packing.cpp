//===- Packing.cpp - Dense storage of sub-byte codes ----------------------===//
//
// Bit-by-bit would be enough for tests; whole matrices go through here, so it moves bytes.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Packing.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mettle::numerics;

uint64_t mettle::numerics::loadPacked(llvm::ArrayRef<uint8_t> bytes, uint64_t index,
                                      unsigned bits) {
  uint64_t bit = index * bits, code = 0;
  for (unsigned have = 0; have < bits;) {
    unsigned offset = bit % 8, take = std::min(8 - offset, bits - have);
    uint64_t part = (bytes[bit / 8] >> offset) & llvm::maskTrailingOnes<uint64_t>(take);
    code |= part << have;
    have += take;
    bit += take;
  }
  return code;
}

void mettle::numerics::storePacked(llvm::MutableArrayRef<uint8_t> bytes, uint64_t index,
                                   unsigned bits, uint64_t code) {
  uint64_t bit = index * bits;
  for (unsigned have = 0; have < bits;) {
    unsigned offset = bit % 8, take = std::min(8 - offset, bits - have);
    uint8_t mask = uint8_t(llvm::maskTrailingOnes<uint64_t>(take) << offset);
    uint8_t part = uint8_t((code >> have) << offset);
    bytes[bit / 8] = uint8_t((bytes[bit / 8] & ~mask) | (part & mask));
    have += take;
    bit += take;
  }
}
