//===- Trigonometry.h - Reproducible sine and cosine ------------*- C++ -*-===//
//
// sin and cos on f32 over values of any kind (see Elementary.h): the argument less its multiple of
// pi/2 as the sum of two floats, by fma for small arguments (Cody and Waite) and by a product with
// the bits of 2/pi that matter for large ones (Payne and Hanek), then a polynomial.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_MATH_TRIGONOMETRY_H
#define METTLE_MATH_TRIGONOMETRY_H

#include "Mettle/Math/Elementary.h"

namespace mettle::math {

/// pi/2 as a sum of floats.
inline constexpr float HalfPi[] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
/// The bits of 2/pi behind the point, after 32 zeros.
inline constexpr uint32_t TwoOverPi[] = {0,          0xA2F9836E, 0x4E441529, 0xFC2757D1,
                                         0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB};

/// x = quadrant * pi/2 + high + low, |high| <= pi/4; of the quadrant the two lowest bits count.
template <typename Float> struct Reduced {
  Float high, low;
  typename Float::Int quadrant;
};

/// For |x| < 2^16: the quotient has 16 bits, so that the first difference is exact; of the second,
/// whose terms may cancel, the sum's error is kept.
template <typename Float> Reduced<Float> reduceSmall(Float x) {
  Float shifted = fma(x, x.at(0x1.45f306p-1f), x.at(RoundingShift));
  Float n = shifted - RoundingShift;
  Float first = fma(n, x.at(-HalfPi[0]), x);
  Float product = n * -HalfPi[1];
  Float high = first + product;
  Float part = high - first;
  Float low = (first - (high - part)) + (product - part);
  low = low + fma(n, x.at(-HalfPi[1]), -product);
  low = fma(n, x.at(-HalfPi[2]), low);
  Float sum = high + low;
  return {sum, low - (sum - high), bits(shifted) - RoundingShiftBits};
}

/// For 2^16 <= |x| < infinity.
template <typename Float> Reduced<Float> reduceLarge(Float x) {
  auto word = bits(x);
  auto mantissa = widen((word & 0x7FFFFF) | 0x800000);
  // |x| = mantissa * 2^(exponent - 23). Bits of 2/pi of weight 2^-k make multiples of 4 where
  // exponent - 23 - k >= 2: of the table, whose first bit has k = -31, so many are dropped.
  auto dropped = ((word >> 23) & 0xFF) - (127 - 7);
  auto index = dropped >> 5;
  auto offset = widen(dropped & 31);
  auto wordAt = [&](int j) {
    auto chosen = index.at(int32_t(TwoOverPi[4 + j]));
    for (int i = 3; i >= 0; --i)
      chosen = select(index == i, index.at(int32_t(TwoOverPi[i + j])), chosen);
    return widen(chosen);
  };
  auto w0 = wordAt(0), w1 = wordAt(1), w2 = wordAt(2), w3 = wordAt(3);
  auto window = [&](auto upper, auto lower) {
    return widen(high(shiftLeft((upper << 32) + lower, offset)));
  };
  // The product modulo 4 in units of 2^-94, of which the upper 64 bits of 96 are kept.
  auto p0 = mantissa * window(w2, w3);
  auto p1 = mantissa * window(w1, w2) + widen(high(p0));
  auto p2 = mantissa * window(w0, w1) + widen(high(p1));
  auto product = (p2 << 32) + widen(low(p1));
  // The nearest multiple of 1 is the quadrant, what is left the fraction, in units of 2^-62.
  auto quadrant = (product + (product.at(1) << 61)) >> 62;
  auto fraction = product - (quadrant << 62);
  // In three floats that are exact, each rounded to nearest so that a small fraction of either sign
  // has its bits in the second, and then in two, of which the first has all the bits that it can.
  auto rounded = [&](auto value, int bits) {
    return (value + value.at(int64_t(1) << (bits - 1))) >> bits;
  };
  auto upper = rounded(fraction, 38);
  auto rest38 = fraction - (upper << 38);
  auto middle = rounded(rest38, 14);
  Float a = toFloat(upper) * 0x1p-24f, b = toFloat(middle) * 0x1p-48f;
  Float first = a + b;
  Float second = (b - (first - a)) + toFloat(rest38 - (middle << 14)) * 0x1p-62f;
  Float product0 = first * HalfPi[0];
  Float rest = fma(first, x.at(HalfPi[0]), -product0);
  rest = fma(first, x.at(HalfPi[1]), rest);
  rest = fma(second, x.at(HalfPi[0]), rest);
  Float sum = product0 + rest;
  Float lost = rest - (sum - product0);
  auto negative = word < 0;
  auto turns = low(quadrant);
  return {select(negative, -sum, sum), select(negative, -lost, lost),
          select(negative, turns.at(0) - turns, turns)};
}

template <typename Float> Reduced<Float> reduce(Float x) {
  auto parts = branch(
      abs(x) < 0x1p16f,
      [&] {
        Reduced<Float> r = reduceSmall(x);
        return std::array<Float, 3>{r.high, r.low, asFloat(r.quadrant)};
      },
      [&] {
        Reduced<Float> r = reduceLarge(x);
        return std::array<Float, 3>{r.high, r.low, asFloat(r.quadrant)};
      });
  return {parts[0], parts[1], bits(parts[2])};
}

/// The sine of x shifted by so many quarter turns.
template <typename Float> Float sineAhead(Float x, int quarters) {
  Reduced<Float> r = reduce(x);
  Float square = r.high * r.high;
  Float sineTail =
      polynomial(square, {-0x1.555556p-3f, 0x1.111174p-7f, -0x1.a05954p-13f, 0x1.7c2c4cp-19f});
  Float sine = r.high + fma(sineTail * square, r.high, r.low);
  Float cosineTail = polynomial(square, {0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e80cp-16f});
  // 1 - square / 2 rounds; what it loses is added back.
  Float half = square * -0.5f;
  Float start = half + 1.0f;
  Float rest = (x.at(1.0f) - start) + half;
  rest = fma(-r.high, r.low, rest);
  Float cosine = start + fma(cosineTail * square, square, rest);
  auto turns = r.quadrant + quarters;
  Float result = select((turns & 1) == 0, sine, cosine);
  result = select((turns & 2) == 0, result, -result);
  // Infinity gives NaN; NaN stays.
  return select(abs(x) < x.at(__builtin_inff()), result, x - x);
}

/// sin x, within 1 ulp.
template <typename Float> Float sin(Float x) { return select(x == 0.0f, x, sineAhead(x, 0)); }

/// cos x, within 1 ulp.
template <typename Float> Float cos(Float x) { return sineAhead(x, 1); }

} // namespace mettle::math

#endif // METTLE_MATH_TRIGONOMETRY_H
