//===- SharedMatrixTest.cpp - Matrices that wgmma reads from shared memory ===//
//
// Addresses against the layouts as CUTLASS writes them (a shape and stride tuple under an xor of
// address bits), and the descriptor's bits against the PTX ISA's table.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/SharedMatrix.h"
#include "gtest/gtest.h"
#include <set>

using namespace mettle::numerics;

TEST(SharedMatrix, DescriptorBits) {
  MatrixDescriptor d = MatrixDescriptor::decode(0x4000004000010080);
  EXPECT_EQ(d.start, 0x800u);
  EXPECT_EQ(d.leadingOffset, 16u);
  EXPECT_EQ(d.strideOffset, 1024u);
  EXPECT_EQ(d.swizzle, Swizzle::B128);
  EXPECT_EQ(MatrixDescriptor::decode(uint64_t(2) << 62).swizzle, Swizzle::B64);
  EXPECT_EQ(MatrixDescriptor::decode(uint64_t(3) << 62).swizzle, Swizzle::B32);
  EXPECT_EQ(MatrixDescriptor::decode(0).swizzle, Swizzle::None);
  EXPECT_EQ(MatrixDescriptor::decode(uint64_t(5) << 49).baseOffset, 5u);
  for (uint64_t bits : {0x4000004000010080ull, 0xC00A3FFF00020001ull, 0x8000000100403FFFull})
    EXPECT_EQ(MatrixDescriptor::decode(bits).encode(), bits);
}

TEST(SharedMatrix, SwizzleXorsChunksWithRows) {
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned chunk = 0; chunk < 8; ++chunk) {
      EXPECT_EQ(swizzled(Swizzle::B128, row * 128 + chunk * 16 + 5),
                row * 128 + (chunk ^ row) * 16 + 5);
      EXPECT_EQ(swizzled(Swizzle::None, row * 128 + chunk * 16), row * 128 + chunk * 16);
    }
  // Rows of 64 and 32 bytes: the chunk moves with each two and four rows.
  for (unsigned row = 0; row < 8; ++row) {
    for (unsigned chunk = 0; chunk < 4; ++chunk)
      EXPECT_EQ(swizzled(Swizzle::B64, row * 64 + chunk * 16), row * 64 + (chunk ^ row / 2) * 16);
    for (unsigned chunk = 0; chunk < 2; ++chunk)
      EXPECT_EQ(swizzled(Swizzle::B32, row * 32 + chunk * 16), row * 32 + (chunk ^ row / 4) * 16);
  }
}

// ((8, m), (T, 2)) : ((row, SBO), (1, T or LBO)) in elements of T to 16 bytes.
TEST(SharedMatrix, KMajor) {
  for (Swizzle swizzle : {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128})
    for (unsigned elementBytes : {1u, 2u, 4u}) {
      MatrixDescriptor d;
      d.start = 0x2000;
      d.strideOffset = 2048;
      d.leadingOffset = 256;
      d.swizzle = swizzle;
      SharedMatrix matrix(d, false, elementBytes);
      unsigned row = swizzle == Swizzle::None  ? 16
                     : swizzle == Swizzle::B32 ? 32
                     : swizzle == Swizzle::B64 ? 64
                                               : 128;
      std::set<uint32_t> seen;
      for (unsigned line = 0; line < 64; ++line)
        for (unsigned k = 0; k < 32 / elementBytes; ++k) {
          unsigned byte = k * elementBytes;
          unsigned plain = 0x2000 + line % 8 * row + line / 8 * 2048 + byte % 16 +
                           byte / 16 * (swizzle == Swizzle::None ? 256 : 16);
          unsigned bits = swizzle == Swizzle::None ? 0 : row / 16 - 1;
          unsigned expected = plain ^ ((plain >> 7 & bits) << 4);
          EXPECT_EQ(matrix.address(line, k), expected);
          EXPECT_TRUE(seen.insert(matrix.address(line, k)).second);
        }
    }
}

// ((T, 1, m), (8, k)) : ((1, T, SBO), (T, LBO)) without a swizzle, else
// ((T, w, m), (8, k)) : ((1, T, LBO), (w T, SBO)).
TEST(SharedMatrix, MNMajor) {
  for (Swizzle swizzle : {Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128}) {
    MatrixDescriptor d;
    d.strideOffset = 4096;
    d.leadingOffset = 8192;
    d.swizzle = swizzle;
    SharedMatrix matrix(d, true, 2);
    unsigned w = 1u << unsigned(swizzle), t = 8;
    for (unsigned line = 0; line < 128; ++line)
      for (unsigned k = 0; k < 16; ++k) {
        unsigned outer = line / (t * w), middle = line / t % w, inner = line % t;
        unsigned plain =
            swizzle == Swizzle::None
                ? inner * 2 + outer * 4096 + k % 8 * 16 + k / 8 * 8192
                : inner * 2 + middle * 16 + outer * 8192 + k % 8 * w * 16 + k / 8 * 4096;
        unsigned expected = plain ^ ((plain >> 7 & (w - 1)) << 4);
        EXPECT_EQ(matrix.address(line, k), expected & 0x3FFFF);
      }
  }
}
