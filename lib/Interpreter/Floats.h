//===- Floats.h - floats in slots -===//
//
// For each format: how its bits are read into a host type that holds every value of it, and how a
// result is rounded once. f16 and bf16 compute in double: for add, subtract, multiply, divide and
// square root, rounding to 53 bits first changes nothing when p <= 11, since 53 >= 2 p + 2
// (Figueroa 1995), and no result of theirs is near the ends of double's range. fma needs more: see
// fusedMultiplyAdd.
//
// A NaN that an operation computes is the format's canonical word, so results never depend on the
// host's propagation rules.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_INTERPRETER_FLOATS_H
#define METTLE_LIB_INTERPRETER_FLOATS_H

#include "Mettle/Numerics/Format.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "Model.h"
#include <cmath>

namespace mettle::interpreter {

struct F64 {
  using Number = double;
  static constexpr numerics::Format format = numerics::Format::F64;
  static double read(uint64_t bits) {
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  static uint64_t write(double value) {
    if (value != value)
      return numerics::info(format).nan;
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
};

struct F32 {
  using Number = float;
  static constexpr numerics::Format format = numerics::Format::F32;
  static float read(uint64_t bits) { return numerics::floatOf(static_cast<uint32_t>(bits)); }
  static uint64_t write(float value) {
    return value != value ? numerics::info(format).nan : numerics::bitsOf(value);
  }
};

struct F16 {
  using Number = double;
  static constexpr numerics::Format format = numerics::Format::F16;
  static double read(uint64_t bits) { return numerics::decodeF16(static_cast<uint16_t>(bits)); }
  static uint64_t write(double value) { return numerics::fromDouble(format, value); }
};

struct BF16 {
  using Number = double;
  static constexpr numerics::Format format = numerics::Format::BF16;
  static double read(uint64_t bits) { return numerics::decodeBF16(static_cast<uint16_t>(bits)); }
  static uint64_t write(double value) { return numerics::fromDouble(format, value); }
};

/// a * b + c, rounded once to the format.
template <typename Float>
typename Float::Number fusedMultiplyAdd(typename Float::Number a, typename Float::Number b,
                                        typename Float::Number c) {
  return std::fma(a, b, c);
}

/// For formats of at most 11 bits of precision. The product is exact in double. The sum is rounded
/// to odd, after which rounding to at most 51 bits gives what rounding the exact sum would
/// (Boldo and Melquiond 2008).
double fusedMultiplyAddThroughDouble(double a, double b, double c);

template <> inline double fusedMultiplyAdd<F16>(double a, double b, double c) {
  return fusedMultiplyAddThroughDouble(a, b, c);
}
template <> inline double fusedMultiplyAdd<BF16>(double a, double b, double c) {
  return fusedMultiplyAddThroughDouble(a, b, c);
}

} // namespace mettle::interpreter

#endif // METTLE_LIB_INTERPRETER_FLOATS_H
