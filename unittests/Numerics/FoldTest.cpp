//===- FoldTest.cpp - Folds do not depend on layout -----------------------===//
//
// An inner tree carried out the way a GPU does, over random layouts of registers, lanes and warps
// with absent lanes, gives the word of foldInnerTree; so do -0 and NaN.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Fold.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "Random.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace mettle::numerics;
using mettle::numerics::test::Random;

namespace {

using Value = std::optional<float>;

float add(float a, float b) { return a + b; }

/// A fold by registers, then lane exchanges with offsets counting up, then warps through memory.
/// Thread t holds `perThread` neighbours, starting at t * perThread.
Value foldOnThreads(std::vector<Value> elements, size_t perThread, size_t lanes, size_t warps) {
  elements.resize(perThread * lanes * warps);
  std::vector<Value> threads;
  for (size_t t = 0; t < lanes * warps; ++t)
    threads.push_back(
        foldInnerTree<float>(llvm::ArrayRef(elements).slice(t * perThread, perThread), add));
  std::vector<Value> partial;
  for (size_t warp = 0; warp < warps; ++warp) {
    std::vector<Value> lane(threads.begin() + warp * lanes, threads.begin() + (warp + 1) * lanes);
    for (size_t offset = 1; offset < lanes; offset *= 2) {
      std::vector<Value> next = lane;
      for (size_t l = 0; l < lanes; ++l) // shuffle-xor: every lane combines, the lower first
        next[l] = combinePresent(lane[l & ~offset], lane[l | offset], add);
      lane = next;
    }
    partial.push_back(lane[0]);
  }
  return foldInnerTree<float>(partial, add);
}

TEST(Fold, InnerTreeIsTheSameOverRandomLayouts) {
  Random random(41);
  for (int i = 0; i < (mettle::numerics::test::deep() ? 20000 : 2000); ++i) {
    std::vector<Value> elements(1 + random.below(200));
    for (Value &element : elements)
      if (!random.oneIn(9))
        element = std::ldexp(float(int(random.below(4001)) - 2000), int(random.below(60)) - 30);
    size_t total = 256, perThread = size_t(1) << random.below(5);
    size_t lanes = size_t(1) << random.below(6);
    while (perThread * lanes > total)
      lanes /= 2;
    Value expected = foldInnerTree<float>(elements, add);
    Value got = foldOnThreads(elements, perThread, lanes, total / (perThread * lanes));
    ASSERT_EQ(expected.has_value(), got.has_value());
    if (expected) {
      ASSERT_EQ(bitsOf(*expected), bitsOf(*got)) << perThread << " x " << lanes;
    }
  }
}

TEST(Fold, OrdersDiffer) {
  std::vector<Value> values = {0x1p25f, 1.0f, -0x1p25f, 1.0f};
  EXPECT_EQ(foldSequential<float>(values, add), 1.0f);
  EXPECT_EQ(foldInnerTree<float>(values, add), 0.0f);
  EXPECT_EQ(foldStrided<float>(values, 2, add), 2.0f);
}

TEST(Fold, AbsentIsNotZero) {
  Value none;
  std::vector<Value> negative = {none, -0.0f, none, none, -0.0f};
  EXPECT_EQ(bitsOf(*foldInnerTree<float>(negative, add)), 0x80000000u);
  EXPECT_EQ(bitsOf(*foldSequential<float>(negative, add)), 0x80000000u);
  EXPECT_EQ(bitsOf(*foldStrided<float>(negative, 8, add)), 0x80000000u);
  std::vector<Value> nan = {none, NAN};
  EXPECT_TRUE(std::isnan(*foldInnerTree<float>(nan, add)));
  EXPECT_FALSE(foldInnerTree<float>(std::vector<Value>(7), add).has_value());
  EXPECT_FALSE(foldSequential<float>({}, add).has_value());
}

} // namespace
