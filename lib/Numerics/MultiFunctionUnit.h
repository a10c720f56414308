//===- MultiFunctionUnit.h - sm_90's MUFU instruction -----------*- C++ -*-===//
//
// The multi-function unit's own eight functions, on float words: subnormal
// operands and results are zero, but for tanh. One interpolator serves all; a
// function is a table, two shifts and a constant, with its own way in and out.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_MULTIFUNCTIONUNIT_H
#define METTLE_LIB_NUMERICS_MULTIFUNCTIONUNIT_H

#include "llvm/ADT/bit.h"
#include <cstdint>

namespace mettle::numerics::mufu {

/// A table row. c0 is unsigned.
struct Coefficients {
  int32_t c0, c1, c2;
};

/// The shifts of c0 and of c2's product, and the constant that is added last.
struct Path {
  unsigned c0Shift, c2Shift;
  int64_t rounding;
};

/// The operand bits dropped in one binade of tanh, the fraction bits of its V, its
/// first row.
struct TanhBinade {
  uint8_t dropped, fraction, firstRow;
};

#include "MultiFunctionTables.inc"

constexpr uint32_t signBit = 0x80000000, infinity = 0x7F800000, nan = 0x7FFFFFFF;
constexpr uint32_t one = 0x3F800000;
constexpr uint32_t fractionMask = 0x7FFFFF, implicitOne = 0x800000;

/// The square of 17 bits in units of 2^19, from the partial products of weight 2^18
/// and up: those below do not exist, so this is not the floor of the square.
inline uint32_t square(uint32_t x) {
  uint32_t high = x >> 9, low = x & 511, cross = 0;
  for (unsigned bit = 1; bit < 8; ++bit)
    cross += -(high >> bit & 1) & (low >> (9 - bit));
  return (high * high >> 1) + cross;
}

/// V, at the row in bits 17 and up of `position` for the 17 bits below.
inline int64_t interpolate(const Coefficients *rows, Path path, uint32_t position) {
  Coefficients row = rows[position >> 17];
  uint32_t x = position & 0x1FFFF;
  return (int64_t(row.c0) << path.c0Shift) + int64_t(row.c1) * x +
         (int64_t(row.c2) * square(x) << path.c2Shift) + path.rounding;
}

/// The float of `value` * 2^-fraction, truncated. value < 2^62.
inline uint32_t floatOfFixed(uint64_t value, unsigned fraction) {
  if (value == 0)
    return 0;
  int leading = 63 - llvm::countl_zero(value);
  uint32_t significand = uint32_t((value << (63 - leading)) >> 40);
  return (uint32_t(leading - int(fraction) + 126) << 23) + significand;
}

/// A positive float of exponent field `exponent` and a significand in [2^23, 2^24], in words
/// whose exponent may have left the range.
inline uint32_t assemble(int exponent, uint32_t significand) {
  int32_t word = (exponent << 23) + int32_t(significand - implicitOne);
  return word < int32_t(implicitOne) ? 0 : uint32_t(word);
}

inline uint32_t rcp(uint32_t a) {
  uint32_t sign = a & signBit, magnitude = a & ~signBit;
  if (magnitude > infinity)
    return nan;
  if (magnitude < implicitOne)
    return sign | infinity;
  if (magnitude == infinity)
    return sign;
  int64_t v = interpolate(rcpRows, rcpPath, (magnitude & fractionMask) << 1);
  return sign | assemble(253 - int(magnitude >> 23), uint32_t(v >> 16));
}

inline uint32_t rsqrt(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  if (magnitude > infinity)
    return nan;
  if (magnitude < implicitOne)
    return (a & signBit) | infinity;
  if (a & signBit)
    return nan;
  if (magnitude == infinity)
    return 0;
  // Bit 23 of the position says whether the exponent, 127 less than its field, is odd.
  uint32_t position = (a ^ implicitOne) & (2 * implicitOne - 1);
  int half = (int(a >> 23) - 127) >> 1;
  if (position == 0)
    return uint32_t(127 - half) << 23;
  return assemble(126 - half, uint32_t(interpolate(rsqrtRows, rsqrtPath, position) >> 16));
}

inline uint32_t sqrt(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  if (magnitude > infinity)
    return nan;
  if (magnitude < implicitOne)
    return a & signBit;
  if (a & signBit)
    return nan;
  if (magnitude == infinity)
    return infinity;
  uint32_t position = (a ^ implicitOne) & (2 * implicitOne - 1);
  int half = (int(a >> 23) - 127) >> 1;
  return assemble(127 + half, uint32_t(interpolate(sqrtRows, sqrtPath, position) >> 17));
}

/// The magnitude in units of 2^-fraction, truncated, modulo 2^32. Subnormals give 0.
inline uint32_t fixedOfFloat(uint32_t magnitude, int fraction) {
  int shift = int(magnitude >> 23) - 150 + fraction;
  uint32_t significand = (magnitude & fractionMask) | implicitOne;
  if (shift >= 0)
    return shift < 32 ? significand << shift : 0;
  return shift > -32 ? significand >> -shift : 0;
}

inline uint32_t ex2(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  bool negative = a >> 31;
  if (magnitude > infinity)
    return nan;
  if (magnitude >= 0x43000000) // 128
    return negative ? 0 : infinity;
  // A negative operand is complemented, not negated, unless it is a whole number.
  int32_t fixed = int32_t(fixedOfFloat(magnitude, 23));
  if (negative)
    fixed = (fixed & fractionMask) ? ~fixed : -fixed;
  int64_t v = interpolate(ex2Rows, ex2Path, uint32_t(fixed) & fractionMask);
  return assemble(127 + (fixed >> 23), uint32_t(v >> 15));
}

inline uint32_t lg2(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  if (magnitude > infinity)
    return nan;
  if (magnitude < implicitOne)
    return signBit | infinity;
  if (a & signBit)
    return nan;
  if (magnitude == infinity)
    return infinity;
  if (a == one)
    return 0;
  int64_t v = interpolate(lg2Rows, lg2Path, a & fractionMask) >> 2;
  v += int64_t(int(a >> 23) - 127) * (int64_t(1) << 36);
  // A negative value is complemented, not negated.
  return v < 0 ? signBit | floatOfFixed(uint64_t(~v), 36) : floatOfFixed(uint64_t(v), 36);
}

/// The sine of `turns` * 2^-25 turns, its sign changed by that of `sign`.
inline uint32_t sinOfTurns(uint32_t turns, uint32_t sign) {
  uint32_t position = (turns >> 23 & 1 ? ~turns : turns) & fractionMask;
  int64_t v = interpolate(sinRows, sinPath, position);
  return ((sign ^ turns << 7) & signBit) | floatOfFixed(uint64_t(v), 37);
}

/// Operands of sin and cos are in turns.
inline uint32_t sin(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  return magnitude >= infinity ? nan : sinOfTurns(fixedOfFloat(magnitude, 25), a);
}

inline uint32_t cos(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  return magnitude >= infinity ? nan : sinOfTurns(fixedOfFloat(magnitude, 25) + implicitOne, 0);
}

inline uint32_t tanh(uint32_t a) {
  uint32_t sign = a & signBit, magnitude = a & ~signBit;
  if (magnitude > infinity)
    return nan;
  if (magnitude < 0x3B800000) // 2^-8
    return a;
  if (magnitude >= 0x41000000) // 8
    return sign | one;
  TanhBinade binade = tanhBinades[(magnitude >> 23) - 119];
  Path path = {binade.fraction - 26u, 0, 0};
  int64_t v =
      interpolate(tanhRows + binade.firstRow, path, (magnitude & fractionMask) >> binade.dropped);
  return sign | floatOfFixed(uint64_t(v), binade.fraction);
}

} // namespace mettle::numerics::mufu

#endif // METTLE_LIB_NUMERICS_MULTIFUNCTIONUNIT_H
