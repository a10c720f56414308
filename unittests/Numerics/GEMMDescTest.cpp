//===- GEMMDescTest.cpp - Descriptors: text, canonical form, validation ---===//
//
// Random descriptors print and parse to themselves; a descriptor and its canonical form return the
// same bits; equal text is equal bits.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/GEMMDesc.h"
#include "Matrices.h"
#include "Mettle/Numerics/KPlan.h"
#include "Mettle/Numerics/SumTree.h"
#include "RandomDesc.h"
#include "gtest/gtest.h"
#include <set>

using namespace mettle::numerics;
using namespace mettle::numerics::test;

namespace {

std::string messageOf(llvm::StringRef text) {
  llvm::Expected<GEMMDesc> desc = findDesc(text);
  return desc ? "valid" : llvm::toString(desc.takeError());
}

TEST(GEMMDesc, NamedDescriptorsAreValidAndPrintAsWritten) {
  std::set<llvm::StringRef> names;
  for (const NamedDesc &named : namedDescs()) {
    llvm::Expected<GEMMDesc> desc = findDesc(named.name);
    ASSERT_TRUE(bool(desc)) << named.name.str() << ": " << llvm::toString(desc.takeError());
    EXPECT_EQ(desc->text(), named.text);
    EXPECT_TRUE(names.insert(named.name).second);
  }
  for (const char *mode : {"splitk_groups", "gemv13", "k_per_dot", "split_blocks", "split",
                           "gemmsn", "plain", "gemv14", "gemv_cslice"})
    EXPECT_TRUE(names.count(mode)) << mode;
}

TEST(GEMMDesc, RandomDescriptorsParseBack) {
  Random random(21);
  for (int i = 0; i < (deep() ? 200000 : 5000); ++i) {
    GEMMDesc desc = randomDesc(random, 4096);
    ASSERT_FALSE(bool(desc.validate())) << desc.text() << llvm::toString(desc.validate());
    llvm::Expected<GEMMDesc> parsed = GEMMDesc::parse(desc.text());
    ASSERT_TRUE(bool(parsed)) << desc.text() << ": " << llvm::toString(parsed.takeError());
    ASSERT_TRUE(*parsed == desc) << desc.text() << "\n" << parsed->text();
    GEMMDesc canonical = desc.canonical();
    ASSERT_FALSE(bool(canonical.validate())) << desc.text() << " -> " << canonical.text();
    ASSERT_EQ(canonical.canonical().text(), canonical.text()) << desc.text();
    ASSERT_EQ(canonical.hash(), desc.hash());
  }
}

/// Whether two descriptors return the same words, zeros of both signs included.
bool equalWords(const GEMMDesc &x, const GEMMDesc &y, uint64_t k, Random &random) {
  Matrix a(x.a, 3, k), b(x.b, k, 9), d(x.output, 3, 9), e(x.output, 3, 9);
  for (Draw draw : {Draw::Cancel, Draw::Wide, Draw::Specials, Draw::Subnormal}) {
    a.fill(random, draw), b.fill(random, draw);
    GEMMProblem p;
    p.m = 3, p.n = 9, p.k = k, p.a = a.view(), p.b = b.view(), p.d = d.target();
    EXPECT_FALSE(bool(evaluate(x, p)));
    p.d = e.target();
    EXPECT_FALSE(bool(evaluate(y, p)));
    if (!(d == e))
      return false;
  }
  return true;
}

TEST(GEMMDesc, CanonicalFormKeepsBits) {
  Random random(22);
  int rewritten = 0;
  for (int i = 0; i < (deep() ? 20000 : 400); ++i) {
    uint64_t k = 1 + random.below(200);
    GEMMDesc desc = randomDesc(random, k), canonical = desc.canonical();
    if (canonical == desc)
      continue;
    ++rewritten;
    ASSERT_TRUE(equalWords(desc, canonical, k, random)) << desc.text() << "\n"
                                                        << canonical.text() << "\nk " << k;
  }
  EXPECT_GT(rewritten, 40);
}

TEST(GEMMDesc, CanonicalFormAtOneKKeepsBits) {
  Random random(23);
  int rewritten = 0;
  for (int i = 0; i < (deep() ? 5000 : 150); ++i) {
    uint64_t k = 1 + random.below(70);
    GEMMDesc desc = randomDesc(random, k), canonical = canonicalAt(desc, k);
    ASSERT_EQ(hashAt(canonical, k), hashAt(desc, k)) << desc.text();
    if (canonical == desc.canonical())
      continue;
    ++rewritten;
    ASSERT_TRUE(equalWords(desc, canonical, k, random)) << desc.text() << "\n"
                                                        << canonical.text() << "\nk " << k;
  }
  EXPECT_GT(rewritten, 40);
}

TEST(GEMMDesc, IdentityAtOneK) {
  // Pairs that are one function at this K, and pairs that are nearly one.
  struct {
    const char *x, *y;
    uint64_t k;
    bool same;
  } table[] = {
      {"fma.f32 k1 parts(64)", "fma.f32 k1", 64, true},
      {"fma.f32 k1 parts(64)", "fma.f32 k1", 65, true}, // the last product is an addend either way
      {"fma.f32 k1 parts(64)", "fma.f32 k1", 66, false},
      {"fma.f32 k1 parts(8x2).partial.f16", "fma.f32 k1 parts(8x2).merge.f16.tree", 16, true},
      {"fma.f32 k1 parts(8x3).partial.f16", "fma.f32 k1 parts(8x3).merge.f16.tree", 24, false},
      {"int.sat.i32 k16", "int.sat.i32 k32", 16, true},
      {"int.sat.i32 k16", "int.sat.i32 k32", 17, false},
  };
  for (const auto &e : table) {
    auto parsed = [](llvm::StringRef text) {
      bool integer = text.starts_with("int");
      std::string whole = integer ? "gemm i8*i8 " : "gemm f16*f16 ";
      return llvm::cantFail(findDesc(whole + text.str() + (integer ? " -> i32" : " -> f16")));
    };
    EXPECT_EQ(hashAt(parsed(e.x), e.k) == hashAt(parsed(e.y), e.k), e.same)
        << e.x << ", " << e.y << " at " << e.k;
  }
}

TEST(GEMMDesc, Aliases) {
  struct {
    const char *text, *canonical;
  } table[] = {
      {"gemm f16*f16 fused.F24.g8.z-132.rz23.f32 k16 -> f16",
       "gemm f16*f16 fused.F24.g8.z-133.rz23.f32 k8 -> f16"},
      {"gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k8 -> f16",
       "gemm f16*f16 fused.F25.g8.z-133.rz23.f32 k8 -> f16"},
      {"gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64x1) -> f16",
       "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f16"},
      {"gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 lanes(8x1) -> f16",
       "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f16"},
      {"gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64x2).reverse -> f16",
       "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64x2) -> f16"},
      {"gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64).zero -> f16",
       "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64) -> f16"},
      {"gemm f16*f16 muladd.f32 k1 parts(64).zero -> f16",
       "gemm f16*f16 fma.f32 k1 parts(64) -> f16"},
      {"gemm bf16*bf16 fma.f32 k1 parts(64).zero -> f16",
       "gemm bf16*bf16 fma.f32 k1 parts(64).zero -> f16"},
      {"gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64) parts(64) -> f16",
       "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64) -> f16"},
      {"gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64).partial.f64 -> f16",
       "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(64) -> f16"},
      {"gemm i8*i8 int.wrap.i32 k32 slow parts(64).reverse -> i32",
       "gemm i8*i8 int.wrap.i32 k1 -> i32"},
      {"gemm i8*i8 int.sat.i32 k32 parts(64).reverse -> i32",
       "gemm i8*i8 int.sat.i32 k32 parts(64).reverse -> i32"},
      {"gemm f32*f32 fma.f32 k4 first64 -> f32", "gemm f32*f32 fma.f32 k1 -> f32"},
      {"gemm e4m3*e4m3 fusedviaf16.F25.g16.z-133.rz23.f32 k32 slow -> f32",
       "gemm e4m3*e4m3 fusedviaf16.F25.g16.z-133.rz23.f32 k32 -> f32"},
  };
  for (const auto &e : table) {
    llvm::Expected<GEMMDesc> desc = findDesc(e.text);
    ASSERT_TRUE(bool(desc)) << llvm::toString(desc.takeError());
    EXPECT_EQ(desc->canonical().text(), e.canonical);
  }
}

TEST(GEMMDesc, HashIsStable) {
  // XXH64 of the text; a change here breaks what others have stored.
  llvm::Expected<GEMMDesc> desc = findDesc("single-pass");
  ASSERT_TRUE(bool(desc));
  EXPECT_EQ(desc->hash(), 16794963829905076055u);
}

TEST(GEMMDesc, ValidatorNamesTheField) {
  const char *f16 = "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 ";
  auto with = [&](const char *rest) { return messageOf(std::string(f16) + rest); };
  EXPECT_EQ(with("-> f16"), "valid");
  EXPECT_EQ(with("parts(0) -> f16"),
            "descriptor: parts: expected a span of 1 to 2^40 elements, found 0");
  EXPECT_EQ(with("lanes(8x0) -> f16"), "descriptor: lanes: expected at least one lane");
  EXPECT_EQ(with("parts(8).tree.zero -> f16"),
            "descriptor: parts: a tree has no running sum to start at zero");
  EXPECT_EQ(with("parts(8).merge.i32 -> f16"),
            "descriptor: parts: expected f16, bf16, f32 or f64 for the sums of a cut, found i32");
  EXPECT_EQ(with("parts(8) from-c -> f16"),
            "descriptor: from-c: with cuts there is no one accumulator that could hold C");
  EXPECT_EQ(with("from-c epilogue.f32(beta) -> f16"),
            "descriptor: epilogue: C is already in the accumulator (from-c)");
  EXPECT_EQ(with("epilogue.f32(alpha alpha) -> f16"),
            "descriptor: epilogue: an operation may come once");
  EXPECT_EQ(with("epilogue.f16(alpha) -> f16"),
            "descriptor: epilogue: expected f32 or f64 to compute in, found f16");
  EXPECT_EQ(with("first24 -> f16"),
            "descriptor: first: expected a turn of whole instructions of 16, found 24");
  EXPECT_EQ(with("scale(ue8m0/32) -> f16"),
            "descriptor: scale: class fused.F25.g16.z-133.rz23.f32 takes no scales");
  EXPECT_EQ(with("-> ue8m0"), "descriptor: output: expected a signed number format, found ue8m0");
  EXPECT_EQ(
      with("-> i8"),
      "descriptor: output: expected a float for class fused.F25.g16.z-133.rz23.f32, found i8");
  EXPECT_EQ(
      messageOf("gemm f16*bf16 fused.F25.g16.z-133.rz23.f32 k16 -> f16"),
      "descriptor: operands: no instruction of class fused.F25.g16.z-133.rz23.f32 takes f16*bf16");
  EXPECT_EQ(messageOf("gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k24 -> f16"),
            "descriptor: k: expected a power of two up to 512, found 24");
  EXPECT_EQ(messageOf("gemm e4m3*e4m3 fusedviaf16.F25.g16.z-133.rz23.f32 k64 -> f32"),
            "descriptor: k: expected 4, the period of the class's pairs, to 32, found 64");
}

TEST(GEMMDesc, ParserSaysWhereAndWhat) {
  EXPECT_EQ(messageOf("gem f16"), "descriptor:1: expected 'gemm', found 'gem'");
  EXPECT_EQ(messageOf("gemm f16*f17 fma.f32 k1 -> f32"),
            "descriptor:10: expected a number format, found 'f17'");
  EXPECT_EQ(messageOf("gemm f16*f16 fma.f33 k1 -> f32"),
            "descriptor:14: class: expected the result's format in 'fma.f33', found 'f33'");
  EXPECT_EQ(messageOf("gemm f16*f16 fma.f32 k1 parts(x) -> f32"),
            "descriptor:31: expected a number, found 'x)'");
  EXPECT_EQ(messageOf("gemm f16*f16 fma.f32 k1 lanes(8) -> f32"),
            "descriptor:32: expected 'x' and the number of lanes, found ')'");
  EXPECT_EQ(messageOf("gemm f16*f16 fma.f32 k1"),
            "descriptor:24: expected slow, first, scale, parts, lanes, from-c, epilogue or '->', "
            "found ''");
  EXPECT_EQ(messageOf("gemm f16*f16 fma.f32 k1 -> f32 x"),
            "descriptor:32: expected the end, found 'x'");
  EXPECT_EQ(messageOf("gemm f16*f16 fma.f32 k99999999999999999999 -> f32"),
            "descriptor:23: expected a number, found '99999999999999999999'");
}

TEST(GEMMDesc, Realisable) {
  auto check = [](const char *text, const char *arch) {
    llvm::Expected<GEMMDesc> desc = findDesc(text);
    return desc ? llvm::toString(checkRealisable(*desc, arch)) : llvm::toString(desc.takeError());
  };
  EXPECT_EQ(check("single-pass", "sm_90a"), "");
  EXPECT_EQ(check("single-pass", "sm_100"), "");
  EXPECT_EQ(
      check("single-pass", "sm_80"),
      "class fused.F25.g16.z-133.rz23.f32 on f16*f16 is not realised by any instruction of sm_80");
  EXPECT_EQ(check("gemm f16*f16 fused.F24.g8.z-132.rz23.f32 k16 -> f16", "sm_80"), "");
  EXPECT_EQ(check("gemv13", "sm_75"), "");
  EXPECT_EQ(check("promoted-every-step", "sm_90"), "");
  EXPECT_EQ(check("gemm e4m3*e4m3 fused.F13.g32.z-133.rz13.f32 k16 slow -> bf16", "sm_90"),
            "class fused.F13.g16.z-133.rz13.f32 on e4m3*e4m3 is not realised by any instruction of "
            "sm_90");
  EXPECT_EQ(check("hopper-fp8-mma", "sm_90"), "");
  EXPECT_EQ(check("plain", "sm_99"), "unknown architecture 'sm_99'");
}

TEST(GEMMDesc, EqualPlansOnlyForEqualFolds) {
  // parts(64x2) at K = 192 is parts(128); lanes deal, and the tree order pairs neighbours.
  GEMMDesc desc = llvm::cantFail(findDesc("gemm f16*f16 fma.f32 k1 parts(64x2) -> f32"));
  KPlan plan = KPlan::build(desc, 192);
  ASSERT_EQ(plan.nodes.size(), 3u);
  EXPECT_EQ(plan.nodes[0].endStep, 128u);
  desc = llvm::cantFail(findDesc("gemm f16*f16 fma.f32 k1 lanes(2x3).tree -> f32"));
  plan = KPlan::build(desc, 9);
  EXPECT_EQ(plan.order, (std::vector<uint64_t>{0, 1, 6, 7, 2, 3, 8, 4, 5}));
  desc = llvm::cantFail(
      findDesc("gemm f16*f16 fused.F25.g8.z-133.rz23.f32 k8 first16 parts(64) -> f32"));
  plan = KPlan::build(desc, 85);
  // The second part has 21 elements: 5 first (21 mod 16), then two whole instructions.
  ASSERT_EQ(plan.steps.size(), 8u + 3u);
  EXPECT_EQ(plan.steps[8].end - plan.steps[8].begin, 5u);
  EXPECT_EQ(plan.steps[10].end, 85u);
}

} // namespace
