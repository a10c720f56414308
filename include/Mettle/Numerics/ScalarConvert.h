//===- ScalarConvert.h - Exact f16 and bf16 conversions ---------*- C++ -*-===//
//
// The four conversions that everybody needs in inner loops, inline and without tables. Format.h
// says what they mean; the unit tests compare them with it over all inputs.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_SCALARCONVERT_H
#define METTLE_NUMERICS_SCALARCONVERT_H

#include <cstdint>
#include <cstring>

namespace mettle::numerics {

inline uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// f16 to f32: exact, NaN payloads kept in the top fraction bits.
inline float decodeF16(uint16_t code) {
  uint32_t sign = uint32_t(code & 0x8000) << 16;
  uint32_t magnitude = code & 0x7FFF;
  if (magnitude >= 0x7C00)
    return floatOf(sign | 0x7F800000 | (magnitude & 0x3FF) << 13);
  if (magnitude >= 0x0400)
    return floatOf(sign | ((magnitude << 13) + ((127 - 15) << 23)));
  return floatOf(sign | bitsOf(float(magnitude) * 0x1p-24f));
}

/// f32 to f16, to nearest even, overflow to infinity, every NaN to 0x7FFF.
inline uint16_t encodeF16(float value) {
  uint32_t bits = bitsOf(value);
  uint32_t sign = (bits >> 16) & 0x8000;
  bits &= 0x7FFFFFFF;
  if (bits > 0x7F800000)
    return 0x7FFF;
  if (bits >= 0x47800000) // 2^16
    return uint16_t(sign | 0x7C00);
  if (bits < 0x38800000) { // 2^-14: the sum's last bit is that of an f16 subnormal
    float aligned = floatOf(bits) + 0.5f;
    return uint16_t(sign | (bitsOf(aligned) - bitsOf(0.5f)));
  }
  uint32_t rounded = bits + 0xFFF + ((bits >> 13) & 1) - ((127 - 15) << 23);
  return uint16_t(sign | rounded >> 13);
}

/// bf16 to f32: exact, NaN payloads kept.
inline float decodeBF16(uint16_t code) { return floatOf(uint32_t(code) << 16); }

/// f32 to bf16, to nearest even, overflow to infinity, every NaN to 0x7FFF.
inline uint16_t encodeBF16(float value) {
  uint32_t bits = bitsOf(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return 0x7FFF;
  return uint16_t((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_SCALARCONVERT_H
