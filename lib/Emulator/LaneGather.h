//===- LaneGather.h - Words of memory here and there ------------*- C++ -*-===//
//
// Gathering and scattering the 32-bit words of lanes, with the host's instructions for it where it
// has them. For the vector families, as Lane.h is.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_LANEGATHER_H
#define METTLE_LIB_EMULATOR_LANEGATHER_H

#include "Lane.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace mettle::emulator {
namespace {

/// Offsets are signed for the host's instructions.
inline constexpr uint64_t GatherLimit = uint64_t(1) << 31;

/// The words at these byte offsets from `from` in the lanes of the mask, zeros in the others.
METTLE_INLINE Lanes<uint32_t> gather(const void *from, Lanes<uint32_t> offsets, LaneMask mask) {
#ifdef __AVX512F__
  struct Halves {
    __m512i low, high;
  };
  Halves at = bitsAs<Halves>(offsets);
  const __m512i zero = _mm512_setzero_si512();
  at.low = _mm512_mask_i32gather_epi32(zero, __mmask16(mask), at.low, from, 1);
  at.high = _mm512_mask_i32gather_epi32(zero, __mmask16(mask >> 16), at.high, from, 1);
  return bitsAs<Lanes<uint32_t>>(at);
#elif defined(__AVX2__)
  struct Quarters {
    __m256i of[4];
  };
  Quarters at = bitsAs<Quarters>(offsets), active = bitsAs<Quarters>(truthOf<uint32_t>(mask));
  for (unsigned i = 0; i < 4; ++i)
    at.of[i] = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), static_cast<const int *>(from),
                                           at.of[i], active.of[i], 1);
  return bitsAs<Lanes<uint32_t>>(at);
#else
  uint32_t at[NumLanes], words[NumLanes] = {};
  storeVector(at, offsets);
  for (unsigned lane : Execution::each(mask))
    __builtin_memcpy(&words[lane], static_cast<const uint8_t *>(from) + at[lane], sizeof(uint32_t));
  return loadVector<Lanes<uint32_t>>(words);
#endif
}

/// Of lanes with one offset the highest lane's word stays.
METTLE_INLINE void scatter(void *to, Lanes<uint32_t> offsets, LaneMask mask,
                           Lanes<uint32_t> words) {
#ifdef __AVX512F__
  struct Halves {
    __m512i low, high;
  };
  Halves at = bitsAs<Halves>(offsets), word = bitsAs<Halves>(words);
  _mm512_mask_i32scatter_epi32(to, __mmask16(mask), at.low, word.low, 1);
  _mm512_mask_i32scatter_epi32(to, __mmask16(mask >> 16), at.high, word.high, 1);
#else
  uint32_t at[NumLanes], word[NumLanes];
  storeVector(at, offsets);
  storeVector(word, words);
  for (unsigned lane : Execution::each(mask))
    __builtin_memcpy(static_cast<uint8_t *>(to) + at[lane], &word[lane], sizeof(uint32_t));
#endif
}

} // namespace
} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_LANEGATHER_H
