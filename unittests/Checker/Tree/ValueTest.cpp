//===- ValueTest.cpp - What trees evaluate to, and where they part --------===//
//
// Words of small trees against the host's arithmetic, and differences with their witnesses.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Checker/Tree/Value.h"
#include "../Equiv/Kernels.h"
#include "Mettle/Checker/Equiv/Difference.h"
#include <cmath>
#include <cstring>
#include <list>

using namespace mettle::checker;

namespace {

float asFloat(uint64_t bits) {
  auto word = uint32_t(bits);
  float f;
  std::memcpy(&f, &word, 4);
  return f;
}
uint64_t asBits(float f) {
  uint32_t word;
  std::memcpy(&word, &f, 4);
  return word;
}

/// Kernels analysed, kept as long as they are looked at.
struct ValueTest : testing::Test {
  std::list<Source> sources;
  std::list<Analysis> analyses;

  Analysis &analysed(const std::string &body) {
    Source &source = sources.emplace_back();
    source.text = module("mad.wide.s32 %d2, %r0, 4, %d0;\nmad.wide.s32 %d3, %r0, 4, %d1;\n"
                         "ld.global.f32 %r2, [%d2];\nld.global.f32 %r3, [%d2+256];\n" +
                         body + "st.global.f32 [%d3], %r5;\n");
    llvm::cantFail(decodeSource(source));
    const mettle::assembly::ptx::Function *entry = llvm::cantFail(findEntry(source, ""));
    LaunchFacts facts;
    facts.grid = {1, 1, 1};
    llvm::cantFail(completeFacts(source, *entry, facts));
    Analysis &analysis = analyses.emplace_back();
    analyse(source.module, *entry, facts, analysis);
    EXPECT_FALSE(analysis.signature.unknown) << body;
    return analysis;
  }

  /// The word that element `i` gets, and the two words it reads.
  uint64_t valueOf(const std::string &body, int64_t i, float &x, float &y, InputDraw draw = {}) {
    Analysis &analysis = analysed(body);
    draw.formats[0] = mettle::numerics::Format::F32;
    TreeValue value(analysis.trees, draw);
    std::optional<uint64_t> word = value.of(analysis.signature.outputs[0].regions[0].tree, {i});
    EXPECT_TRUE(word) << body << value.refused;
    x = asFloat(draw.word(0, 4 * i, 4));
    y = asFloat(draw.word(0, 4 * i + 256, 4));
    return word.value_or(~uint64_t(0));
  }
};

TEST_F(ValueTest, OperationsAreTheHosts) {
  float x, y;
  for (int64_t i : {0, 7, 63}) {
    EXPECT_EQ(valueOf("add.rn.f32 %r5, %r2, %r3;\n", i, x, y), asBits(x + y));
    EXPECT_EQ(valueOf("sub.rn.f32 %r5, %r2, %r3;\n", i, x, y), asBits(x - y));
    EXPECT_EQ(valueOf("mul.rn.f32 %r5, %r2, %r3;\n", i, x, y), asBits(x * y));
    EXPECT_EQ(valueOf("fma.rn.f32 %r5, %r2, %r3, %r2;\n", i, x, y), asBits(std::fma(x, y, x)));
    EXPECT_EQ(valueOf("max.f32 %r5, %r2, %r3;\n", i, x, y), asBits(std::max(x, y)));
    EXPECT_EQ(valueOf("neg.f32 %r5, %r2;\n", i, x, y), asBits(-x));
    EXPECT_EQ(valueOf("cvt.rn.f16.f32 %h0, %r2;\ncvt.f32.f16 %r5, %h0;\n", i, x, y),
              asBits(float(_Float16(x))));
  }
}

TEST_F(ValueTest, RoundingIsTheOperations) {
  float x, y;
  unsigned apart = 0;
  for (int64_t i = 0; i < 64; ++i) {
    float down = asFloat(valueOf("add.rm.f32 %r5, %r2, %r3;\n", i, x, y)),
          up = asFloat(valueOf("add.rp.f32 %r5, %r2, %r3;\n", i, x, y));
    EXPECT_LE(down, x + y);
    EXPECT_GE(up, x + y);
    apart += down != up;
  }
  EXPECT_GT(apart, 20u);
}

TEST_F(ValueTest, SpecialValuesAreDrawn) {
  InputDraw draw;
  draw.kind = InputDraw::Special;
  draw.formats[0] = mettle::numerics::Format::F32;
  unsigned zeros = 0, infinities = 0, nans = 0;
  for (int64_t i = 0; i < 400; ++i) {
    float x = asFloat(draw.word(0, 4 * i, 4));
    zeros += x == 0;
    infinities += std::isinf(x);
    nans += std::isnan(x);
  }
  EXPECT_GT(zeros, 20u);
  EXPECT_GT(infinities, 5u);
  EXPECT_GT(nans, 5u);
}

TEST_F(ValueTest, LevelsAndExponentsAreFewLargeOnesAmongManySmall) {
  for (auto kind : {InputDraw::Levels, InputDraw::Exponents}) {
    InputDraw draw;
    draw.kind = kind;
    draw.formats[0] = mettle::numerics::Format::F32;
    unsigned apart = 0;
    for (draw.seed = 1; draw.seed < 40; ++draw.seed) {
      double least = 1e300, most = 0;
      for (int64_t i = 0; i < 400; ++i) {
        float x = asFloat(draw.word(0, 4 * i, 4));
        double size = kind == InputDraw::Levels ? std::fabs(x) : std::exp2(x);
        EXPECT_TRUE(kind == InputDraw::Levels || x <= 0);
        least = std::min(least, size);
        most = std::max(most, size);
      }
      apart += most > 100 * least;
    }
    EXPECT_GT(apart, 20u);
  }
}

TEST_F(ValueTest, ZerosAreOfOneSignInAParameterOrOfBoth) {
  InputDraw draw;
  draw.kind = InputDraw::Zeros;
  draw.formats[0] = mettle::numerics::Format::F32;
  unsigned plus = 0, minus = 0, both = 0;
  for (draw.seed = 1; draw.seed < 40; ++draw.seed) {
    unsigned negative = 0;
    for (int64_t i = 0; i < 64; ++i) {
      EXPECT_EQ(draw.word(0, 4 * i, 4) & 0x7fffffff, 0u);
      negative += draw.word(0, 4 * i, 4) != 0;
    }
    ++(negative == 0 ? plus : negative == 64 ? minus : both);
  }
  EXPECT_GT(plus, 4u);
  EXPECT_GT(minus, 4u);
  EXPECT_GT(both, 4u);
}

TEST_F(ValueTest, AnElementHasTheFormatOfWhatReadsIt) {
  Analysis &a = analysed("cvt.u16.u32 %h0, %r2;\ncvt.f32.bf16 %r5, %h0;\n");
  std::map<uint32_t, mettle::numerics::Format> formats;
  findFormats(a.trees, a.signature.outputs[0].regions[0].tree.tree, formats);
  EXPECT_EQ(formats[0], mettle::numerics::Format::BF16);
}

TEST_F(ValueTest, WordsThatAreGivenAreNotDrawn) {
  InputDraw draw;
  draw.given[{0, 8}] = asBits(3);
  float x, y;
  EXPECT_EQ(valueOf("add.rn.f32 %r5, %r2, 0f3F800000;\n", 2, x, y, draw), asBits(4));
}

/// Two large numbers of opposite sign show an order that a rounding at the end hides otherwise.
TEST_F(ValueTest, AnOrderBelowARoundingHasAWitness) {
  std::string loads = "ld.global.f32 %r6, [%d2+512];\nld.global.f32 %r7, [%d2+768];\n",
              rounds = "cvt.rn.f16.f32 %h0, %r9;\ncvt.f32.f16 %r5, %h0;\n";
  Analysis &a = analysed(loads +
                         "add.rn.f32 %r8, %r2, %r3;\nadd.rn.f32 %r8, %r8, %r6;\n"
                         "add.rn.f32 %r9, %r8, %r7;\n" +
                         rounds),
           &b = analysed(loads +
                         "add.rn.f32 %r8, %r2, %r6;\nadd.rn.f32 %r8, %r8, %r3;\n"
                         "add.rn.f32 %r9, %r8, %r7;\n" +
                         rounds),
           &c = analysed(loads +
                         "mul.rn.f32 %r8, %r2, %r2;\nfma.rn.f32 %r8, %r3, %r3, %r8;\n"
                         "fma.rn.f32 %r9, %r6, %r6, %r8;\n" +
                         rounds),
           &d = analysed(loads +
                         "mul.rn.f32 %r8, %r6, %r6;\nfma.rn.f32 %r8, %r3, %r3, %r8;\n"
                         "fma.rn.f32 %r9, %r2, %r2, %r8;\n" +
                         rounds);
  EXPECT_TRUE(findDifference(a, b).witness);
  EXPECT_TRUE(findDifference(c, d).witness);
}

TEST_F(ValueTest, ADifferenceHasASentenceAndAWitness) {
  Analysis &a = analysed("add.rn.f32 %r5, %r2, %r3;\n"),
           &b = analysed("add.rz.f32 %r5, %r2, %r3;\n"),
           &c = analysed("add.rn.f32 %r4, %r2, %r3;\nadd.rn.f32 %r5, %r4, 0f80000000;\n"),
           &d = analysed("mul.rn.f32 %r5, %r2, %r2;\n");
  Difference difference = findDifference(a, b);
  EXPECT_NE(difference.sentence.find("add.rn.f32"), std::string::npos) << difference.sentence;
  EXPECT_NE(difference.sentence.find("add.rz.f32"), std::string::npos) << difference.sentence;
  ASSERT_TRUE(difference.witness);
  float x = asFloat(difference.witness->inputs.begin()->second.second),
        y = asFloat(std::next(difference.witness->inputs.begin())->second.second);
  EXPECT_EQ(difference.witness->a, asBits(x + y));
  EXPECT_NE(difference.witness->b, difference.witness->a);
  EXPECT_TRUE(findDifference(a, d).witness);
  // Adding -0 changes no sum of two numbers: the trees differ, the words never do.
  Difference none = findDifference(a, c);
  EXPECT_FALSE(none.witness);
  EXPECT_FALSE(none.sentence.empty());
}

} // namespace
