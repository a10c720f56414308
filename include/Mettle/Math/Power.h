//===- Power.h - Reproducible powers ----------------------------*- C++ -*-===//
//
// pow on f32 over values of any kind (see Elementary.h): the logarithm as a sum of two floats, its
// product with the exponent, and the power of two of that. Special cases are those of IEEE 754's
// pow.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_MATH_POWER_H
#define METTLE_MATH_POWER_H

#include "Mettle/Math/Elementary.h"

namespace mettle::math {

/// A sum of two floats, the second below the last bit of the first.
template <typename Float> struct Sum {
  Float high, low;
  /// Of |a| >= |b|, or any a and b whose sum with the smaller first is exact.
  static Sum ordered(Float a, Float b) {
    Float high = a + b;
    return {high, b - (high - a)};
  }
  static Sum ofProduct(Float a, Float b) {
    Float high = a * b;
    return {high, fma(a, b, -high)};
  }
};

/// log2 of a positive finite x with an error near 2^-33 of it.
template <typename Float> Sum<Float> log2Extended(Float x) {
  auto [exponent, f] = split(x);
  // ln(1 + f) = 2 atanh(s), s = f / (2 + f).
  auto divisor = Sum<Float>::ordered(x.at(2.0f), f);
  Float s = f / divisor.high;
  Float sLow = fma(-s, divisor.high, f);
  sLow = fma(-s, divisor.low, sLow) / divisor.high;
  auto square = Sum<Float>::ofProduct(s, s);
  square.low = fma(s + s, sLow, square.low);
  // atanh(s) = s + s^3 (1/3 + s^2 (...)).
  Float tail = polynomial(square.high, {0x1.999aaap-3f, 0x1.241736p-3f, 0x1.e95634p-4f});
  auto third = Sum<Float>::ordered(x.at(0x1.555556p-2f), tail * square.high);
  third.low = third.low + -0x1.555556p-27f;
  auto cube = Sum<Float>::ofProduct(s, square.high);
  cube.low = fma(s, square.low, fma(sLow, square.high, cube.low));
  auto correction = Sum<Float>::ofProduct(cube.high, third.high);
  correction.low = fma(cube.high, third.low, fma(cube.low, third.high, correction.low));
  auto atanh = Sum<Float>::ordered(s, correction.high);
  atanh.low = atanh.low + (correction.low + sLow);
  // Times 2 / ln 2, plus the exponent.
  auto scaled = Sum<Float>::ofProduct(atanh.high, x.at(0x1.715476p+1f));
  scaled.low = fma(atanh.high, x.at(0x1.4ae0cp-25f), scaled.low);
  scaled.low = fma(atanh.low, x.at(0x1.715476p+1f), scaled.low);
  auto sum = Sum<Float>::ordered(exponent, scaled.high);
  sum.low = sum.low + scaled.low;
  return Sum<Float>::ordered(sum.high, sum.low);
}

/// x^y, within 1 ulp where it is tested: not over all pairs.
template <typename Float> Float pow(Float x, Float y) {
  Float infinity = x.at(__builtin_inff()), one = x.at(1.0f), zero = x.at(0.0f);
  Float magnitude = abs(x), exponent = abs(y);
  auto logarithm = log2Extended(magnitude);
  // Products beyond 200 give zero or infinity already; y within 2^40 keeps them finite.
  Float clampedY = select(y > 0x1p40f, x.at(0x1p40f), select(y < -0x1p40f, x.at(-0x1p40f), y));
  auto product = Sum<Float>::ofProduct(logarithm.high, clampedY);
  product.low = fma(logarithm.low, clampedY, product.low);
  auto large = product.high > 200.0f, small = product.high < -200.0f;
  Float high = select(large, x.at(200.0f), select(small, x.at(-200.0f), product.high));
  Float low = select(large | small, zero, product.low);
  Float power = exp2OfSum(high, low);

  // Zero and infinity, whose powers are one of the two, by the sign of y.
  auto grows = (y < 0.0f) == (magnitude < 1.0f);
  auto extreme = (magnitude == 0.0f) | (magnitude == infinity) | (exponent == infinity);
  power = select(extreme, select(grows, infinity, zero), power);
  power = select((exponent == infinity) & (magnitude == 1.0f), one, power);

  // From 2^24 on every float is an even integer.
  Float truncated = select(exponent < 0x1p23f, exponent - (exponent + 0x1p23f - 0x1p23f), zero);
  auto isInteger = truncated == 0.0f;
  Float half = exponent * 0.5f;
  Float halfRest = select(half < 0x1p23f, half - (half + 0x1p23f - 0x1p23f), zero);
  auto isOdd = isInteger & !(halfRest == 0.0f);
  auto negative = bits(x) < 0;
  power = select(negative & isOdd, -power, power);
  auto undefined = (x < 0.0f) & !isInteger & (magnitude < infinity);
  power = select(undefined, x.at(__builtin_nanf("")), power);
  power = select(isNaN(x) | isNaN(y), x + y, power);
  return select((x == 1.0f) | (y == 0.0f), one, power);
}

} // namespace mettle::math

#endif // METTLE_MATH_POWER_H
