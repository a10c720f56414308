//===- RulesTest.cpp - The rules of the normal form -----------------------===//
//
// Every row of Canon/Rules.def is tested here, by its name: that what it says of numbers is so,
// over special values and random words, and that trees follow it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Canon/Rules.h"
#include "../Equiv/Kernels.h"
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

using namespace mettle::checker;

namespace {

float asFloat(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
/// The word, with every NaN the one that sm_90 returns.
uint32_t word(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return std::isnan(f) ? 0x7fffffff : bits;
}
/// PTX's max without .NaN: a number over a NaN, +0 over -0.
uint32_t maximum(uint32_t a, uint32_t b) {
  float x = asFloat(a), y = asFloat(b);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y) ? 0x7fffffff : std::isnan(x) ? b : a;
  if (x == y)
    return a >> 31 ? b : a;
  return x > y ? a : b;
}

std::vector<uint32_t> samples() {
  std::vector<uint32_t> words = {0,          0x80000000, 1,          0x80000001,
                                 0x00800000, 0x3f800000, 0xbf800000, 0x7f7fffff,
                                 0xff7fffff, 0x7f800000, 0xff800000, 0x7fffffff,
                                 0x7fc00000, 0xffc00001, 0x33800000, 0x4b800000};
  std::mt19937 random(11);
  for (unsigned i = 0; i < 60; ++i)
    words.push_back(random());
  return words;
}

TEST(Rules, EveryRuleHasATest) {
  std::set<std::string> tested = {"commute",
                                  "run",
                                  "butterfly",
                                  "zero-drops",
                                  "zero-floats",
                                  "zero-product",
                                  "maximum-is-a-set",
                                  "softmax-padding",
                                  "widening-is-exact",
                                  "default-rounding",
                                  "place"};
  for (const Rule &rule : rules())
    EXPECT_EQ(tested.erase(rule.name.str()), 1u) << rule.name.str();
  EXPECT_TRUE(tested.empty());
}

TEST(Rules, EveryRuleIsDocumented) {
  std::ifstream file(METTLE_SOURCE_DIR "/docs/checker.md");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const Rule &rule : rules())
    EXPECT_NE(text.find("| `" + rule.name.str() + "` |"), std::string::npos) << rule.name.str();
}

TEST(Rules, SumsOfNumbers) {
  for (uint32_t a : samples())
    for (uint32_t b : samples()) {
      float x = asFloat(a), y = asFloat(b);
      EXPECT_EQ(word(x + y), word(y + x)) << "commute";
      // zero-floats: one +0 may stand anywhere in a sum.
      EXPECT_EQ(word((x + 0.0f) + y), word((x + y) + 0.0f)) << "zero-floats";
      EXPECT_EQ(word((x + 0.0f) + (y + 0.0f)), word((x + y) + 0.0f)) << "zero-floats";
      // zero-drops: a sum with an operand that is not -0 is not -0, and then +0 changes nothing.
      if (b != 0x80000000) {
        EXPECT_NE(word(x + y), 0x80000000u) << "zero-drops";
        EXPECT_EQ(word((x + y) + 0.0f), word(x + y)) << "zero-drops";
      }
      // zero-product: fma(0, 0, x) is x + 0.
      EXPECT_EQ(word(std::fma(0.0f, 0.0f, x)), word(x + 0.0f)) << "zero-product";
    }
}

TEST(Rules, MaximaAreSets) {
  std::vector<uint32_t> words = samples();
  words.resize(28);
  for (uint32_t a : words)
    for (uint32_t b : words) {
      EXPECT_EQ(maximum(a, b), maximum(b, a));
      for (uint32_t c : words) {
        EXPECT_EQ(maximum(maximum(a, b), c), maximum(a, maximum(b, c)));
        EXPECT_EQ(maximum(maximum(a, b), a), maximum(a, b));
      }
    }
}

TEST(Rules, PaddingOfASoftmax) {
  // e(x) = 2^((x - m) * c) with m the maximum of some x and of -infinity.
  auto e = [](float x, float m) { return std::exp2((x - m) * 1.4426950408889634f); };
  float infinity = asFloat(0x7f800000);
  for (uint32_t a : samples())
    for (uint32_t b : samples()) {
      float m = asFloat(maximum(maximum(a, b), 0xff800000));
      float sum = e(asFloat(a), m) + e(asFloat(b), m);
      EXPECT_EQ(word(sum + e(-infinity, m)), word(sum)) << std::hex << a << ' ' << b;
    }
}

TEST(Rules, WideningIsExact) {
  // 1.0, a subnormal and -infinity as f16 constants: the masked side of a load.
  auto kernel = [](const std::string &constant) {
    return module("mad.wide.s32 %d3, %r0, 4, %d1;\nmov.b16 %h0, " + constant +
                  ";\ncvt.f32.f16 %r5, %h0;\nst.global.f32 [%d3], %r5;\n");
  };
  auto direct = [](const std::string &constant) {
    return module("mad.wide.s32 %d3, %r0, 4, %d1;\nmov.b32 %r5, " + constant +
                  ";\nst.global.f32 [%d3], %r5;\n");
  };
  EXPECT_EQ(keyOf(kernel("0x3c00"), 1), keyOf(direct("0f3f800000"), 1));
  EXPECT_EQ(keyOf(kernel("0x0001"), 1), keyOf(direct("0f33800000"), 1));
  EXPECT_EQ(keyOf(kernel("0x03ff"), 1), keyOf(direct("0f387fc000"), 1));
  EXPECT_EQ(keyOf(kernel("0xfc00"), 1), keyOf(direct("0fff800000"), 1));
}

} // namespace
