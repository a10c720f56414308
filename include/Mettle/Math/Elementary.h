//===- Elementary.h - Reproducible elementary functions ---------*- C++ -*-===//
//
// exp, log, sin and the like on f32 as sequences of correctly rounded operations, so that a program
// returns the same bits on every target. Each sequence is written once, over values of any kind:
// the compiler instantiates it with values that emit IR, the tests with numbers, which is how the
// errors stated here are measured over all 2^32 inputs (unittests/Math).
//
// A kind of values is a class Float with the types Float::Int (32 bits), Float::Long (64 bits) and
// Float::Bool, and, found by their arguments:
//   Float  + - * /, unary -, fma, sqrt, abs, < > == with a Float or a float on the right, isNaN,
//          x.at(c), the constant c beside x; bits(Float), asFloat(Int)
//   Int    + - & | ^, * with an Int or an int32_t on the right, << and >> by a number (>> keeps the
//          sign), == with a number, toFloat(Int), widen(Int) without sign, x.at(c)
//   Long   + - *, << and >> by a number (>> keeps the sign), shiftLeft by a Long, low(Long),
//          high(Long): Int, toFloat(Long)
//   Bool   & | !, select(Bool, a, b) of every kind; branch(Bool, f, g): the Floats that f or g
//          returns in an array, only that one executed
// Every operation rounds to nearest even, keeps subnormals, and contracts nothing. Which NaN a
// function returns is not stated.
//
// Polynomials are minimax fits (Lawson's iteration), coefficients rounded to f32 one after the
// other and the rest fitted again.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_MATH_ELEMENTARY_H
#define METTLE_MATH_ELEMENTARY_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace mettle::math {

/// 1.5 * 2^23: adding it to a small float rounds that to an integer, which the low bits then hold.
inline constexpr float RoundingShift = 12582912.0f;
inline constexpr int32_t RoundingShiftBits = 0x4B400000;

inline constexpr float Ln2 = 0x1.62e43p-1f, Ln2Low = -0x1.05c61p-29f;
inline constexpr float Log2E = 0x1.715476p+0f, Log2ELow = 0x1.4ae0cp-26f;

/// c0 + c1 x + c2 x^2 + ..., by Horner's rule with fma.
template <typename Float, std::size_t N> Float polynomial(Float x, const float (&coefficients)[N]) {
  Float sum = x.at(coefficients[N - 1]);
  for (std::size_t i = N - 1; i-- != 0;)
    sum = fma(sum, x, x.at(coefficients[i]));
  return sum;
}

/// value * 2^exponent with one rounding; |exponent| < 252, and value * 2^(exponent / 2) is normal.
template <typename Float> Float scale(Float value, typename Float::Int exponent) {
  auto half = exponent >> 1;
  Float first = asFloat((half + 127) << 23), second = asFloat((exponent - half + 127) << 23);
  return value * first * second;
}

/// e^(high + low) for |high| <= ln(2) / 2 and low below its last bit.
template <typename Float> Float expReduced(Float high, Float low) {
  Float tail = polynomial(
      high, {0x1.fffffcp-2f, 0x1.55548cp-3f, 0x1.555858p-5f, 0x1.123dep-7f, 0x1.6ac74ap-10f});
  return high + fma(tail, high * high, low) + 1.0f;
}

/// e^x, within 1 ulp.
template <typename Float> Float exp(Float x) {
  // Beyond these the result is infinite or zero whatever x is; a NaN stays.
  Float clamped = select(x > 89.0f, x.at(89.0f), select(x < -105.0f, x.at(-105.0f), x));
  Float shifted = fma(clamped, x.at(Log2E), x.at(RoundingShift));
  Float n = shifted - RoundingShift;
  Float first = fma(n, x.at(-Ln2), clamped);
  Float high = fma(n, x.at(-Ln2Low), first);
  Float low = fma(n, x.at(-Ln2Low), first - high);
  return scale(expReduced(high, low), bits(shifted) - RoundingShiftBits);
}

/// 2^(high + low) for |high| < 2^21 and low below its last bit.
template <typename Float> Float exp2OfSum(Float high, Float low) {
  Float shifted = high + RoundingShift;
  Float reduced = high - (shifted - RoundingShift);
  Float r = reduced + low;
  Float lost = low - (r - reduced);
  Float tail = polynomial(
      r, {0x1.ebfbdcp-3f, 0x1.c6af84p-5f, 0x1.3b2db0p-7f, 0x1.5f0696p-10f, 0x1.41a33cp-13f});
  Float product = r * Ln2;
  Float rest = fma(r, r.at(Ln2), -product);
  rest = fma(r, r.at(Ln2Low), rest);
  rest = fma(lost, r.at(Ln2), rest);
  Float power = product + fma(tail, r * r, rest) + 1.0f;
  return scale(power, bits(shifted) - RoundingShiftBits);
}

/// 2^x, within 1 ulp.
template <typename Float> Float exp2(Float x) {
  Float clamped = select(x > 129.0f, x.at(129.0f), select(x < -151.0f, x.at(-151.0f), x));
  return exp2OfSum(clamped, x.at(0.0f));
}

/// A positive float as 2^exponent * (1 + fraction), fraction in [-1/3, 1/3).
template <typename Float> struct Split {
  Float exponent, fraction;
};
template <typename Float> Split<Float> split(Float x) {
  auto subnormal = x < 0x1p-126f;
  auto word = bits(select(subnormal, x * 0x1p23f, x));
  auto field = (word - 0x3F2AAAAB) & int32_t(0xFF800000);
  Float bias = select(subnormal, x.at(-23.0f), x.at(0.0f));
  return {fma(toFloat(field), x.at(0x1p-23f), bias), asFloat(word - field) - 1.0f};
}

/// What a logarithm of x is, given that of a finite positive x.
template <typename Float> Float logarithmOf(Float x, Float ofPositive) {
  Float infinity = x.at(__builtin_inff());
  // True for NaN as well, which x + infinity keeps.
  auto special = !(x < infinity);
  Float result = select(special, x + infinity, ofPositive);
  result = select(x == 0.0f, x.at(-__builtin_inff()), result);
  return select(x < 0.0f, x.at(__builtin_nanf("")), result);
}

/// (ln(1 + f) - f + f^2 / 2) / f^3 for f in [-1/3, 1/3).
template <typename Float> Float logCubic(Float f) {
  return polynomial(f, {0x1.555506p-2f, -0x1.fffefap-3f, 0x1.99d050p-3f, -0x1.559c66p-3f,
                        0x1.1ed562p-3f, -0x1.f332bap-4f, 0x1.1e6ccap-3f, -0x1.07c480p-3f});
}

/// ln x, within 1 ulp.
template <typename Float> Float log(Float x) {
  auto [exponent, f] = split(x);
  Float tail = fma(logCubic(f), f, x.at(-0.5f));
  Float reduced = fma(tail, f * f, f);
  return logarithmOf(x, fma(exponent, x.at(Ln2), reduced));
}

/// log2 x, within 1 ulp.
template <typename Float> Float log2(Float x) {
  auto [exponent, f] = split(x);
  Float high = f * Log2E;
  Float low = fma(f, x.at(Log2E), -high);
  low = fma(f, x.at(Log2ELow), low);
  // The square is the largest of what is left: it and its error are multiplied apart.
  Float square = f * f;
  Float squareLow = fma(f, f, -square);
  low = fma(squareLow, x.at(-0.5f * Log2E), low);
  low = fma(logCubic(f) * (f * Log2E), square, low);
  low = fma(square, x.at(-0.5f * Log2E), low);
  Float sum = exponent + high;
  Float lost = exponent - sum + high;
  return logarithmOf(x, sum + (lost + low));
}

/// 1 / sqrt x, within 1 ulp.
template <typename Float> Float rsqrt(Float x) {
  // The remainder of a small x would be subnormal.
  auto small = x < 0x1p-64f;
  Float scaled = select(small, x * 0x1p64f, x);
  Float root = sqrt(scaled);
  Float inverse = x.at(1.0f) / root;
  // scaled = root^2 + a and 1 = root * inverse + b, both exact, so that
  // 1 / sqrt scaled = inverse (1 + b) (1 - a / (2 root^2)) but for terms of second order.
  Float a = fma(-root, root, scaled);
  Float b = fma(-root, inverse, x.at(1.0f));
  Float correction = fma(a * inverse * -0.5f, inverse, b);
  Float refined = fma(inverse, correction, inverse) * select(small, x.at(0x1p32f), x.at(1.0f));
  auto regular = (x > 0.0f) & (x < x.at(__builtin_inff()));
  return select(regular, refined, inverse);
}

/// tanh x, within 1.5 ulp.
template <typename Float> Float tanh(Float x) {
  Float magnitude = abs(x), square = x * x;
  Float tail = polynomial(
      square, {-0x1.55553ep-2f, 0x1.1109bep-3f, -0x1.b89abap-5f, 0x1.54c3c2p-6f, -0x1.828776p-8f});
  Float small = fma(tail * square, x, x);
  Float power = exp(select(magnitude > 10.0f, x.at(20.0f), magnitude + magnitude));
  Float large = x.at(1.0f) - x.at(2.0f) / (power + 1.0f);
  // The sign also of -0, of which `small` makes +0.
  Float result = select(magnitude < 0.6f, small, large);
  result = asFloat(bits(result) | (bits(x) & int32_t(0x80000000)));
  return select(isNaN(x), x, result);
}

/// erf x = 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x, within 1.1 ulp.
template <typename Float> Float erf(Float x) {
  Float magnitude = abs(x), square = x * x;
  Float tail = polynomial(square, {-0x1.812740p-2f, 0x1.ce2d2ap-4f, -0x1.b7fafcp-6f, 0x1.540dd6p-8f,
                                   -0x1.a40f32p-11f, 0x1.4965bcp-14f});
  Float small = fma(fma(tail, square, x.at(0x1.06eba8p-3f)), x, x);
  Float clamped = select(magnitude > 3.95f, x.at(3.95f), magnitude);
  Float logarithm =
      polynomial(clamped, {0x1.8a57a6p-13f, -0x1.212c0cp+0f, -0x1.44356ep-1f, -0x1.bc14bep-4f,
                           0x1.9d01e6p-6f, -0x1.138ab4p-8f, 0x1.cebe1ep-12f, -0x1.6bcb24p-16f});
  Float large = x.at(1.0f) - exp(logarithm);
  large = asFloat(bits(large) | (bits(x) & int32_t(0x80000000)));
  return select(magnitude < 1.0f, small, select(isNaN(x), x, large));
}

} // namespace mettle::math

#endif // METTLE_MATH_ELEMENTARY_H
