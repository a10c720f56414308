//===- PackingTest.cpp - Dense storage of sub-byte codes ------------------===//
//
// Order of bits, codes that straddle bytes, and that a store leaves its neighbours alone.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Packing.h"
#include "Random.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <vector>

using namespace mettle::numerics;

TEST(Packing, FirstCodeInTheLowestBits) {
  std::vector<uint8_t> bytes = {0x21, 0x43};
  EXPECT_EQ(loadPacked(bytes, 0, 4), 1u);
  EXPECT_EQ(loadPacked(bytes, 3, 4), 4u);
  // Four 6-bit codes in three bytes: 1, 2, 3, 4.
  bytes = {0x81, 0x30, 0x10};
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(loadPacked(bytes, i, 6), i + 1);
  bytes = {0x34, 0x12};
  EXPECT_EQ(loadPacked(bytes, 0, 16), 0x1234u) << "little endian";
  EXPECT_EQ(packedBytes(5, 6), 4u);
  EXPECT_EQ(packedBytes(9, 1), 2u);
}

TEST(Packing, StoresKeepNeighbours) {
  test::Random random(3);
  for (unsigned bits : {1, 4, 6, 7, 8, 16, 32, 64}) {
    std::vector<uint64_t> codes(37);
    std::vector<uint8_t> bytes(packedBytes(codes.size(), bits), 0xA5);
    for (int round = 0; round < 400; ++round) {
      uint64_t index = random.below(codes.size());
      codes[index] = random.word() & llvm::maskTrailingOnes<uint64_t>(bits);
      if (round == 0)
        for (size_t i = 0; i < codes.size(); ++i)
          storePacked(bytes, i, bits, codes[i]);
      storePacked(bytes, index, bits, codes[index]);
      for (size_t i = 0; i < codes.size(); ++i)
        ASSERT_EQ(loadPacked(bytes, i, bits), codes[i]) << bits << " bits, code " << i;
    }
  }
}
