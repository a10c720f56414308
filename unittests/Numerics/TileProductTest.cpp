//===- TileProductTest.cpp - One matrix instruction over its whole tile ---===//
//
// Every row of sm_90, on every instruction set of the machine, equals evaluateInstruction on tiles
// of random, wide, cancelling and special codes.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/TileProduct.h"
#include "gtest/gtest.h"
#include <random>

using namespace mettle::numerics;

namespace {

/// Codes that reach what random bits seldom do: specials, zeros, neighbouring exponents.
class Codes {
public:
  explicit Codes(unsigned seed) : engine(seed) {}
  uint64_t operator()(Format format, unsigned kind) {
    const FormatInfo &f = info(format);
    uint64_t random = engine();
    uint64_t code = f.bits == 64 ? random : random & ((uint64_t(1) << f.bits) - 1);
    if (f.isInteger)
      return code;
    if (kind == 0) // near one
      return fromDouble(format, double(int64_t(random >> 11) - (int64_t(1) << 52)) * 0x1p-52);
    if (kind == 1 && random % 61 == 0) // few specials among moderate numbers
      return random % 2 && f.hasInfinity() ? f.infinity() : f.nan;
    if (kind == 1)
      return fromDouble(format, double(int64_t(random % 31) - 15) * 0.25);
    if (kind == 2 && random % 3 == 0)
      return random % 2 << (f.bits - 1);
    return code;
  }
  std::mt19937_64 engine;
};

void expectTile(const MatrixRow &row, unsigned m, unsigned n, InstructionSet set, unsigned kind,
                unsigned seed) {
  TileProduct product(row, m, n, set);
  TileProduct::Operand left = product.makeA(), right = product.makeB();
  TileProduct::Accumulators acc = product.makeAccumulators();
  Codes codes(seed);
  unsigned depth = product.products();
  // Twice in the same operands: nothing may be left over from the first time.
  for (unsigned turn = 0; turn < 2; ++turn) {
    std::vector<uint64_t> a, b, c, d(m * n);
    std::vector<uint32_t> aPlaces, bPlaces, places;
    for (unsigned i = 0; i < m; ++i)
      for (unsigned k = 0; k < depth; ++k) {
        a.push_back(codes(row.a, turn ? 0 : kind));
        aPlaces.push_back(product.aPlace(i, k));
      }
    for (unsigned j = 0; j < n; ++j)
      for (unsigned k = 0; k < depth; ++k) {
        b.push_back(codes(row.b, turn ? 0 : kind));
        bPlaces.push_back(product.bPlace(k, j));
      }
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        c.push_back(codes(row.c, kind));
        places.push_back(product.accumulatorPlace(i, j));
      }
    product.packA(left, a.data(), aPlaces.data(), a.size());
    product.packB(right, b.data(), bPlaces.data(), b.size());
    product.load(acc, c.data(), places.data(), c.size());
    product.run(left, right, acc);
    product.store(acc, d.data(), places.data(), d.size());
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        uint64_t expected =
            evaluateInstruction(row, llvm::ArrayRef(a).slice(i * depth, depth),
                                llvm::ArrayRef(b).slice(j * depth, depth), c[i * n + j]);
        ASSERT_EQ(d[i * n + j], expected) << row.instruction() << " on " << name(set).str()
                                          << " kind " << kind << " at " << i << ", " << j;
      }
  }
}

} // namespace

TEST(TileProduct, EveryRowOfHopperOnEveryInstructionSet) {
  unsigned rows = 0, seed = 1;
  for (const MatrixRow &row : matrixRows()) {
    if (row.arch != "sm_90")
      continue;
    ++rows;
    for (InstructionSet set : {InstructionSet::Plain, InstructionSet::Portable,
                               InstructionSet::AVX2, InstructionSet::AVX512, InstructionSet::Best})
      if (set == InstructionSet::Best || isAvailable(set))
        for (unsigned kind = 0; kind < 4; ++kind)
          expectTile(row, std::min(row.m, 16u), row.n ? row.n : 24, set, kind, ++seed);
  }
  EXPECT_GT(rows, 70u);
}

TEST(TileProduct, TilesOfAWarpgroup) {
  for (const MatrixRow &row : matrixRows())
    if (row.arch == "sm_90" && row.family == "wgmma")
      for (unsigned n : {8u, 40u, 136u})
        expectTile(row, 64, n, InstructionSet::Best, n == 40 ? 1 : 3, n);
}
