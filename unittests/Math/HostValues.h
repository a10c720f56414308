//===- HostValues.h - The sequences on the host's numbers -------*- C++ -*-===//
//
// The kind of values (Mettle/Math/Elementary.h) with which the tests run the sequences.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_MATH_HOSTVALUES_H
#define METTLE_UNITTESTS_MATH_HOSTVALUES_H

#include <bit>
#include <cmath>
#include <cstdint>

namespace mettle::math::host {

struct Bool {
  bool v;
  friend Bool operator&(Bool a, Bool b) { return {a.v && b.v}; }
  friend Bool operator|(Bool a, Bool b) { return {a.v || b.v}; }
  friend Bool operator==(Bool a, Bool b) { return {a.v == b.v}; }
  friend Bool operator!(Bool a) { return {!a.v}; }
};

struct Int {
  uint32_t v;
  Int at(int32_t c) const { return {uint32_t(c)}; }
  friend Int operator+(Int a, Int b) { return {a.v + b.v}; }
  friend Int operator-(Int a, Int b) { return {a.v - b.v}; }
  friend Int operator&(Int a, Int b) { return {a.v & b.v}; }
  friend Int operator|(Int a, Int b) { return {a.v | b.v}; }
  friend Int operator+(Int a, int32_t b) { return {a.v + uint32_t(b)}; }
  friend Int operator-(Int a, int32_t b) { return {a.v - uint32_t(b)}; }
  friend Int operator&(Int a, int32_t b) { return {a.v & uint32_t(b)}; }
  friend Int operator|(Int a, int32_t b) { return {a.v | uint32_t(b)}; }
  friend Int operator<<(Int a, int n) { return {a.v << n}; }
  friend Int operator>>(Int a, int n) { return {uint32_t(int32_t(a.v) >> n)}; }
  friend Bool operator<(Int a, int32_t b) { return {int32_t(a.v) < b}; }
  friend Bool operator==(Int a, int32_t b) { return {int32_t(a.v) == b}; }
};

struct Long {
  uint64_t v;
  Long at(int64_t c) const { return {uint64_t(c)}; }
  friend Long operator+(Long a, Long b) { return {a.v + b.v}; }
  friend Long operator-(Long a, Long b) { return {a.v - b.v}; }
  friend Long operator*(Long a, Long b) { return {a.v * b.v}; }
  friend Long operator<<(Long a, int n) { return {a.v << n}; }
  friend Long operator>>(Long a, int n) { return {uint64_t(int64_t(a.v) >> n)}; }
};
inline Long shiftLeft(Long a, Long n) { return {a.v << n.v}; }
inline Int low(Long a) { return {uint32_t(a.v)}; }
inline Int high(Long a) { return {uint32_t(a.v >> 32)}; }
inline Long widen(Int a) { return {a.v}; }

struct Float {
  using Int = host::Int;
  using Long = host::Long;
  using Bool = host::Bool;
  float v;
  Float at(float c) const { return {c}; }
  friend Float operator+(Float a, Float b) { return {a.v + b.v}; }
  friend Float operator-(Float a, Float b) { return {a.v - b.v}; }
  friend Float operator*(Float a, Float b) { return {a.v * b.v}; }
  friend Float operator/(Float a, Float b) { return {a.v / b.v}; }
  friend Float operator+(Float a, float b) { return {a.v + b}; }
  friend Float operator-(Float a, float b) { return {a.v - b}; }
  friend Float operator*(Float a, float b) { return {a.v * b}; }
  friend Float operator-(Float a) { return {-a.v}; }
  friend Bool operator<(Float a, Float b) { return {a.v < b.v}; }
  friend Bool operator>(Float a, Float b) { return {a.v > b.v}; }
  friend Bool operator==(Float a, Float b) { return {a.v == b.v}; }
  friend Bool operator<(Float a, float b) { return {a.v < b}; }
  friend Bool operator>(Float a, float b) { return {a.v > b}; }
  friend Bool operator==(Float a, float b) { return {a.v == b}; }
};
inline Float fma(Float a, Float b, Float c) { return {std::fmaf(a.v, b.v, c.v)}; }
inline Float sqrt(Float a) { return {std::sqrt(a.v)}; }
inline Float abs(Float a) { return {std::fabs(a.v)}; }
inline Bool isNaN(Float a) { return {a.v != a.v}; }
inline Int bits(Float a) { return {std::bit_cast<uint32_t>(a.v)}; }
inline Float asFloat(Int a) { return {std::bit_cast<float>(a.v)}; }
inline Float toFloat(Int a) { return {float(int32_t(a.v))}; }
inline Float toFloat(Long a) { return {float(int64_t(a.v))}; }

template <typename Value> Value select(Bool c, Value a, Value b) { return c.v ? a : b; }
template <typename Then, typename Else> auto branch(Bool c, Then then, Else otherwise) {
  return c.v ? then() : otherwise();
}

} // namespace mettle::math::host

#endif // METTLE_UNITTESTS_MATH_HOSTVALUES_H
