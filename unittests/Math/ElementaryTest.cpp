//===- ElementaryTest.cpp - How far the sequences are from exact ----------===//
//
// The results of Mettle/Math on the host beside those of the C library in double, whose error is
// 2^-29 of an ulp of f32 or less: over all 2^32 inputs when METTLE_DEEP is 1, else over a sample
// that no exponent escapes. Signs, zeros, infinities and NaN must be the double's.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Math/Elementary.h"
#include "HostValues.h"
#include "Mettle/Math/Power.h"
#include "Mettle/Math/Trigonometry.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdlib>
#include <future>
#include <limits>
#include <random>
#include <thread>
#include <vector>

using namespace mettle;
using math::host::Float;

namespace {
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

bool isDeep() {
  const char *deep = std::getenv("METTLE_DEEP");
  return deep && deep == std::string_view("1");
}

/// The distance of neighbouring floats where the exact result lies.
double ulpAt(double exact) {
  double magnitude = std::clamp(std::fabs(exact), 0x1p-126, 0x1.fffffep127);
  int exponent;
  std::frexp(magnitude, &exponent);
  return std::ldexp(1.0, exponent - 24);
}

/// The error in ulp; infinite where sign, infinity or NaN differ. Near the largest float either a
/// float or infinity may be returned.
double errorOf(float got, double exact) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : wrong;
  if (std::signbit(got) != std::signbit(exact))
    return wrong;
  if (std::isinf(exact) || exact == 0)
    return double(got) == exact ? 0 : wrong;
  if (std::isinf(got))
    return std::fabs(exact) > 0x1.fffffdp127 ? 0 : wrong;
  return std::fabs(double(got) - exact) / ulpAt(exact);
}

struct Function {
  const char *name;
  Float (*sequence)(Float);
  double (*exact)(double);
  /// The worst of all inputs, rounded up.
  double bound;
};

class Unary : public testing::TestWithParam<Function> {};

struct Worst {
  double error = 0;
  uint32_t word = 0;
};

/// The worst of every `step`-th input from `first` on.
Worst worstOf(const Function &function, uint64_t first, uint64_t step) {
  Worst worst;
  for (uint64_t word = first; word < 1ull << 32; word += step) {
    auto x = std::bit_cast<float>(uint32_t(word));
    double error = errorOf(function.sequence({x}).v, function.exact(x));
    if (error > worst.error)
      worst = {error, uint32_t(word)};
  }
  return worst;
}

TEST_P(Unary, IsWithinItsBound) {
  const Function &function = GetParam();
  // The step is prime, so that a sample meets every exponent and many patterns of low bits.
  const uint64_t step = isDeep() ? 1 : 4099,
                 threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::future<Worst>> parts;
  for (uint64_t i = 0; i < threads; ++i)
    parts.push_back(std::async(std::launch::async, worstOf, function, i * step, threads * step));
  Worst worst;
  for (std::future<Worst> &part : parts)
    worst = std::max(worst, part.get(), [](Worst a, Worst b) { return a.error < b.error; });
  EXPECT_LE(worst.error, function.bound) << std::hex << "at 0x" << worst.word;
  RecordProperty("worst", std::to_string(worst.error));
}

double inverseRoot(double x) { return 1 / std::sqrt(x); }

INSTANTIATE_TEST_SUITE_P(Functions, Unary,
                         testing::Values(Function{"exp", math::exp<Float>, std::exp, 0.86},
                                         Function{"exp2", math::exp2<Float>, std::exp2, 0.81},
                                         Function{"log", math::log<Float>, std::log, 0.93},
                                         Function{"log2", math::log2<Float>, std::log2, 0.95},
                                         Function{"sin", math::sin<Float>, std::sin, 0.92},
                                         Function{"cos", math::cos<Float>, std::cos, 0.84},
                                         Function{"rsqrt", math::rsqrt<Float>, inverseRoot, 0.501},
                                         Function{"tanh", math::tanh<Float>, std::tanh, 1.32},
                                         Function{"erf", math::erf<Float>, std::erf, 1.0}),
                         [](const testing::TestParamInfo<Function> &info) {
                           return std::string(info.param.name);
                         });

void expectPower(float x, float y) {
  double exact = std::pow(double(x), double(y));
  EXPECT_LE(errorOf(math::pow(Float{x}, Float{y}).v, exact), 1.0)
      << std::hexfloat << x << " to the power " << y << " is " << exact;
}

TEST(Power, SpecialCases) {
  const float values[] = {0.0f,
                          -0.0f,
                          1,
                          -1,
                          2,
                          -2,
                          3,
                          -3,
                          0.5f,
                          -0.5f,
                          1.5f,
                          -2.5f,
                          inf,
                          -inf,
                          nan,
                          0x1p24f,
                          -0x1.fffffep23f,
                          0x1p-149f,
                          -0x1p-149f,
                          0x1p-126f,
                          0x1.fffffep127f,
                          0x1.fffffep-1f,
                          0x1.000002p0f,
                          8388609.0f,
                          8388608.5f,
                          -8388607.5f,
                          4194304.5f,
                          1e10f};
  for (float x : values)
    for (float y : values)
      expectPower(x, y);
}

TEST(Power, RandomPairs) {
  std::mt19937_64 random(20261201);
  uint64_t count = isDeep() ? 400'000'000 : 400'000;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t word = random();
    auto x = std::bit_cast<float>(uint32_t(word));
    auto y = std::bit_cast<float>(uint32_t(word >> 32));
    // A random pair mostly overflows: of four, three are made to give a result of any exponent, of
    // a base of any size, of one near 1, and with a short exponent.
    if (i % 4 != 0) {
      x = i % 4 == 1 ? std::fabs(x) : 1 + float(int32_t(word)) * 0x1p-33f;
      double wanted = double(word >> 33) / 0x1p31 * 300 - 150;
      y = float(wanted / std::log2(double(x)));
      if (i % 4 == 3)
        y = std::rint(y * 16) / 16;
    }
    expectPower(x, y);
    if (HasFailure())
      return;
  }
}
} // namespace
