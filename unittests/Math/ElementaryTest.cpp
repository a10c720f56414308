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

/// Zeros, infinities, NaN, the ends of the subnormal and normal numbers, where exhaustive runs
/// found the worst of a function; of each binade from 2^16 on the argument nearest to a multiple of
/// pi/2.
constexpr uint32_t hardArguments[] = {
    0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000,
    0x3F22BA71, 0x3F882E68, 0x41DAC129, 0x477FFFFF, 0x47800000, 0x47CD246F, 0x484D246F, 0x4882665E,
    0x4902665E, 0x4982665E, 0x4A2562AE, 0x4AA562AE, 0x4B2562AE, 0x4BF3B47B, 0x4C2332E9, 0x4CA332E9,
    0x4D2332E9, 0x4D847661, 0x4E13D4A5, 0x4E93D4A5, 0x4F0FFD14, 0x4FDBD32F, 0x507FD274, 0x50A3E87F,
    0x5123E87F, 0x51A3E87F, 0x5223E87F, 0x52A3E87F, 0x5323E87F, 0x53B146A6, 0x543146A6, 0x54B146A6,
    0x553146A6, 0x55B146A6, 0x56787577, 0x56F87577, 0x57787577, 0x57B82989, 0x58382989, 0x58DC36C9,
    0x596E3D69, 0x59F740B9, 0x5A7BC261, 0x5AFE0335, 0x5B7F239F, 0x5BFFB3D4, 0x5C07BCD0, 0x5C87BCD0,
    0x5D07BCD0, 0x5D87BCD0, 0x5E07BCD0, 0x5E87BCD0, 0x5F07BCD0, 0x5FE4112C, 0x6064112C, 0x60AB0CE1,
    0x617C556B, 0x61D3B126, 0x6253B126, 0x62EC1B4A, 0x636C1B4A, 0x63E600C1, 0x642E0733, 0x64AE0733,
    0x652E0733, 0x65898498, 0x66098498, 0x66898498, 0x67098498, 0x67898498, 0x68098498, 0x68898498,
    0x6946E3BB, 0x69C6E3BB, 0x6A1976F1, 0x6A9976F1, 0x6B1976F1, 0x6B9976F1, 0x6C55DA58, 0x6CD5DA58,
    0x6D2063C2, 0x6D85A877, 0x6E05A877, 0x6E85A877, 0x6F79BE45, 0x6FF9BE45, 0x7079BE45, 0x70F9BE45,
    0x7179BE45, 0x71F9BE45, 0x723FA09A, 0x72BFA09A, 0x733FA09A, 0x73E61C18, 0x7452DE59, 0x74D2DE59,
    0x756FA1DC, 0x75949471, 0x76507CE8, 0x76A426EB, 0x77584625, 0x77D84625, 0x78584625, 0x78A8B883,
    0x79407F54, 0x79C07F54, 0x7A105F7F, 0x7AFCCBAB, 0x7B1675C0, 0x7B9675C0, 0x7C6C3305, 0x7CFF01BD,
    0x7D7F01BD, 0x7DFF01BD, 0x7E7F01BD, 0x7EBDCDA0, 0x7F3DCDA0};

TEST_P(Unary, IsWithinItsBoundOnHardArguments) {
  const Function &function = GetParam();
  for (uint32_t magnitude : hardArguments)
    for (uint32_t word : {magnitude, magnitude | 0x80000000}) {
      auto x = std::bit_cast<float>(word);
      EXPECT_LE(errorOf(function.sequence({x}).v, function.exact(x)), function.bound)
          << std::hex << "at 0x" << word;
    }
}

double inverseRoot(double x) { return 1 / std::sqrt(x); }

INSTANTIATE_TEST_SUITE_P(Functions, Unary,
                         testing::Values(Function{"exp", math::exp<Float>, std::exp, 0.88},
                                         Function{"exp2", math::exp2<Float>, std::exp2, 0.81},
                                         Function{"log", math::log<Float>, std::log, 0.94},
                                         Function{"log2", math::log2<Float>, std::log2, 0.85},
                                         Function{"sin", math::sin<Float>, std::sin, 0.86},
                                         Function{"cos", math::cos<Float>, std::cos, 0.86},
                                         Function{"rsqrt", math::rsqrt<Float>, inverseRoot, 0.501},
                                         Function{"tanh", math::tanh<Float>, std::tanh, 1.34},
                                         Function{"erf", math::erf<Float>, std::erf, 1.08}),
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
