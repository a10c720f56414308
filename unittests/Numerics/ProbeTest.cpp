//===- ProbeTest.cpp - Hidden descriptors, recovered ----------------------===//
//
// The evaluator under a hidden random descriptor is the black box. What probe() returns must be the
// hidden descriptor's canonical form at that K, or be one of the named alternatives; it must never
// be another.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Probe.h"
#include "Matrices.h"
#include "RandomDesc.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mettle::numerics;
using namespace mettle::numerics::test;

namespace {

llvm::Expected<ProbeResult> probeHidden(const GEMMDesc &hidden, uint64_t m, uint64_t n, uint64_t k,
                                        uint64_t lost = 0) {
  auto run = [&](const MatrixView &a, const MatrixView &b, const MutableMatrixView &d) {
    GEMMProblem p;
    p.m = m, p.n = n, p.k = k - lost, p.a = a, p.b = b, p.d = d;
    return evaluate(hidden, p);
  };
  BlackBox box{m, n, k, hidden.a, hidden.b, hidden.output, run};
  return probe(box);
}

/// A hidden descriptor that the experiment can see: float operands of range, no f64 sums of f32
/// parts (which absorb nothing), nothing after the fold, narrow sums at one level at most.
GEMMDesc randomHidden(Random &random, uint64_t k) {
  for (;;) {
    GEMMDesc desc = randomDesc(random, k);
    if (desc.step.isInteger() || desc.step.result == Format::F64)
      continue;
    if (desc.step.isChain())
      desc.fastAccum = true; // scalar steps through +0 have no fast path: too slow in number
    desc.epilogue.ops.clear();
    size_t narrow = random.below(2 * desc.cuts.size() + 1);
    for (size_t level = 0; level < desc.cuts.size(); ++level) {
      KCut &cut = desc.cuts[level];
      // Kernels cut whole instructions, and count parts where they split the axis as a whole.
      cut.span = std::max<uint64_t>(cut.span, desc.instructionK);
      if (cut.layout == CutLayout::Contiguous && level > 0)
        cut.count = 0;
      if (cut.merge == Format::F64 || level != narrow)
        cut.merge = desc.step.result;
      if (level != narrow || desc.step.kind == ArithmeticClass::MulAdd)
        cut.partial = desc.step.result;
    }
    desc.epilogue.compute = desc.accumulated();
    return desc;
  }
}

/// Whether two descriptors return the same words on `draws` fresh elements of D.
bool equalWords(const GEMMDesc &x, const GEMMDesc &y, uint64_t k, Random &random) {
  Matrix a(x.a, 32, k), b(x.b, k, 32), d(x.output, 32, 32), e(x.output, 32, 32);
  for (int i = 0; i < 12; ++i) {
    a.fill(random, draws[i % std::size(draws)]), b.fill(random, draws[i % std::size(draws)]);
    GEMMProblem p;
    p.m = p.n = 32, p.k = k, p.a = a.view(), p.b = b.view(), p.d = d.target();
    llvm::cantFail(evaluate(x, p));
    p.d = e.target();
    llvm::cantFail(evaluate(y, p));
    if (!(d == e))
      return false;
  }
  return true;
}

TEST(Probe, RevealsTheTree) {
  Random random(31);
  double most = 0;
  for (int i = 0; i < (deep() ? 300 : 10); ++i) {
    uint64_t k = 1 + random.below(i % 8 ? 150 : 900);
    GEMMDesc hidden = randomHidden(random, k);
    auto run = [&](const MatrixView &a, const MatrixView &b, const MutableMatrixView &d) {
      GEMMProblem p;
      p.m = p.n = 32, p.k = k, p.a = a, p.b = b, p.d = d;
      return evaluate(hidden, p);
    };
    llvm::Expected<Revealed> revealed =
        revealTree({32, 32, k, hidden.a, hidden.b, hidden.output, run});
    ASSERT_TRUE(bool(revealed)) << hidden.text() << " k " << k << ": "
                                << llvm::toString(revealed.takeError());
    EXPECT_TRUE(revealed->tree == SumTree::build(hidden, k)) << hidden.text() << " k " << k << "\n"
                                                             << revealed->tree.text() << "\n"
                                                             << SumTree::build(hidden, k).text();
    EXPECT_TRUE(revealed->lost.empty());
    EXPECT_LE(revealed->probes, maxProbes(k)) << hidden.text() << " k " << k;
    EXPECT_LE(revealed->calls, revealed->probes);
    most = std::max(most, double(revealed->probes) / double(k));
  }
  std::printf("at most %.1f K probes\n", most);
}

TEST(Probe, ALongChainHasAText) {
  // It nests as deeply as it is long.
  GEMMDesc chain = llvm::cantFail(findDesc("gemm f16*f16 fma.f32 k1 -> f32"));
  EXPECT_EQ(SumTree::build(chain, 4).text(), "(((0 1) 2) 3)");
  std::string text = SumTree::build(chain, 300000).text();
  EXPECT_EQ(llvm::StringRef(text).take_back(8), " 299999)");
}

TEST(Probe, AVectorSharesItsOtherOperand) {
  // D of one row or column holds as many experiments a call as it has elements.
  GEMMDesc hidden = llvm::cantFail(findDesc("gemv13"));
  for (auto [m, n] : {std::pair<uint64_t, uint64_t>{1, 64}, {64, 1}}) {
    llvm::Expected<ProbeResult> result = probeHidden(hidden, m, n, 130);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    ASSERT_TRUE(result->desc.has_value());
    EXPECT_EQ(result->desc->text(), canonicalAt(hidden, 130).text());
    EXPECT_GT(result->revealed.probes, 8 * result->revealed.calls);
  }
}

TEST(Probe, RoundTrip) {
  Random random(32), fresh(33);
  int count = deep() ? 2000 : 16, full = 0, open = 0, wrong = 0;
  for (int i = 0; i < count; ++i) {
    uint64_t k = 40 + random.below(i % 8 ? 110 : 480);
    GEMMDesc hidden = randomHidden(random, k);
    llvm::Expected<ProbeResult> result = probeHidden(hidden, 16, 16, k);
    ASSERT_TRUE(bool(result)) << hidden.text() << " k " << k << ": "
                              << llvm::toString(result.takeError());
    EXPECT_LE(result->revealed.probes, maxProbes(k)) << hidden.text() << " k " << k;
    GEMMDesc wanted = canonicalAt(hidden, k);
    bool same = result->desc && hashAt(*result->desc, k) == hashAt(hidden, k);
    if (same && result->alternatives.empty()) {
      // Nests that narrow sums may be written in several ways; hashAt() tells that they are one.
      if (llvm::all_of(wanted.cuts, [&](const KCut &cut) {
            return cut.partial == wanted.step.result && cut.merge == wanted.step.result;
          })) {
        EXPECT_EQ(result->desc->text(), wanted.text()) << hidden.text() << " k " << k;
      }
      ++full;
      continue;
    }
    // Not determined in full: then what is returned must be as good as the hidden one, or name it.
    bool equal = !result->desc || equalWords(*result->desc, hidden, k, fresh);
    for (const GEMMDesc &alternative : result->alternatives)
      equal |= hashAt(alternative, k) == hashAt(hidden, k);
    ++(equal ? open : wrong);
    std::string got = result->desc ? result->desc->text() : "nothing";
    std::printf("%s: %s, k %llu, got %s", equal ? "open" : "wrong", wanted.text().c_str(),
                (unsigned long long)k, got.c_str());
    for (const GEMMDesc &alternative : result->alternatives)
      std::printf(" or %s", alternative.text().c_str());
    std::printf("\n");
  }
  std::printf("determined in full: %d of %d, open %d, wrong %d\n", full, count, open, wrong);
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(full * 100, count * 95);
}

TEST(Probe, ReportsALostTail) {
  // As a split-K kernel of cuBLAS does at some K: the last 8 elements never reach D.
  GEMMDesc hidden = llvm::cantFail(findDesc("split-k"));
  llvm::Expected<ProbeResult> result = probeHidden(hidden, 16, 16, 264, 8);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->revealed.lost, (std::vector<uint64_t>{256, 257, 258, 259, 260, 261, 262, 263}));
  ASSERT_TRUE(result->desc.has_value());
  EXPECT_EQ(result->desc->text(), canonicalAt(hidden, 256).text());
}

TEST(Probe, RefusesWhatIsNoSum) {
  auto run = [](const MatrixView &, const MatrixView &, const MutableMatrixView &d) {
    for (int i = 0; i < 64; ++i)
      static_cast<uint32_t *>(d.data)[i] = 0x40000000;
    return llvm::Error::success();
  };
  llvm::Expected<ProbeResult> result =
      probe({8, 8, 32, Format::F16, Format::F16, Format::F32, run});
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()).substr(0, 52),
            "probe: expected a sum of products, but D held 335544");
  llvm::Expected<ProbeResult> narrow =
      probe({8, 8, 32, Format::E2M1, Format::E2M1, Format::F32, run});
  ASSERT_FALSE(bool(narrow));
  EXPECT_EQ(llvm::toString(narrow.takeError()),
            "probe: the range of e2m1*e2m1 -> f32 is too small for the experiment");
}

} // namespace
