//===- RulesTest.cpp - The rules of the normal form -----------------------===//
//
// Every row of Canon/Rules.def is tested here, by its name: that what it says of numbers is so,
// over special values and random words, and that trees follow it.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Canon/Rules.h"
#include "../Equiv/Kernels.h"
#include "Mettle/Checker/Tree/Evaluate.h"
#include "Mettle/Numerics/MatrixModel.h"
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

using namespace mettle::checker;
namespace numerics = mettle::numerics;

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
                                  "one-arithmetic",
                                  "products-are-a-set",
                                  "zero-products",
                                  "empty-step",
                                  "bytes",
                                  "integers",
                                  "default-rounding",
                                  "decided",
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

/// Every confirmed sm_90 row of a fused class, with random words as factors.
template <typename Visit> void forEachFusedRow(Visit visit) {
  for (const numerics::MatrixRow &row : numerics::matrixRows())
    if (row.arch == "sm_90" && row.confirmed && row.c == row.d &&
        row.arithmetic.kind == numerics::ArithmeticClass::Fused &&
        row.arithmetic.group >= row.products() && !row.arithmetic.isScaled())
      visit(row);
}

struct Words {
  std::vector<uint64_t> a, b;
  uint64_t c = 0;
};

Words randomWords(const numerics::MatrixRow &row, std::mt19937 &random) {
  Words words;
  auto draw = [&](numerics::Format format) {
    uint64_t bits = numerics::info(format).bits;
    return random() & (bits >= 32 ? 0xffffffffu : (1u << bits) - 1);
  };
  for (unsigned k = 0; k < row.products(); ++k) {
    words.a.push_back(draw(row.a));
    words.b.push_back(draw(row.b));
  }
  words.c = draw(row.c);
  return words;
}

TEST(Rules, ProductsOfAStep) {
  std::mt19937 random(5);
  unsigned rows = 0;
  forEachFusedRow([&](const numerics::MatrixRow &row) {
    ++rows;
    for (unsigned round = 0; round < 200; ++round) {
      Words words = randomWords(row, random);
      uint64_t result = numerics::evaluateInstruction(row, words.a, words.b, words.c);
      // products-are-a-set: another order, and the factors exchanged.
      std::vector<uint64_t> a(words.a.rbegin(), words.a.rend()),
          b(words.b.rbegin(), words.b.rend());
      EXPECT_EQ(numerics::evaluateInstruction(row, a, b, words.c), result) << row.instruction();
      if (row.a == row.b)
        EXPECT_EQ(numerics::evaluateInstruction(row, b, a, words.c), result) << row.instruction();
      // zero-products: half of them zero, wherever they stand.
      std::vector<uint64_t> low = a, high(a.size(), 0), lowB = b, highB(b.size(), 0);
      size_t half = a.size() / 2;
      for (size_t k = 0; k < half; ++k) {
        high[half + k] = low[k];
        highB[half + k] = lowB[k];
        low[half + k] = lowB[half + k] = 0;
      }
      uint64_t partial = numerics::evaluateInstruction(row, low, lowB, words.c);
      EXPECT_EQ(numerics::evaluateInstruction(row, high, highB, words.c), partial)
          << row.instruction();
      // empty-step: on what a step returned, and on +0.
      std::vector<uint64_t> none(a.size(), 0);
      EXPECT_EQ(numerics::evaluateInstruction(row, none, none, partial), partial)
          << row.instruction();
      EXPECT_EQ(numerics::evaluateInstruction(row, none, none, 0), 0u) << row.instruction();
    }
  });
  EXPECT_GT(rows, 10u);
}

TEST(Rules, OneArithmetic) {
  // zero-products again, across instructions: k8 is k16 with eight products of zero; wgmma is mma.
  std::mt19937 random(6);
  auto row = [](const char *name) {
    return llvm::cantFail(numerics::findMatrixRow("sm_90", name));
  };
  const numerics::MatrixRow *k8 = row("mma.m16n8k8.f32.f16.f16.f32"),
                            *k16 = row("mma.m16n8k16.f32.f16.f16.f32"),
                            *wgmma = row("wgmma.m64n8k16.f32.f16.f16.f32");
  for (unsigned round = 0; round < 500; ++round) {
    Words words = randomWords(*k8, random);
    uint64_t result = numerics::evaluateInstruction(*k8, words.a, words.b, words.c);
    words.a.resize(16, 0);
    words.b.resize(16, 0);
    EXPECT_EQ(numerics::evaluateInstruction(*k16, words.a, words.b, words.c), result);
    words = randomWords(*k16, random);
    EXPECT_EQ(numerics::evaluateInstruction(*k16, words.a, words.b, words.c),
              numerics::evaluateInstruction(*wgmma, words.a, words.b, words.c));
  }
}

TEST(Rules, IntegersOnConstants) {
  EXPECT_EQ(foldInteger("and.b32", {0xff00ff00, 0x0ff00ff0}), 0x0f000f00u);
  EXPECT_EQ(foldInteger("shl.b16", {0xffff, 3}), 0xfff8u);
  EXPECT_EQ(foldInteger("shl.b16", {0xffff, 16}), 0u);
  EXPECT_EQ(foldInteger("shr.s32", {0x80000000, 31}), 0xffffffffu);
  EXPECT_EQ(foldInteger("shr.u32", {0x80000000, 31}), 1u);
  EXPECT_EQ(foldInteger("sub.s16", {0, 1}), 0xffffu);
  EXPECT_EQ(foldInteger("not.b16", {1}), 0xfffeu);
  EXPECT_EQ(foldInteger("add.f32", {1, 1}), std::nullopt);
  EXPECT_EQ(foldComparison("setp.lt.s32", 0xffffffff, 0), true);
  EXPECT_EQ(foldComparison("setp.lt.u32", 0xffffffff, 0), false);
  EXPECT_EQ(foldComparison("setp.ne.b32", 0x100000001, 1), false);
  EXPECT_EQ(foldComparison("setp.lt.f32", 0, 1), std::nullopt);
}

TEST(Rules, BytesMoved) {
  auto kernel = [](const std::string &body) {
    return module("mad.wide.s32 %d2, %r0, 4, %d0;\nmad.wide.s32 %d3, %r0, 4, %d1;\n"
                  "ld.global.b32 %r2, [%d2];\n" +
                  body + "st.global.b32 [%d3], %r5;\n");
  };
  std::string low = keyOf(kernel("and.b32 %r5, %r2, 65535;\n"), 1);
  ASSERT_FALSE(isUnknown(low)) << low;
  EXPECT_EQ(keyOf(kernel("bfe.u32 %r5, %r2, 0, 16;\n"), 1), low);
  EXPECT_EQ(keyOf(kernel("prmt.b32 %r5, %r2, 0, 0x4410;\n"), 1), low);
  EXPECT_EQ(keyOf(kernel("shl.b32 %r3, %r2, 16;\nshr.u32 %r5, %r3, 16;\n"), 1), low);
  EXPECT_EQ(keyOf(kernel("cvt.u16.u32 %h0, %r2;\ncvt.u32.u16 %r5, %h0;\n"), 1), low);
  EXPECT_NE(keyOf(kernel("prmt.b32 %r5, %r2, 0, 0x4401;\n"), 1), low);
  EXPECT_NE(keyOf(kernel("shl.b32 %r3, %r2, 16;\nshr.s32 %r5, %r3, 16;\n"), 1), low);
  EXPECT_NE(keyOf(kernel("and.b32 %r5, %r2, 65534;\n"), 1), low);
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

/// The names of the rules that a kernel's normal form rests on.
static std::set<std::string> rulesOf(const std::string &text) {
  Source source;
  source.text = text;
  llvm::cantFail(decodeSource(source));
  const mettle::assembly::ptx::Function *entry = llvm::cantFail(findEntry(source, ""));
  LaunchFacts facts;
  facts.grid = {8, 1, 1};
  llvm::cantFail(completeFacts(source, *entry, facts));
  Analysis analysis;
  analyse(source.module, *entry, facts, analysis);
  EXPECT_FALSE(analysis.signature.unknown) << analysis.signature.unknown->text;
  std::vector<std::string> names = analysis.signature.rules.names();
  return {names.begin(), names.end()};
}

TEST(Rules, AnAnswerListsWhatItRestsOn) {
  std::string load = "mad.wide.s32 %d2, %r0, 4, %d0;\nmad.wide.s32 %d3, %r0, 4, %d1;\n"
                     "ld.global.f32 %r3, [%d2];\n",
              store = "st.global.f32 [%d3], %r5;\n";
  using Names = std::set<std::string>;
  EXPECT_EQ(rulesOf(module(load + "mov.b32 %r5, %r3;\n" + store)), Names{"place"});
  EXPECT_EQ(rulesOf(module(load + "add.f32 %r5, %r3, 0f3F800000;\n" + store)).count("commute") +
                rulesOf(module(load + "add.f32 %r5, 0f3F800000, %r3;\n" + store)).count("commute"),
            1u);
  EXPECT_TRUE(rulesOf(module(load + "add.f32 %r5, %r3, %r3;\n" + store)).count("default-rounding"));
  EXPECT_FALSE(
      rulesOf(module(load + "add.rn.f32 %r5, %r3, %r3;\n" + store)).count("default-rounding"));
  EXPECT_TRUE(
      rulesOf(module(load + "max.f32 %r5, %r3, 0f00000000;\n" + store)).count("maximum-is-a-set"));
  Names sum = rulesOf(rowSum());
  EXPECT_TRUE(sum.count("butterfly") && sum.count("run")) << sum.size();
}

TEST(Rules, WhatTheLaunchDecides) {
  // 64 threads: the first condition holds for all, the second for some.
  auto kernel = [](const char *limit) {
    return module("mad.wide.s32 %d2, %r0, 4, %d0;\nmad.wide.s32 %d3, %r0, 4, %d1;\n"
                  "mov.b32 %r3, 0f00000000;\nsetp.lt.s32 %p0, %r0, " +
                  std::string(limit) +
                  ";\n@%p0 ld.global.f32 %r3, [%d2];\nst.global.f32 [%d3], %r3;\n");
  };
  EXPECT_TRUE(rulesOf(kernel("64")).count("decided"));
  EXPECT_EQ(keyOf(kernel("64")), keyOf(kernel("100")));
  EXPECT_NE(keyOf(kernel("64")), keyOf(kernel("63")));
}
} // namespace
