//===- IntegerConvertTest.cpp - Every pair of integer types ---------------===//
//
// cvt between integers of all widths, from registers that are wider than the source and to ones
// that are wider than the result, against host arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

using namespace mettle::emulator;

namespace {
struct Integer {
  const char *name;
  unsigned bits;
  bool isSigned;
};
constexpr Integer integers[] = {{"u8", 8, false},   {"s8", 8, true},    {"u16", 16, false},
                                {"s16", 16, true},  {"u32", 32, false}, {"s32", 32, true},
                                {"u64", 64, false}, {"s64", 64, true}};

/// The low bits of a word as the type's value, in 64 bits.
int64_t valueOf(uint64_t word, const Integer &type) {
  unsigned shift = 64 - type.bits;
  return type.isSigned ? int64_t(word << shift) >> shift : int64_t(word << shift >> shift);
}

uint64_t converted(uint64_t word, const Integer &from, const Integer &to, bool saturate) {
  __int128 value =
      from.isSigned ? __int128(valueOf(word, from)) : __int128(uint64_t(valueOf(word, from)));
  if (saturate) {
    __int128 most = (__int128(1) << (to.bits - to.isSigned)) - 1;
    __int128 least = to.isSigned ? -most - 1 : 0;
    value = value > most ? most : value < least ? least : value;
  }
  // The register is wider than the result: filled with its sign or zeros.
  return uint64_t(valueOf(uint64_t(value), to));
}
} // namespace

TEST(IntegerConvert, EveryPair) {
  constexpr uint64_t words[] = {0,           1,           0x7f,        0x80,
                                0xff,        0x7fff,      0x8000,      0xffff,
                                0x7fffffff,  0x80000000u, 0xffffffffu, 0x12345678,
                                ~0ull << 63, ~0ull,       ~0ull >> 1,  0xfedcba9876543210,
                                0x100,       0xff80};
  for (const Integer &from : integers)
    for (const Integer &to : integers)
      for (bool saturate : {false, true}) {
        std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(sizeof words * 2));
        memcpy(buffers[0].data(), words, sizeof words);
        std::string body = "ld.param.u64 %d0, [p0];\n";
        for (size_t i = 0; i < std::size(words); ++i) {
          std::string at = std::to_string(i * 8), result = std::to_string(i * 8 + sizeof words);
          body += "ld.global.b64 %d1, [%d0+" + at + "];\ncvt" + (saturate ? ".sat." : ".") +
                  to.name + "." + from.name + " %d2, %d1;\nst.global.b64 [%d0+" + result +
                  "], %d2;\n";
        }
        Outcome outcome = runText(entry(body), buffers);
        ASSERT_EQ(outcome.error, "");
        for (size_t i = 0; i < std::size(words); ++i) {
          uint64_t got;
          memcpy(&got, buffers[0].data() + sizeof words + i * 8, 8);
          EXPECT_EQ(got, converted(words[i], from, to, saturate))
              << to.name << " from " << from.name << (saturate ? ", saturated" : "") << " of "
              << std::hex << words[i];
        }
      }
}

/// A narrow type in a 32-bit register, as compilers write it.
TEST(IntegerConvert, NarrowSourcesInWiderRegisters) {
  std::vector<std::vector<uint8_t>> buffers(1, std::vector<uint8_t>(16));
  buffers[0][0] = 0x91;
  Outcome outcome = runText(entry("ld.param.u64 %d0, [p0];\nld.global.u8 %r0, [%d0];\n"
                                  "cvt.s32.s8 %r1, %r0;\nst.global.b32 [%d0+4], %r1;\n"
                                  "cvt.u32.s8 %r2, %r0;\nst.global.b32 [%d0+8], %r2;\n"
                                  "cvt.s16.s8 %h0, %r0;\nst.global.b16 [%d0+12], %h0;"),
                            buffers);
  ASSERT_EQ(outcome.error, "");
  int32_t words[2];
  memcpy(words, buffers[0].data() + 4, 8);
  EXPECT_EQ(words[0], -111);
  EXPECT_EQ(words[1], -111);
  EXPECT_EQ(buffers[0][12], 0x91);
  EXPECT_EQ(buffers[0][13], 0xff);
}
