//===- Packing.h - Dense storage of sub-byte codes --------------*- C++ -*-===//
//
// Codes narrower than a byte lie densely, the first in the least significant bits, as PTX packs
// them into registers and as a tensor lies in memory. Codes of a byte or more lie little endian.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_PACKING_H
#define METTLE_NUMERICS_PACKING_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mettle::numerics {

/// Bytes that `count` codes of `bits` (1..64) bits take: the last byte may be partly used.
inline uint64_t packedBytes(uint64_t count, unsigned bits) { return (count * bits + 7) / 8; }

/// Code number `index` of a dense array of `bits`-wide codes.
uint64_t loadPacked(llvm::ArrayRef<uint8_t> bytes, uint64_t index, unsigned bits);

/// Replaces code number `index`; the bits around it stay.
void storePacked(llvm::MutableArrayRef<uint8_t> bytes, uint64_t index, unsigned bits,
                 uint64_t code);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_PACKING_H
