//===- StepTest.cpp - Named vectors of the matrix model -------------------===//
//
// The vectors that tell architectures apart: each row of the table is one, named as in the study it
// comes from, with the word that each kind of hardware returns.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/MatrixModel.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace mettle::numerics;

namespace {

struct Product {
  unsigned lane;
  double a, b;
};

struct Vector {
  const char *name;
  std::vector<Product> products;
  double c;
};

const double p = 0x1p-12, q = 0x1p-13;

const Vector vectors[] = {
    {"G1", {{0, 1, -1}, {1, p, q}}, 1},
    {"G2", {{0, 1, -1}, {1, p, p}}, 1},
    {"G3", {{0, 1, -1}, {1, q, q}}, 1},
    {"K1", {{0, 1, 1}, {1, 1, -1}, {8, q, q}}, 0},
    {"R1", {{0, 1.5 * p, p}}, 1},
    {"R2", {{0, -1.5 * p, p}}, -1},
    {"N1", {{0, 1.5, 1.5}, {1, 1.5, -1.5}, {2, p, q}}, 0},
    {"T1", {{0, 1, -1}, {1, 1.5 * q, q}, {2, 1.5 * q, q}, {3, 1.5 * q, q}, {4, 1.5 * q, q}}, 1},
    {"F8a", {{0, 1, -1}, {1, 0x1p-6, 0x1p-7}}, 1},
    {"F8b", {{0, 1, -1}, {1, 0x1p-7, 0x1p-7}}, 1},
    {"F8c", {{0, 0x1p-9, 0x1p-5}}, 1 + 0x1p-14},
    {"F8d", {{0, 1, 1}, {1, 1, -1}, {16, 0x1p-7, 0x1p-7}}, 0},
};

uint64_t evaluate(const char *arch, const char *instruction, const char *vector) {
  llvm::Expected<const MatrixRow *> row = findMatrixRow(arch, instruction);
  if (!row) {
    ADD_FAILURE() << llvm::toString(row.takeError());
    return 0;
  }
  for (const Vector &v : vectors)
    if (llvm::StringRef(v.name) == vector) {
      std::vector<uint64_t> a((*row)->k), b((*row)->k);
      for (const Product &product : v.products) {
        a[product.lane] = fromDouble((*row)->a, product.a);
        b[product.lane] = fromDouble((*row)->b, product.b);
        EXPECT_EQ(toDouble((*row)->a, a[product.lane]), product.a);
        EXPECT_EQ(toDouble((*row)->b, b[product.lane]), product.b);
      }
      return evaluateInstruction(**row, a, b, fromDouble((*row)->c, v.c));
    }
  ADD_FAILURE() << "no vector " << vector;
  return 0;
}

const char *const mma16 = "mma.m16n8k16.f32.f16.f16.f32";
const char *const mma8 = "mma.m16n8k8.f32.f16.f16.f32";
const char *const wgmma16 = "wgmma.m64n8k16.f32.f16.f16.f32";
const char *const tcgen16 = "tcgen05.m128n8k16.f32.f16.f16.f32";

struct Expectation {
  const char *vector;
  uint32_t k16, halves; // one sum of 16 with F = 25; two chained halves with F = 24
};

class NamedVector : public testing::TestWithParam<Expectation> {};

TEST_P(NamedVector, F16) {
  const Expectation &e = GetParam();
  EXPECT_EQ(evaluate("sm_90", mma16, e.vector), e.k16);
  EXPECT_EQ(evaluate("sm_90", wgmma16, e.vector), e.k16);
  EXPECT_EQ(evaluate("sm_100", mma16, e.vector), e.k16);
  EXPECT_EQ(evaluate("sm_100", tcgen16, e.vector), e.k16);
  for (const char *arch : {"sm_80", "sm_86", "sm_89"})
    EXPECT_EQ(evaluate(arch, mma16, e.vector), e.halves) << arch;
}

INSTANTIATE_TEST_SUITE_P(Step, NamedVector,
                         testing::Values(Expectation{"G1", 0x33000000, 0},
                                         Expectation{"G2", 0x33800000, 0x33800000},
                                         Expectation{"G3", 0, 0}, Expectation{"K1", 0, 0x32800000},
                                         Expectation{"R1", 0x3F800000, 0x3F800000},
                                         Expectation{"R2", 0xBF800000, 0xBF800000},
                                         Expectation{"N1", 0x33000000, 0}, Expectation{"T1", 0, 0}),
                         [](const testing::TestParamInfo<Expectation> &info) {
                           return info.param.vector;
                         });

TEST(Step, VoltaCutsG2) {
  llvm::Expected<const MatrixRow *> row = findMatrixRow("sm_70", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(bool(row));
  std::vector<uint64_t> a = {0x3C00, fromDouble(Format::F16, p), 0, 0};
  std::vector<uint64_t> b = {0xBC00, fromDouble(Format::F16, p), 0, 0};
  EXPECT_EQ(evaluateInstruction(**row, a, b, 0x3F800000), 0u);
}

TEST(Step, TwoK8AndOneK16DifferOnHopper) {
  // K1: the small product is in the second half, where the large pair is gone.
  std::vector<uint64_t> a(8), b(8), a2(8), b2(8);
  a[0] = a[1] = b[0] = 0x3C00, b[1] = 0xBC00;
  a2[0] = b2[0] = fromDouble(Format::F16, q);
  const MatrixRow *row = llvm::cantFail(findMatrixRow("sm_90", mma8));
  EXPECT_EQ(evaluateInstruction(*row, a2, b2, evaluateInstruction(*row, a, b, 0)), 0x32800000u);
}

TEST(Step, F8) {
  const char *mma = "mma.m16n8k32.f32.e4m3.e4m3.f32", *wgmma = "wgmma.m64n8k32.f32.e4m3.e4m3.f32";
  struct {
    const char *vector;
    uint32_t wgmma, ada, blackwell, viaF16;
  } table[] = {{"F8a", 0x39000000, 0x39000000, 0x39000000, 0x39000000},
               {"F8b", 0, 0, 0x38800000, 0x38800000},
               {"F8c", 0x3F800000, 0x3F800000, 0x3F800400, 0x3F800400},
               {"F8d", 0, 0x38800000, 0x38800000, 0x38800000}};
  for (const auto &e : table) {
    SCOPED_TRACE(e.vector);
    EXPECT_EQ(evaluate("sm_90", wgmma, e.vector), e.wgmma);
    EXPECT_EQ(evaluate("sm_89", mma, e.vector), e.ada);
    EXPECT_EQ(evaluate("sm_120", mma, e.vector), e.blackwell);
    EXPECT_EQ(evaluate("sm_100", "tcgen05.m64n8k32.f32.e4m3.e4m3.f32", e.vector), e.blackwell);
    EXPECT_EQ(evaluate("sm_90", mma, e.vector), e.viaF16);
  }
}

TEST(Step, IntegersWrapOrSaturateOnce) {
  std::vector<uint64_t> a(32), b(32);
  a[0] = 127, b[0] = 127, a[1] = 0x80, b[1] = 127;
  const MatrixRow *wrap = llvm::cantFail(findMatrixRow("sm_90", "mma.m16n8k32.s32.s8.s8.s32"));
  const MatrixRow *sat =
      llvm::cantFail(findMatrixRow("sm_90", "mma.m16n8k32.satfinite.s32.s8.s8.s32"));
  // The intermediate sum overflows and comes back: no saturation may happen on the way.
  EXPECT_EQ(evaluateInstruction(*sat, a, b, 0x7FFFFFFF), 0x7FFFFFFFu - 127);
  b[1] = 0;
  EXPECT_EQ(evaluateInstruction(*sat, a, b, 0x7FFFFFFF), 0x7FFFFFFFu);
  EXPECT_EQ(evaluateInstruction(*wrap, a, b, 0x7FFFFFFF), 0x80000000u + 16128);
  const MatrixRow *bits =
      llvm::cantFail(findMatrixRow("sm_80", "mma.m16n8k128.s32.b1.b1.s32.xor.popc"));
  std::vector<uint64_t> x(128, 1), y(128, 0);
  y[5] = 1;
  EXPECT_EQ(evaluateInstruction(*bits, x, y, 1), 128u);
}

TEST(Step, AddRoundedIsTheHostsAddition) {
  for (double x : {0.0, -0.0, 1.0, -1.0, 0x1p-149, -0x1p-149, 0x1.fffffep127, 3e-5,
                   double(INFINITY), double(NAN)})
    for (double y :
         {0.0, -0.0, 1.0, -1.0, 0x1p-24, 0x1.8p-24, -0x1p-25, 0x1p103, -double(INFINITY), 7e20}) {
      float sum = float(x) + float(y);
      uint64_t word = std::isnan(sum) ? 0x7FFFFFFF : fromDouble(Format::F32, sum);
      EXPECT_EQ(addRounded(Format::F32, Format::F32, fromDouble(Format::F32, x), Format::F32,
                           fromDouble(Format::F32, y)),
                word)
          << x << " + " << y;
    }
}

} // namespace
