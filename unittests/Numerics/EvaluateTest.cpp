//===- EvaluateTest.cpp - Fast paths against the plain path ---------------===//
//
// The plain path is believed because the golden words confirm it; here every instruction set, every
// tiling, stride and number of threads must return its words. Deep runs take 10^6 dot products per
// format.
//
//===----------------------------------------------------------------------===//

#include "Matrices.h"
#include "Mettle/Numerics/Fold.h"
#include "Mettle/Numerics/MatrixModel.h"
#include "Mettle/Numerics/Step.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mettle::numerics;
using namespace mettle::numerics::test;

namespace {

GEMMDesc parse(llvm::StringRef text) {
  llvm::Expected<GEMMDesc> desc = findDesc(text);
  if (!desc) {
    ADD_FAILURE() << text.str() << ": " << llvm::toString(desc.takeError());
    return GEMMDesc();
  }
  return *desc;
}

GEMMProblem problemOf(const Matrix &a, const Matrix &b, Matrix &d) {
  GEMMProblem p;
  p.m = d.rows, p.n = d.cols, p.k = a.cols;
  p.a = a.view(), p.b = b.view(), p.d = d.target();
  return p;
}

Matrix run(const GEMMDesc &desc, const Matrix &a, const Matrix &b, InstructionSet set,
           unsigned threads = 1) {
  Matrix d(desc.output, a.rows, b.cols);
  EvaluateOptions options;
  options.set = set;
  options.threads = threads;
  llvm::Error error = evaluate(desc, problemOf(a, b, d), options);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  return d;
}

const InstructionSet fastSets[] = {InstructionSet::Portable, InstructionSet::AVX2,
                                   InstructionSet::AVX512};

/// Every class that has a kernel, with every operand format, and classes near its limits.
const char *const kernelDescs[] = {
    "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f32",
    "gemm f16*f16 fused.F25.g8.z-133.rz23.f32 k8 -> f32",
    "gemm f16*f16 fused.F24.g8.z-132.rz23.f32 k16 -> f32",
    "gemm f16*f16 fused.F23.g4.z-131.rz23.f32 k4 -> f32",
    "gemm f16*f16 fused.F25.g16.z-21.rn10.f16 k16 -> f16",
    "gemm f16*f16 fused.F23.g4.z-19.rn10.f16 k4 -> f16",
    "gemm bf16*bf16 fused.F25.g16.z-133.rz23.f32 k16 -> f32",
    "gemm bf16*bf16 fused.F24.g8.z-132.rz23.f32 k8 -> f32",
    "gemm tf32*tf32 fused.F25.g8.z-133.rz23.f32 k8 -> f32",
    "gemm tf32*tf32 fused.F25.g4.z-133.rz23.f32 k8 -> f32",
    "gemm e4m3*e4m3 fused.F13.g32.z-133.rz13.f32 k32 -> f32",
    "gemm e5m2*e4m3 fused.F13.g32.z-133.rz13.f32 k32 -> f32",
    "gemm e5m2*e5m2 fused.F13.g32.z-21.rn10.f16 k32 -> f16",
    "gemm e4m3*e5m2 fused.F25.g32.z-133.rz23.f32 k32 -> f32",
    "gemm e5m2*e5m2 fused.F25.g32.z-133.rz23.f32 k32 slow -> f32",
    "gemm e3m2*e2m3 fused.F25.g32.z-133.rz23.f32 k32 -> f32",
    "gemm e2m1*e5m2 fused.F25.g32.z-21.rn10.f16 k32 -> f16",
    "gemm e4m3*e4m3 fusedviaf16.F25.g16.z-133.rz23.f32 k32 -> f32",
    "gemm e5m2*e5m2 fusedviaf16.F25.g16.z-21.rn10.f16 k32 -> f16",
    "gemm f16*f16 fused.F25.g16.z-21.rn10.f16 k16 slow -> f16",
    "gemm f16*f16 fma.f32 k1 -> f32",
    "gemm f32*f32 fma.f32 k1 -> f32",
    "gemm bf16*f32 muladd.f32 k1 -> f32",
    "gemm i8*u8 int.wrap.i32 k32 -> i32",
    "gemm u4*i4 int.wrap.i32 k32 -> i32",
};

class Kernels : public testing::TestWithParam<const char *> {};

TEST_P(Kernels, EqualThePlainPath) {
  GEMMDesc desc = parse(GetParam());
  Random random(llvm::hash_value(llvm::StringRef(GetParam())));
  uint64_t dots = deep() ? 1000000 : 8000;
  for (uint64_t done = 0, round = 0; done < dots; ++round) {
    Draw draw = draws[round % std::size(draws)];
    uint64_t m = 1 + random.below(20), n = 1 + random.below(80);
    uint64_t k = 1 + random.below(round % 3 ? 40 : 200);
    Matrix a(desc.a, m, k, random.oneIn(2), random.below(3));
    Matrix b(desc.b, k, n, random.oneIn(2), random.below(3));
    a.fill(random, draw);
    b.fill(random, random.oneIn(4) ? Draw::Specials : draw);
    Matrix plain = run(desc, a, b, InstructionSet::Plain);
    for (InstructionSet set : fastSets)
      if (isAvailable(set))
        ASSERT_TRUE(run(desc, a, b, set) == plain)
            << name(set).str() << ", round " << round << ", " << m << "x" << n << "x" << k;
    done += m * n;
  }
}

INSTANTIATE_TEST_SUITE_P(Evaluate, Kernels, testing::ValuesIn(kernelDescs));

TEST(Evaluate, SumsThatLeave32Bits) {
  // The largest significands, all of one sign, with an accumulator that pushes over 2^31.
  for (const char *text : {"gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f32",
                           "gemm f16*f16 fused.F25.g16.z-21.rn10.f16 k16 -> f16",
                           "gemm bf16*bf16 fused.F25.g16.z-133.rz23.f32 k16 -> f32",
                           "gemm e4m3*e4m3 fused.F25.g32.z-133.rz23.f32 k32 -> f32"}) {
    GEMMDesc desc = parse(text);
    for (double sign : {1.0, -1.0}) {
      Matrix a(desc.a, 3, 96), b(desc.b, 96, 70);
      for (uint64_t k = 0; k < 96; ++k) {
        for (uint64_t i = 0; i < 3; ++i)
          a.set(i, k, fromDouble(desc.a, 1.999 + double(i) * 0.9999, Rounding::TowardZero));
        for (uint64_t j = 0; j < 70; ++j)
          b.set(k, j, fromDouble(desc.b, sign * 1.999, Rounding::TowardZero));
      }
      Matrix plain = run(desc, a, b, InstructionSet::Plain);
      for (InstructionSet set : fastSets)
        if (isAvailable(set))
          EXPECT_TRUE(run(desc, a, b, set) == plain) << text << " " << name(set).str();
    }
  }
}

TEST(Evaluate, SignsOfZeroAndSubnormalAccumulators) {
  // Few values, so that every combination comes: what random draws meet once in a million products.
  Random random(15);
  for (const char *text : kernelDescs) {
    GEMMDesc desc = parse(text);
    if (desc.step.isInteger())
      continue;
    uint64_t smallest = uint64_t(1) << info(desc.a).droppedBits;
    for (int round = 0; round < (deep() ? 40 : 4); ++round) {
      Matrix a(desc.a, 8, 70), b(desc.b, 70, 64);
      auto fill = [&](Matrix &matrix) {
        const FormatInfo &f = info(matrix.format);
        for (uint64_t i = 0; i < matrix.rows; ++i)
          for (uint64_t j = 0; j < matrix.cols; ++j) {
            uint64_t magnitudes[] = {0, smallest, 3 * smallest, fromDouble(matrix.format, 1)};
            matrix.set(i, j, magnitudes[random.below(4)] | (random.oneIn(2) ? f.signMask() : 0));
          }
      };
      fill(a);
      fill(b);
      Matrix plain = run(desc, a, b, InstructionSet::Plain);
      for (InstructionSet set : fastSets)
        if (isAvailable(set))
          ASSERT_TRUE(run(desc, a, b, set) == plain) << text << " " << name(set).str();
    }
  }
}

TEST(Evaluate, CutsAndThreads) {
  Random random(11);
  for (const NamedDesc &named : namedDescs()) {
    GEMMDesc desc = parse(named.name);
    if (!desc.epilogue.ops.empty() || desc.startFromC)
      continue;
    for (uint64_t k : {1, 63, 64, 150, 515}) {
      Matrix a(desc.a, 17, k), b(desc.b, k, 67);
      a.fill(random, Draw::Wide);
      b.fill(random, Draw::Cancel);
      Matrix plain = run(desc, a, b, InstructionSet::Plain);
      EXPECT_TRUE(run(desc, a, b, InstructionSet::Best) == plain) << named.name.str() << " " << k;
      EXPECT_TRUE(run(desc, a, b, InstructionSet::Portable, 3) == plain) << named.name.str();
    }
  }
}

/// One cut of a scalar chain, written out: the judge of the fold that all else shares.
uint64_t foldedByHand(const GEMMDesc &desc, llvm::ArrayRef<float> products) {
  const KCut &cut = desc.cuts[0];
  std::vector<std::vector<float>> parts;
  for (size_t k = 0; k < products.size(); ++k) {
    size_t part = k / cut.span;
    if (cut.layout == CutLayout::Strided)
      part %= cut.count;
    if (part >= parts.size())
      parts.resize(part + 1);
    parts[part].push_back(products[k]);
  }
  std::vector<std::optional<uint64_t>> sums;
  for (const std::vector<float> &part : parts) {
    float sum = 0;
    for (float product : part)
      sum += product;
    sums.push_back(convert(Format::F32, llvm::bit_cast<uint32_t>(sum), cut.partial));
  }
  if (cut.order == MergeOrder::Reverse)
    std::reverse(sums.begin(), sums.end());
  auto add = [&](uint64_t x, uint64_t y) {
    return addRounded(cut.merge, cut.merge, x, cut.partial, y);
  };
  if (cut.order == MergeOrder::Tree) {
    for (std::optional<uint64_t> &sum : sums)
      sum = convert(cut.partial, *sum, cut.merge);
    return *foldInnerTree<uint64_t>(sums, [&](uint64_t x, uint64_t y) {
      return addRounded(cut.merge, cut.merge, x, cut.merge, y);
    });
  }
  uint64_t first = convert(cut.partial, *sums[0], cut.merge);
  sums[0] = cut.start == MergeStart::Zero ? add(0, *sums[0]) : first;
  return *foldSequential<uint64_t>(sums, add);
}

TEST(Evaluate, MergesAreTheFoldWrittenOut) {
  Random random(16);
  for (int round = 0; round < (deep() ? 4000 : 400); ++round) {
    GEMMDesc desc = parse("gemm f16*f16 fma.f32 k1 parts(1) -> f32");
    uint64_t k = 1 + random.below(70);
    KCut &cut = desc.cuts[0];
    cut.span = 1 + random.below(9);
    if (random.oneIn(2))
      cut.layout = CutLayout::Strided, cut.count = 1 + random.below(9);
    static constexpr Format formats[] = {Format::F32, Format::F16, Format::BF16};
    cut.partial = formats[random.below(3)], cut.merge = formats[random.below(3)];
    cut.order = MergeOrder(random.below(3));
    if (cut.order != MergeOrder::Tree && random.oneIn(2))
      cut.start = MergeStart::Zero;
    desc.output = desc.epilogue.compute = cut.merge;
    Matrix a(desc.a, 3, k), b(desc.b, k, 2);
    static constexpr Draw finite[] = {Draw::Normal, Draw::Wide, Draw::Cancel, Draw::Subnormal};
    a.fill(random, finite[random.below(4)]), b.fill(random, Draw::Cancel);
    Matrix d = run(desc, a, b, InstructionSet::Best);
    for (uint64_t i = 0; i < 3; ++i)
      for (uint64_t j = 0; j < 2; ++j) {
        std::vector<float> products;
        for (uint64_t at = 0; at < k; ++at)
          products.push_back(
              float(toDouble(desc.a, a.get(i, at)) * toDouble(desc.b, b.get(at, j))));
        ASSERT_EQ(d.get(i, j), foldedByHand(desc, products)) << desc.text() << " k " << k;
      }
  }
}

TEST(Evaluate, OneStepIsTheInstruction) {
  // One k16 turn of each dense row of the table: evaluate() and evaluateInstruction() agree.
  Random random(12);
  for (const MatrixRow &row : matrixRows()) {
    if (row.arch != "sm_90" || row.family != "mma" || row.c != row.d || row.saturate)
      continue;
    GEMMDesc desc;
    desc.a = row.a, desc.b = row.b, desc.step = row.arithmetic;
    desc.instructionK = row.k, desc.output = row.d, desc.epilogue.compute = row.d;
    desc.startFromC = true;
    if (row.k > 512)
      continue;
    ASSERT_FALSE(bool(desc.validate())) << desc.text();
    Matrix a(desc.a, 4, row.k), b(desc.b, row.k, 5), c(row.d, 4, 5), d(row.d, 4, 5);
    for (Draw draw : draws) {
      a.fill(random, draw), b.fill(random, draw), c.fill(random, draw);
      GEMMProblem p = problemOf(a, b, d);
      p.c = c.view();
      llvm::Error error = evaluate(desc, p);
      ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
      for (unsigned i = 0; i < 4; ++i)
        for (unsigned j = 0; j < 5; ++j) {
          std::vector<uint64_t> x, y;
          for (unsigned k = 0; k < row.k; ++k)
            x.push_back(a.get(i, k)), y.push_back(b.get(k, j));
          ASSERT_EQ(d.get(i, j), evaluateInstruction(row, x, y, c.get(i, j))) << row.instruction();
        }
    }
  }
}

TEST(Evaluate, EpilogueOrder) {
  GEMMDesc desc = parse("gemm f32*f32 fma.f32 k1 epilogue.f32(alpha beta bias.n f16 relu) -> f32");
  Matrix a(Format::F32, 1, 1), b(Format::F32, 1, 2), c(Format::F16, 1, 2), d(Format::F32, 1, 2);
  Matrix bias(Format::F32, 1, 2);
  auto f = [](float x) { return uint64_t(llvm::bit_cast<uint32_t>(x)); };
  a.set(0, 0, f(3)), b.set(0, 0, f(5)), b.set(0, 1, f(-5));
  c.set(0, 0, fromDouble(Format::F16, 0.5)), c.set(0, 1, fromDouble(Format::F16, 7));
  bias.set(0, 0, f(0.0001f)), bias.set(0, 1, f(1));
  GEMMProblem p = problemOf(a, b, d);
  p.c = c.view(), p.bias = bias.view();
  p.alpha = 2, p.beta = 4;
  ASSERT_FALSE(bool(evaluate(desc, p)));
  EXPECT_EQ(d.get(0, 0), f(32.0f)) << "15 * 2 + 4 * 0.5 + 0.0001, through f16";
  EXPECT_EQ(d.get(0, 1), f(0.0f)) << "-30 + 28 + 1 is negative";
  p.beta = 0;
  p.c.data = nullptr;
  ASSERT_FALSE(bool(evaluate(desc, p))) << "beta = 0 reads no C";
  EXPECT_EQ(d.get(0, 0), f(30.0f));
}

TEST(Evaluate, ZeroK) {
  GEMMDesc desc =
      parse("gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 epilogue.f32(alpha beta) -> f32");
  Matrix a(Format::F16, 2, 0), b(Format::F16, 0, 2), c(Format::F32, 2, 2), d(Format::F32, 2, 2);
  c.set(1, 1, 0x40400000); // 3
  GEMMProblem p = problemOf(a, b, d);
  p.c = c.view();
  p.beta = 2;
  ASSERT_FALSE(bool(evaluate(desc, p)));
  EXPECT_EQ(d.get(1, 1), 0x40C00000u);
  desc = parse("gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 from-c -> f32");
  ASSERT_FALSE(bool(evaluate(desc, p)));
  EXPECT_EQ(d.get(1, 1), 0x40400000u);
}

TEST(Evaluate, PackedOperands) {
  GEMMDesc desc = parse("gemm e2m1*e2m1 fused.F25.g32.z-133.rz23.f32 k32 -> f32");
  Random random(13);
  Matrix a(desc.a, 3, 20), b(desc.b, 20, 5);
  a.fill(random, Draw::Bits), b.fill(random, Draw::Bits);
  std::vector<uint8_t> packed(30);
  for (uint64_t i = 0; i < 3; ++i)
    for (uint64_t k = 0; k < 20; ++k)
      packed[(i * 20 + k) / 2] |= uint8_t(a.get(i, k) << (k % 2 * 4));
  Matrix d(Format::F32, 3, 5);
  GEMMProblem p = problemOf(a, b, d);
  p.a = {packed.data(), desc.a, 20, 1, true};
  ASSERT_FALSE(bool(evaluate(desc, p)));
  EXPECT_TRUE(d == run(desc, a, b, InstructionSet::Plain));
}

TEST(Evaluate, BlockScales) {
  GEMMDesc desc =
      parse("gemm e2m1*e2m1 blockfused.F35.g64.s16.z-139.rz23.f32 k64 scale(ue4m3/16) -> f32");
  Random random(14);
  Matrix a(desc.a, 2, 100), b(desc.b, 100, 3), d(Format::F32, 2, 3);
  Matrix sa(Format::UE4M3, 2, 7), sb(Format::UE4M3, 7, 3);
  a.fill(random, Draw::Bits), b.fill(random, Draw::Bits);
  for (uint64_t s = 0; s < 7; ++s) {
    for (uint64_t i = 0; i < 2; ++i)
      sa.set(i, s, random.below(0x7F));
    for (uint64_t j = 0; j < 3; ++j)
      sb.set(s, j, random.below(0x7F));
  }
  GEMMProblem p = problemOf(a, b, d);
  p.aScales = sa.view(), p.bScales = sb.view();
  ASSERT_FALSE(bool(evaluate(desc, p)));
  // Small numbers: the exact sum fits, so plain arithmetic in double says the same up to rounding.
  for (uint64_t i = 0; i < 2; ++i)
    for (uint64_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (uint64_t k = 0; k < 100; ++k)
        sum += toDouble(desc.a, a.get(i, k)) * toDouble(desc.b, b.get(k, j)) *
               toDouble(Format::UE4M3, sa.get(i, k / 16)) *
               toDouble(Format::UE4M3, sb.get(k / 16, j));
      EXPECT_NEAR(toDouble(Format::F32, d.get(i, j)), sum, std::fabs(sum) * 0x1p-20 + 0x1p-10);
    }
  p.aScales.data = nullptr;
  llvm::Error error = evaluate(desc, p);
  EXPECT_EQ(llvm::toString(std::move(error)), "gemm: scales of A: absent");
}

TEST(Evaluate, RefusesBadProblems) {
  GEMMDesc desc = parse("gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f32");
  Matrix a(Format::F16, 2, 3), b(Format::F16, 3, 4), d(Format::F32, 2, 4);
  auto message = [&](auto change) {
    GEMMProblem p = problemOf(a, b, d);
    change(p);
    return llvm::toString(evaluate(desc, p));
  };
  EXPECT_EQ(message([](GEMMProblem &) {}), "");
  EXPECT_EQ(message([](GEMMProblem &p) { p.b.data = nullptr; }), "gemm: B: absent");
  EXPECT_EQ(message([](GEMMProblem &p) { p.a.format = Format::BF16; }),
            "gemm: A: expected codes of f16, found bf16");
  EXPECT_EQ(message([](GEMMProblem &p) { p.d.rowStride = 3; }),
            "gemm: D: strides 3, 1 let elements of a 2 x 4 matrix overlap");
  EXPECT_EQ(message([](GEMMProblem &p) { p.a.rowStride = INT64_MAX; }),
            "gemm: A: offsets of a 2 x 3 matrix with strides 9223372036854775807, 1 leave 63 bits");
  EXPECT_EQ(message([](GEMMProblem &p) { p.a.rowStride = 0; }), "") << "A may be broadcast";
}

} // namespace
