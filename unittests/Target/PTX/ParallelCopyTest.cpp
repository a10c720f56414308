//===- ParallelCopyTest.cpp - Sequences of moves against a simulator ------===//
//
// Random parallel copies, run as their sequence of moves and compared with the assignment that
// happens at once; and the number of moves with the least there can be.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Target/PTX/ParallelCopy.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

using namespace mettle::ptx;

namespace {

constexpr unsigned firstTemporary = 1u << 20;

struct Sequence {
  llvm::SmallVector<Copy> moves;
  unsigned numTemporaries = 0;
};

Sequence sequence(const std::vector<Copy> &copies) {
  Sequence result;
  result.moves =
      sequentialize(copies, [&](unsigned) { return firstTemporary + result.numTemporaries++; });
  return result;
}

/// Cycles of more than one register among `copies`.
unsigned numCycles(const std::vector<Copy> &copies) {
  std::map<unsigned, unsigned> sourceOf;
  for (Copy copy : copies)
    sourceOf[copy.destination] = copy.source;
  std::set<unsigned> counted;
  unsigned cycles = 0;
  for (auto [start, source] : sourceOf) {
    std::vector<unsigned> path{start};
    unsigned at = source;
    while (at != start && sourceOf.count(at) && path.size() <= sourceOf.size()) {
      path.push_back(at);
      at = sourceOf[at];
    }
    if (at != start || path.size() == 1 || counted.count(start))
      continue;
    counted.insert(path.begin(), path.end());
    ++cycles;
  }
  return cycles;
}

/// Runs the sequence from registers that hold their own numbers.
void check(const std::vector<Copy> &copies, unsigned numRegisters) {
  Sequence result = sequence(copies);
  std::map<unsigned, unsigned> values;
  for (unsigned i = 0; i < numRegisters; ++i)
    values[i] = i;
  std::map<unsigned, unsigned> expected = values;
  unsigned needed = 0;
  for (Copy copy : copies) {
    expected[copy.destination] = copy.source;
    needed += copy.destination != copy.source;
  }
  for (Copy move : result.moves) {
    ASSERT_TRUE(values.count(move.source)) << "reads a temporary before it is written";
    values[move.destination] = values[move.source];
  }
  for (unsigned i = 0; i < numRegisters; ++i)
    ASSERT_EQ(values[i], expected[i]) << "register " << i << " of " << copies.size() << " copies";
  unsigned cycles = numCycles(copies);
  EXPECT_EQ(result.numTemporaries, cycles);
  EXPECT_EQ(result.moves.size(), needed + cycles);
}

unsigned rounds() {
  const char *deep = std::getenv("METTLE_DEEP");
  return deep && *deep == '1' ? 1000000 : 20000;
}

TEST(ParallelCopy, Nothing) { check({}, 4); }
TEST(ParallelCopy, ToItself) { check({{1, 1}, {2, 2}}, 4); }
TEST(ParallelCopy, Swap) { check({{0, 1}, {1, 0}}, 2); }
TEST(ParallelCopy, Rotation) { check({{0, 1}, {1, 2}, {2, 0}}, 3); }
TEST(ParallelCopy, Chain) { check({{0, 1}, {1, 2}, {2, 3}}, 4); }
TEST(ParallelCopy, OneSourceForAll) { check({{0, 3}, {1, 3}, {2, 3}}, 4); }
TEST(ParallelCopy, CycleWithTail) { check({{0, 1}, {1, 0}, {2, 0}, {3, 2}}, 4); }
TEST(ParallelCopy, TwoCyclesAndAChain) {
  check({{0, 1}, {1, 0}, {2, 3}, {3, 2}, {4, 0}, {5, 4}}, 6);
}

TEST(ParallelCopy, RandomAssignments) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < rounds(); ++round) {
    unsigned numRegisters = 1 + random() % 12;
    std::vector<unsigned> destinations(numRegisters);
    std::iota(destinations.begin(), destinations.end(), 0);
    std::shuffle(destinations.begin(), destinations.end(), random);
    destinations.resize(random() % (numRegisters + 1));
    // Every second round a permutation, so that cycles are common.
    std::vector<unsigned> sources = destinations;
    if (round % 2)
      std::shuffle(sources.begin(), sources.end(), random);
    else
      for (unsigned &source : sources)
        source = random() % numRegisters;
    std::vector<Copy> copies;
    for (size_t i = 0; i < destinations.size(); ++i)
      copies.push_back({destinations[i], sources[i]});
    check(copies, numRegisters);
    if (HasFatalFailure())
      return;
  }
}

TEST(ParallelCopy, LongRotationTakesLinearTime) {
  std::vector<Copy> copies;
  constexpr unsigned length = 200000;
  for (unsigned i = 0; i < length; ++i)
    copies.push_back({i, (i + 1) % length});
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(sequence(copies).moves.size(), length + 1u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

} // namespace
