//===- MultiFunctionUnit.h - sm_90's MUFU instruction -----------*- C++ -*-===//
//
// The multi-function unit's own eight functions, on float words: subnormal
// operands and results are zero, but for tanh. One interpolator serves all; a
// function is a table, two shifts and a constant, with its own way in and out.
// Special operands are selected at the end, not branched to, so that loops over
// these functions become vector code: the main path is defined for every word.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_MULTIFUNCTIONUNIT_H
#define METTLE_LIB_NUMERICS_MULTIFUNCTIONUNIT_H

#include "llvm/Support/Compiler.h"
#include <cstdint>
#include <cstring>

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
  uint32_t dropped, fraction, firstRow;
};

#include "MultiFunctionTables.inc"

constexpr uint32_t signBit = 0x80000000, infinity = 0x7F800000, nan = 0x7FFFFFFF;
constexpr uint32_t one = 0x3F800000;
constexpr uint32_t fractionMask = 0x7FFFFF, implicitOne = 0x800000;

/// The square of 17 bits in units of 2^19, from the partial products of weight 2^18
/// and up: those below do not exist, so this is not the floor of the square.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t square(uint32_t x) {
  uint32_t high = x >> 9, low = x & 511, cross = 0;
  for (unsigned bit = 1; bit < 8; ++bit)
    cross += -(high >> bit & 1) & (low >> (9 - bit));
  return (high * high >> 1) + cross;
}

/// V, at the row in bits 17 and up of `position` for the 17 bits below.
LLVM_ATTRIBUTE_ALWAYS_INLINE int64_t interpolate(const Coefficients *rows, Path path,
                                                 uint32_t position) {
  const Coefficients &row = rows[position >> 17];
  int32_t x = int32_t(position & 0x1FFFF);
  return (int64_t(row.c0) << path.c0Shift) + int64_t(row.c1) * x +
         int64_t(row.c2) * int32_t(square(uint32_t(x))) * (int64_t(1) << path.c2Shift) +
         path.rounding;
}

/// The float of `value` * 2^-fraction, truncated. 0 <= value < 2^53, and the float is normal: a
/// double holds the value exactly, and its leading bits are the float's.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t floatOfFixed(int64_t value, uint32_t fraction) {
  double exact = double(value);
  uint64_t bits;
  std::memcpy(&bits, &exact, sizeof bits);
  uint32_t word = uint32_t(bits >> 29) - ((1023 - 127 + fraction) << 23);
  return value == 0 ? 0 : word;
}

/// A positive float of exponent field `exponent` and a significand in [2^23, 2^24]; 0 where the
/// exponent is too small.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t assemble(int32_t exponent, int64_t significand) {
  uint32_t word = (uint32_t(exponent) << 23) + uint32_t(significand) - implicitOne;
  return int32_t(word) < int32_t(implicitOne) ? 0 : word;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t rcp(uint32_t a) {
  uint32_t sign = a & signBit, magnitude = a & ~signBit;
  int64_t v = interpolate(rcpRows, rcpPath, (magnitude & fractionMask) << 1);
  uint32_t word = assemble(253 - int32_t(magnitude >> 23), v >> 16);
  word = magnitude < implicitOne ? infinity : word;
  word = magnitude == infinity ? 0 : word;
  return magnitude > infinity ? nan : sign | word;
}

/// Of a root: bit 23 says whether the exponent, 127 less than its field, is odd.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t positionOfRoot(uint32_t a) {
  return (a ^ implicitOne) & (implicitOne | fractionMask);
}

/// Half the exponent, rounded down.
LLVM_ATTRIBUTE_ALWAYS_INLINE int32_t halfExponent(uint32_t magnitude) {
  return int32_t((magnitude >> 23) + 1) / 2 - 64;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t rsqrt(uint32_t a) {
  uint32_t sign = a & signBit, magnitude = a & ~signBit, position = positionOfRoot(a);
  int64_t significand = interpolate(rsqrtRows, rsqrtPath, position) >> 16;
  significand = position == 0 ? 2 * implicitOne : significand;
  uint32_t word = assemble(126 - halfExponent(magnitude), significand);
  word = magnitude == infinity ? 0 : word;
  word = sign ? nan : word;
  word = magnitude < implicitOne ? sign | infinity : word;
  return magnitude > infinity ? nan : word;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t sqrt(uint32_t a) {
  uint32_t sign = a & signBit, magnitude = a & ~signBit;
  int64_t v = interpolate(sqrtRows, sqrtPath, positionOfRoot(a));
  uint32_t word = assemble(127 + halfExponent(magnitude), v >> 17);
  word = magnitude == infinity ? infinity : word;
  word = sign ? nan : word;
  word = magnitude < implicitOne ? sign : word;
  return magnitude > infinity ? nan : word;
}

/// The magnitude in units of 2^-fraction, truncated; of large ones, the last 31 - 23 bits at
/// least. Subnormals give 0.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t fixedOfFloat(uint32_t magnitude, int32_t fraction) {
  int32_t shift = int32_t(magnitude >> 23) - 150 + fraction;
  int32_t left = shift < 0 ? 0 : shift, right = shift < 0 ? -shift : 0;
  uint32_t significand = (magnitude & fractionMask) | implicitOne;
  return significand << (left > 31 ? 31 : left) >> (right > 31 ? 31 : right);
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t ex2(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  bool negative = a >> 31;
  // A negative operand is complemented, not negated, unless it is a whole number.
  uint32_t fixed = fixedOfFloat(magnitude, 23);
  uint32_t complement = fixed & fractionMask ? ~fixed : 0 - fixed;
  fixed = negative ? complement : fixed;
  int64_t v = interpolate(ex2Rows, ex2Path, fixed & fractionMask);
  uint32_t word = assemble(127 + (int32_t(fixed) >> 23), v >> 15);
  uint32_t limit = negative ? 0 : infinity;
  word = magnitude >= 0x43000000 ? limit : word; // 128
  return magnitude > infinity ? nan : word;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t lg2(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  int64_t v = interpolate(lg2Rows, lg2Path, a & fractionMask) >> 2;
  v += int64_t(int32_t(magnitude >> 23) - 127) * (int64_t(1) << 36);
  // A negative value is complemented, not negated.
  uint32_t sign = v < 0 ? signBit : 0;
  uint32_t word = sign | floatOfFixed(v < 0 ? ~v : v, 36);
  word = a == one ? 0 : word;
  word = magnitude == infinity ? infinity : word;
  word = a >> 31 ? nan : word;
  word = magnitude < implicitOne ? signBit | infinity : word;
  return magnitude > infinity ? nan : word;
}

/// The sine of `turns` * 2^-25 turns, its sign changed by that of `sign`.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t sinOfTurns(uint32_t turns, uint32_t sign) {
  uint32_t position = (turns >> 23 & 1 ? ~turns : turns) & fractionMask;
  int64_t v = interpolate(sinRows, sinPath, position);
  return ((sign ^ turns << 7) & signBit) | floatOfFixed(v, 37);
}

/// Operands of sin and cos are in turns.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t sin(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  uint32_t word = sinOfTurns(fixedOfFloat(magnitude, 25), a);
  return magnitude >= infinity ? nan : word;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t cos(uint32_t a) {
  uint32_t magnitude = a & ~signBit;
  uint32_t word = sinOfTurns(fixedOfFloat(magnitude, 25) + implicitOne, 0);
  return magnitude >= infinity ? nan : word;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t tanh(uint32_t a) {
  uint32_t sign = a & signBit, magnitude = a & ~signBit;
  uint32_t exponent = magnitude >> 23;
  exponent = exponent < 119 ? 119 : exponent > 129 ? 129 : exponent;
  const TanhBinade &binade = tanhBinades[exponent - 119];
  Path path = {binade.fraction - 26, 0, 0};
  uint32_t position = (binade.firstRow << 17) + ((magnitude & fractionMask) >> binade.dropped);
  uint32_t word = floatOfFixed(interpolate(tanhRows, path, position), binade.fraction);
  word = magnitude < 0x3B800000 ? magnitude : word; // 2^-8
  word = magnitude >= 0x41000000 ? one : word;      // 8
  return magnitude > infinity ? nan : sign | word;
}

//===----------------------------------------------------------------------===//
// RCP64H and RSQ64H: the upper word of a double, through the same tables
//===----------------------------------------------------------------------===//

constexpr uint32_t infinity64 = 0x7FF00000, implicitOne64 = 0x100000;

/// `assemble` for the upper word of a double: three significand bits fewer, truncated.
LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t assemble64(int32_t exponent, int64_t significand) {
  uint32_t word = (uint32_t(exponent) << 20) + uint32_t(significand >> 3) - implicitOne64;
  return int32_t(word) < int32_t(implicitOne64) ? 0 : word;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t rcp64h(uint32_t a) {
  uint32_t sign = a & signBit, magnitude = a & ~signBit;
  int64_t v = interpolate(rcpRows, rcpPath, (magnitude & (implicitOne64 - 1)) << 4);
  uint32_t word = assemble64(2045 - int32_t(magnitude >> 20), v >> 16);
  word = magnitude < implicitOne64 ? infinity64 : word;
  word = magnitude == infinity64 ? 0 : word;
  return magnitude > infinity64 ? nan : sign | word;
}

LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t rsqrt64h(uint32_t a) {
  uint32_t sign = a & signBit, magnitude = a & ~signBit;
  uint32_t position = ((a ^ implicitOne64) & (2 * implicitOne64 - 1)) << 3;
  int64_t significand = interpolate(rsqrtRows, rsqrtPath, position) >> 16;
  significand = position == 0 ? 2 * implicitOne : significand;
  int32_t half = int32_t((magnitude >> 20) + 1) / 2 - 512;
  uint32_t word = assemble64(1022 - half, significand);
  word = magnitude == infinity64 ? 0 : word;
  word = sign ? nan : word;
  word = magnitude < implicitOne64 ? sign | infinity64 : word;
  return magnitude > infinity64 ? nan : word;
}

} // namespace mettle::numerics::mufu

#endif // METTLE_LIB_NUMERICS_MULTIFUNCTIONUNIT_H
