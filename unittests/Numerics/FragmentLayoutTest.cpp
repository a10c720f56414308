//===- FragmentLayoutTest.cpp - Matrices spread over registers ------------===//
//
// Every layout covers its matrix evenly; the mma layouts equal the formulas of the PTX ISA, written
// down here a second time; the wmma layouts equal the byte offsets that ptxas's code for sm_90 adds
// to a lane's address.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/FragmentLayout.h"
#include "gtest/gtest.h"
#include <functional>
#include <map>

using namespace mettle::numerics;

namespace {

constexpr FragmentOperand A = FragmentOperand::A, B = FragmentOperand::B,
                          C = FragmentOperand::Accumulator;

/// Every element of the matrix stands in the same number of places; returns that number.
unsigned copies(const FragmentLayout &layout) {
  std::vector<unsigned> seen(size_t(layout.rows) * layout.cols);
  for (uint16_t place : layout.permutation()) {
    EXPECT_LT(place, seen.size());
    if (place < seen.size())
      ++seen[place];
  }
  for (unsigned count : seen)
    EXPECT_EQ(count, seen.front());
  return seen.front();
}

/// Row and column of element i (numbered over a lane's registers) of a lane.
using Formula = std::function<FragmentPosition(unsigned lane, unsigned i)>;

void expectFormula(const std::optional<FragmentLayout> &layout, unsigned rows, unsigned cols,
                   unsigned elements, const Formula &formula) {
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->rows, rows);
  EXPECT_EQ(layout->cols, cols);
  EXPECT_EQ(layout->registers * layout->perRegister, elements);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < elements; ++i) {
      FragmentPosition at = layout->at(lane, i / layout->perRegister, i % layout->perRegister);
      FragmentPosition expected = formula(lane, i);
      ASSERT_EQ(at.row, expected.row) << "lane " << lane << " element " << i;
      ASSERT_EQ(at.col, expected.col) << "lane " << lane << " element " << i;
    }
}

unsigned group(unsigned lane) { return lane >> 2; }
unsigned inGroup(unsigned lane) { return lane % 4; }

} // namespace

TEST(FragmentLayout, MmaOnF16) {
  expectFormula(mmaFragment(A, 16, 8, 16, 16), 16, 16, 8, [](unsigned l, unsigned i) {
    bool upper = i < 2 || (i >= 4 && i < 6);
    return FragmentPosition{upper ? group(l) : group(l) + 8,
                            inGroup(l) * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  });
  expectFormula(mmaFragment(B, 16, 8, 16, 16), 16, 8, 4, [](unsigned l, unsigned i) {
    return FragmentPosition{inGroup(l) * 2 + (i & 1) + (i >= 2 ? 8 : 0), group(l)};
  });
  expectFormula(mmaFragment(A, 16, 8, 8, 16), 16, 8, 4, [](unsigned l, unsigned i) {
    return FragmentPosition{i < 2 ? group(l) : group(l) + 8, inGroup(l) * 2 + (i & 1)};
  });
  expectFormula(mmaFragment(B, 16, 8, 8, 16), 8, 8, 2, [](unsigned l, unsigned i) {
    return FragmentPosition{inGroup(l) * 2 + i, group(l)};
  });
}

TEST(FragmentLayout, MmaOnTF32AndF64) {
  for (unsigned bits : {32u, 64u}) {
    expectFormula(mmaFragment(A, 16, 8, 4, bits), 16, 4, 2, [](unsigned l, unsigned i) {
      return FragmentPosition{i == 0 ? group(l) : group(l) + 8, inGroup(l)};
    });
    expectFormula(mmaFragment(A, 16, 8, 8, bits), 16, 8, 4, [](unsigned l, unsigned i) {
      return FragmentPosition{i % 2 == 0 ? group(l) : group(l) + 8, inGroup(l) + (i < 2 ? 0 : 4)};
    });
    expectFormula(mmaFragment(B, 16, 8, 8, bits), 8, 8, 2, [](unsigned l, unsigned i) {
      return FragmentPosition{inGroup(l) + 4 * i, group(l)};
    });
  }
  expectFormula(mmaFragment(A, 16, 8, 16, 64), 16, 16, 8, [](unsigned l, unsigned i) {
    return i % 2 == 0 ? FragmentPosition{group(l), i * 2 + inGroup(l)}
                      : FragmentPosition{group(l) + 8, i * 2 - 2 + inGroup(l)};
  });
  expectFormula(mmaFragment(B, 16, 8, 16, 64), 16, 8, 4, [](unsigned l, unsigned i) {
    return FragmentPosition{inGroup(l) + i * 4, group(l)};
  });
  expectFormula(mmaFragment(A, 8, 8, 4, 64), 8, 4, 1,
                [](unsigned l, unsigned) { return FragmentPosition{group(l), inGroup(l)}; });
}

TEST(FragmentLayout, MmaOnBytesNibblesAndBits) {
  expectFormula(mmaFragment(A, 16, 8, 16, 8), 16, 16, 8, [](unsigned l, unsigned i) {
    return FragmentPosition{i < 4 ? group(l) : group(l) + 8, inGroup(l) * 4 + (i & 3)};
  });
  expectFormula(mmaFragment(A, 16, 8, 32, 8), 16, 32, 16, [](unsigned l, unsigned i) {
    bool upper = i < 4 || (i >= 8 && i < 12);
    return FragmentPosition{upper ? group(l) : group(l) + 8,
                            inGroup(l) * 4 + (i & 3) + (i < 8 ? 0 : 16)};
  });
  expectFormula(mmaFragment(B, 16, 8, 32, 8), 32, 8, 8, [](unsigned l, unsigned i) {
    return FragmentPosition{inGroup(l) * 4 + (i & 3) + (i < 4 ? 0 : 16), group(l)};
  });
  expectFormula(mmaFragment(A, 16, 8, 64, 4), 16, 64, 32, [](unsigned l, unsigned i) {
    bool upper = i < 8 || (i >= 16 && i < 24);
    return FragmentPosition{upper ? group(l) : group(l) + 8,
                            inGroup(l) * 8 + (i & 7) + (i < 16 ? 0 : 32)};
  });
  expectFormula(mmaFragment(A, 16, 8, 256, 1), 16, 256, 128, [](unsigned l, unsigned i) {
    bool upper = i < 32 || (i >= 64 && i < 96);
    return FragmentPosition{upper ? group(l) : group(l) + 8,
                            inGroup(l) * 32 + (i & 31) + (i < 64 ? 0 : 128)};
  });
  expectFormula(mmaFragment(B, 16, 8, 256, 1), 256, 8, 64, [](unsigned l, unsigned i) {
    return FragmentPosition{inGroup(l) * 32 + (i & 31) + (i < 32 ? 0 : 128), group(l)};
  });
}

TEST(FragmentLayout, MmaAccumulators) {
  auto words = [](unsigned l, unsigned i) {
    return FragmentPosition{i < 2 ? group(l) : group(l) + 8, inGroup(l) * 2 + (i & 1)};
  };
  expectFormula(mmaFragment(C, 16, 8, 16, 32), 16, 8, 4, words);
  expectFormula(mmaFragment(C, 16, 8, 16, 16), 16, 8, 4, words);
  expectFormula(mmaFragment(C, 16, 8, 4, 64), 16, 8, 4, words);
  expectFormula(mmaFragment(C, 8, 8, 4, 64), 8, 8, 2, [](unsigned l, unsigned i) {
    return FragmentPosition{group(l), inGroup(l) * 2 + (i & 1)};
  });
}

TEST(FragmentLayout, Volta) {
  auto half = [](unsigned l) { return l < 16 ? 0u : 4u; };
  auto lanesOfPair0 = [](unsigned lane) { return (lane & 12) == 0; };
  struct Case {
    FragmentLayout layout;
    Formula formula;
  };
  const Case cases[] = {
      {voltaFragment(A, true, 16),
       [=](unsigned l, unsigned i) { return FragmentPosition{l % 4 + half(l), i}; }},
      {voltaFragment(A, false, 16),
       [=](unsigned l, unsigned i) { return FragmentPosition{i % 4 + half(l), l % 4}; }},
      {voltaFragment(B, true, 16),
       [=](unsigned l, unsigned i) { return FragmentPosition{l % 4, i + half(l)}; }},
      {voltaFragment(B, false, 16),
       [=](unsigned l, unsigned i) { return FragmentPosition{i, l % 4 + half(l)}; }},
      {voltaFragment(C, false, 16),
       [=](unsigned l, unsigned i) { return FragmentPosition{l % 4 + half(l), i}; }},
      {voltaFragment(C, false, 32),
       [=](unsigned l, unsigned i) {
         return FragmentPosition{(l & 1) + (i & 2) + half(l), (i & 4) + (l & 2) + (i & 1)};
       }},
  };
  for (const Case &c : cases)
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; lanesOfPair0(lane) && i < c.layout.registers * c.layout.perRegister; ++i)
        EXPECT_EQ(c.layout.at(lane, i / c.layout.perRegister, i % c.layout.perRegister),
                  c.formula(lane, i));
}

TEST(FragmentLayout, EveryMmaLayoutCoversItsMatrixOnce) {
  unsigned found = 0;
  for (unsigned m : {8u, 16u})
    for (unsigned k : {4u, 8u, 16u, 32u, 64u, 128u, 256u})
      for (unsigned bits : {1u, 4u, 8u, 16u, 32u, 64u})
        for (FragmentOperand operand : {A, B, C})
          if (std::optional<FragmentLayout> layout = mmaFragment(operand, m, 8, k, bits)) {
            EXPECT_EQ(copies(*layout), 1u) << "m" << m << "k" << k << " bits " << bits;
            ++found;
          }
  EXPECT_EQ(found, 17u + 21u + 35u); // A, B, accumulators
  EXPECT_FALSE(mmaFragment(A, 16, 8, 4, 16).has_value());
  EXPECT_FALSE(mmaFragment(A, 16, 16, 16, 16).has_value());
}

TEST(FragmentLayout, SparseAHoldsHalfTheColumns) {
  std::optional<FragmentLayout> a = sparseFragment(A, 16, 8, 32, 16);
  ASSERT_TRUE(a.has_value());
  EXPECT_EQ(a->cols, 16u);
  std::optional<FragmentLayout> b = sparseFragment(B, 16, 8, 32, 16);
  expectFormula(b, 32, 8, 8, [](unsigned l, unsigned i) {
    return FragmentPosition{inGroup(l) * 2 + (i & 1) + 8 * (i / 2), group(l)};
  });
}

TEST(FragmentLayout, MetadataFieldsAreApartAndInTheSelectedLanes) {
  struct Case {
    unsigned k, bits, lanes;
  };
  for (Case c : {Case{16, 16, 1}, Case{32, 16, 2}, Case{8, 32, 1}, Case{16, 32, 2}, Case{32, 8, 2},
                 Case{64, 8, 4}, Case{64, 4, 2}, Case{128, 4, 4}})
    for (unsigned selector = 0; selector < 4 / c.lanes; ++selector) {
      std::map<std::pair<unsigned, unsigned>, unsigned> seen;
      unsigned groups = 4 * c.lanes;
      for (unsigned row = 0; row < 16; ++row)
        for (unsigned group = 0; group < groups; ++group) {
          std::optional<MetadataField> field = metadataField(c.k, c.bits, selector, row, group);
          ASSERT_TRUE(field.has_value());
          ++seen[{field->lane, field->shift}];
          // The first lane of each quad that takes part holds rows of the quad's number.
          EXPECT_EQ(field->lane / 4, row % 8);
          EXPECT_EQ(field->lane % 4 / c.lanes, selector);
          // A word has both its rows, one above the other, or a lane has one of them.
          EXPECT_EQ(c.bits < 16 ? field->lane % 2 : field->shift / 16, row / 8);
        }
      EXPECT_EQ(seen.size(), 16 * groups);
    }
  EXPECT_FALSE(metadataField(32, 16, 2, 0, 0).has_value());
  EXPECT_FALSE(metadataField(16, 8, 4, 0, 0).has_value());
  EXPECT_EQ((keptColumns(16, 0b1101)), (std::array<uint8_t, 2>{1, 3}));
  EXPECT_FALSE(keptColumns(16, 0b0001).has_value());
  EXPECT_EQ((*keptColumns(32, 0b1110))[0], 1);
  EXPECT_FALSE(keptColumns(32, 0b0000).has_value());
}

// Byte offsets from a lane's first element, register by register, as ptxas 13.0 adds them for sm_90
// under a leading dimension of 64 elements; T marks a movmatrix of two rows behind it. Where the
// element is moved by more than a register the offset is that of its first byte.
TEST(FragmentLayout, WmmaAsPtxasLoadsIt) {
  struct Case {
    FragmentOperand operand;
    unsigned m, n, k;
    const char *type;
    bool rowMajor;
    std::vector<unsigned> offsets;
  };
  const Case cases[] = {
      {A, 16, 16, 16, "f16", true, {0x0, 0x400, 0x10, 0x410, 0x0, 0x400, 0x10, 0x410}},
      {B, 16, 16, 16, "f16", false, {0x0, 0x10, 0x400, 0x410, 0x0, 0x10, 0x400, 0x410}},
      {A, 16, 16, 16, "bf16", true, {0x0, 0x400, 0x10, 0x410}},
      {B, 16, 16, 16, "bf16", false, {0x0, 0x10, 0x400, 0x410}},
      {A, 16, 16, 16, "s8", true, {0x0, 0x200}},
      {B, 16, 16, 16, "u8", false, {0x0, 0x200}},
      {C, 16, 16, 16, "f32", true, {0x0, 0x4, 0x800, 0x804, 0x20, 0x24, 0x820, 0x824}},
      {C, 16, 16, 16, "s32", false, {0x0, 0x100, 0x20, 0x120, 0x800, 0x900, 0x820, 0x920}},
      {C, 16, 16, 16, "f16", true, {0x0, 0x400, 0x10, 0x410}},
      {A, 32, 8, 16, "f16", true, {0x0, 0x400, 0x10, 0x410, 0x800, 0xc00, 0x810, 0xc10}},
      {B, 32, 8, 16, "f16", false, {0x0, 0x10, 0x0, 0x10, 0x0, 0x10, 0x0, 0x10}},
      {B, 32, 8, 16, "bf16", false, {0x0, 0x10}},
      {A, 32, 8, 16, "s8", true, {0x0, 0x200, 0x400, 0x600}},
      {C, 32, 8, 16, "f32", true, {0x0, 0x4, 0x800, 0x804, 0x1000, 0x1004, 0x1800, 0x1804}},
      {C, 32, 8, 16, "f16", true, {0x0, 0x400, 0x800, 0xc00}},
      {A, 8, 32, 16, "f16", true, {0x0, 0x10, 0x0, 0x10, 0x0, 0x10, 0x0, 0x10}},
      {B, 8, 32, 16, "f16", false, {0x0, 0x400, 0x10, 0x410, 0x800, 0xc00, 0x810, 0xc10}},
      {B, 8, 32, 16, "s8", false, {0x0, 0x200, 0x400, 0x600}},
      {C, 8, 32, 16, "f32", false, {0x0, 0x4, 0x800, 0x804, 0x1000, 0x1004, 0x1800, 0x1804}},
      {C, 8, 32, 16, "f32", true, {0x0, 0x100, 0x20, 0x120, 0x40, 0x140, 0x60, 0x160}},
      {C, 8, 32, 16, "f16", false, {0x0, 0x400, 0x800, 0xc00}},
      {A, 16, 16, 8, "tf32", true, {0x0, 0x800, 0x10, 0x810}},
      {B, 16, 16, 8, "tf32", true, {0x0, 0x400, 0x20, 0x420}},
      {C, 8, 8, 4, "f64", false, {0x0, 0x200}},
  };
  for (const Case &c : cases) {
    std::optional<FragmentLayout> layout = wmmaFragment(c.operand, c.m, c.n, c.k, c.type);
    ASSERT_TRUE(layout.has_value()) << c.type;
    EXPECT_EQ(layout->source, LayoutSource::SASS);
    ASSERT_EQ(layout->registers, c.offsets.size()) << c.type;
    auto address = [&](FragmentPosition at) {
      return (c.rowMajor ? at.row * 64 + at.col : at.col * 64 + at.row) * layout->elementBits / 8;
    };
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned reg = 0; reg < layout->registers; ++reg)
        EXPECT_EQ(address(layout->at(lane, reg)) - address(layout->at(lane, 0)), c.offsets[reg])
            << c.type << " register " << reg;
  }
  EXPECT_EQ(copies(*wmmaFragment(A, 16, 16, 16, "f16")), 2u);
  EXPECT_EQ(copies(*wmmaFragment(B, 32, 8, 16, "f16")), 4u);
  EXPECT_EQ(copies(*wmmaFragment(C, 8, 32, 16, "f16")), 1u);
}

TEST(FragmentLayout, WgmmaAccumulatorsAndA) {
  for (unsigned n = 8; n <= 256; n += 8) {
    std::optional<FragmentLayout> d = wgmmaFragment(C, n, 32);
    ASSERT_TRUE(d.has_value());
    EXPECT_EQ(copies(*d), 1u);
    for (unsigned lane = 0; lane < 128; ++lane)
      for (unsigned i = 0; i < n / 2; ++i) {
        unsigned row = 16 * (lane / 32) + lane % 32 / 4 + 8 * (i % 4 / 2);
        unsigned col = 8 * (i / 4) + lane % 4 * 2 + i % 2;
        ASSERT_EQ(d->at(lane, i), (FragmentPosition{row, col}));
      }
    std::optional<FragmentLayout> half = wgmmaFragment(C, n, 16);
    ASSERT_TRUE(half.has_value());
    EXPECT_EQ(half->registers, n / 4);
    EXPECT_EQ(copies(*half), 1u);
  }
  for (unsigned bits : {8u, 16u, 32u}) {
    std::optional<FragmentLayout> a = wgmmaFragment(A, 64, bits), warp;
    warp = mmaFragment(A, 16, 8, 256 / bits, bits);
    ASSERT_TRUE(a && warp);
    EXPECT_EQ(a->rows, 64u);
    EXPECT_EQ(copies(*a), 1u);
    for (unsigned lane = 0; lane < 128; ++lane)
      for (unsigned reg = 0; reg < 4; ++reg) {
        FragmentPosition at = warp->at(lane % 32, reg);
        at.row += lane / 32 * 16;
        EXPECT_EQ(a->at(lane, reg), at);
      }
  }
  EXPECT_FALSE(wgmmaFragment(C, 12, 32).has_value());
  EXPECT_FALSE(wgmmaFragment(C, 264, 32).has_value());
  EXPECT_FALSE(wgmmaFragment(B, 8, 16).has_value());
}

TEST(FragmentLayout, Matrices) {
  FragmentLayout plain = matrixFragment(false), transposed = matrixFragment(true);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned e = 0; e < 2; ++e) {
      EXPECT_EQ(plain.at(lane, 0, e), (FragmentPosition{lane / 4, lane % 4 * 2 + e}));
      EXPECT_EQ(transposed.at(lane, 0, e), (FragmentPosition{lane % 4 * 2 + e, lane / 4}));
    }
}
