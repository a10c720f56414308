//===- ApproximateOperands.h - Operands of the recorded results -*- C++ -*-===//
//
// The operands whose results an H200 gave and Inputs/approximate holds. They are
// generated, here for the host and in OnDevice/Sweep.cpp for the device, so that
// only results are stored.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_NUMERICS_APPROXIMATEOPERANDS_H
#define METTLE_UNITTESTS_NUMERICS_APPROXIMATEOPERANDS_H

#include "Mettle/Numerics/Approximate.h"
#include "Random.h"

namespace mettle::numerics::test {

/// Results are digested in blocks of 2^22 consecutive indices, 1024 blocks.
inline constexpr uint64_t blockSize = uint64_t(1) << 22;

struct Operands {
  uint32_t a, b;
};

/// The operands at an index. One operand: the index, so that 2^32 indices are all
/// words. Two operands: by the index' low three bits, five times any two words, then
/// a quotient next to 2^-126, two words with few fraction bits set, and a small
/// dividend.
inline Operands operandsAt(const ApproximateInfo &info, uint64_t index) {
  if (info.operands == 1)
    return {uint32_t(index), 0};
  uint64_t word = Random(index).word();
  uint32_t a = uint32_t(word >> 32), b = uint32_t(word);
  switch (index & 7) {
  case 5:
    return {(b - (126u << 23) + (a & 15) - 8) ^ (a & 0x80000000), b};
  case 6:
    return {a & 0xFF80000F, b & 0xFF80000F};
  case 7:
    return {a & 0x80FFFFFF, b};
  default:
    return {a, b};
  }
}

/// All operand words of 16 or 32 bits, all upper halves of 64; of pairs as many.
inline uint64_t indexCount(const ApproximateInfo &info) {
  return uint64_t(1) << (info.bits == 16 ? 16 : 32);
}

/// The indices whose result words are stored one by one: every sign and exponent with
/// the least and the greatest fraction, and as many drawn ones.
inline uint64_t sampleIndex(const ApproximateInfo &info, uint64_t sample) {
  uint64_t drawn = Random(sample).word();
  if (info.operands == 2)
    return drawn;
  if (info.bits == 16)
    return sample * 32 + drawn % 32;
  if (sample < 1024)
    return (sample >> 1) << 23 | (sample & 1 ? 0x7FFFFF : 0);
  return drawn & 0xFFFFFFFF;
}
inline constexpr uint64_t sampleCount = 2048;

/// FNV-1a over words.
class Digest {
public:
  void add(uint32_t word) { state = (state ^ word) * 0x100000001B3; }
  uint64_t value() const { return state; }

private:
  uint64_t state = 0xCBF29CE484222325;
};

} // namespace mettle::numerics::test

#endif // METTLE_UNITTESTS_NUMERICS_APPROXIMATEOPERANDS_H
