//===- Instructions.h - One instruction on many words ------------*- C++ -*-===//
//
// Runs an instruction over lists of operand words, in each of the host's instruction sets, and
// compares every result with what the host computes by other means.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_EMULATOR_INSTRUCTIONS_H
#define METTLE_UNITTESTS_EMULATOR_INSTRUCTIONS_H

#include "Kernels.h"
#include <algorithm>
#include <functional>
#include <random>

namespace mettle::emulator {

/// Words of some width: ends of ranges, small numbers, floats of every class, random ones.
inline std::vector<uint64_t> testWords(unsigned bits, unsigned seed, size_t count = 2048) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> words = {0,
                                 1,
                                 2,
                                 31,
                                 32,
                                 33,
                                 63,
                                 64,
                                 255,
                                 uint64_t(1) << (bits - 1),
                                 (uint64_t(1) << (bits - 1)) - 1,
                                 ~uint64_t(0)};
  for (uint64_t half : {0x7c00, 0x7c01, 0x3c00, 0x0001, 0x03ff, 0x0400, 0x7bff, 0x7f80, 0x7f81})
    for (uint64_t sign : {0, 0x8000}) {
      words.push_back((half | sign) << (bits > 16 ? bits - 16 : 0));
      words.push_back(half | sign);
    }
  while (words.size() < count) {
    uint64_t word = random();
    switch (random() % 4) {
    case 0:
      word >>= random() % 64;
      break;
    case 1: // floats near 1, so that sums do not lose one operand
      word = (word & 0x807fffffffffffff) | uint64_t(0x3f80 + random() % 16 - 8) << 48;
      word = bits == 64 ? word : word >> 32;
      break;
    case 2: // f32 near the end of its normal range
      word = (word & 0x80ffffff) | uint64_t(random() % 2) << 23;
      break;
    default:
      break;
    }
    words.push_back(word);
  }
  std::shuffle(words.begin() + 40, words.end(), random);
  for (uint64_t &word : words)
    word = bits < 64 ? word & ((uint64_t(1) << bits) - 1) : word;
  return words;
}

using Oracle = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;

/// `$d = op $a, $b, $c` with registers of these widths (1: a predicate as result).
struct Widths {
  unsigned d = 32, a = 32, b = 32, c = 32;
};

inline void checkInstruction(const std::string &statement, Widths widths, const Oracle &oracle) {
  SCOPED_TRACE(statement);
  constexpr unsigned count = 2048;
  auto reg = [](unsigned bits, unsigned number) {
    return (bits == 16 ? "%h" : bits == 32 ? "%r" : "%d") + std::to_string(40 + number);
  };
  unsigned widthOf[] = {widths.a, widths.b, widths.c};
  std::string body = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                     "mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.u32 %d1, %r4, 8;\n";
  for (unsigned i = 0; i < 4; ++i)
    body += "ld.param.u64 %d" + std::to_string(10 + i) + ", [p" + std::to_string(i) +
            "]; add.s64 %d" + std::to_string(10 + i) + ", %d" + std::to_string(10 + i) + ", %d1;\n";
  for (unsigned i = 0; i < 3; ++i)
    body += "ld.global.b" + std::to_string(widthOf[i]) + " " + reg(widthOf[i], i) + ", [%d" +
            std::to_string(10 + i) + "];\n";
  std::string text = statement;
  auto replace = [&](const std::string &what, const std::string &with) {
    for (size_t at; (at = text.find(what)) != std::string::npos;)
      text.replace(at, what.size(), with);
  };
  replace("$a", reg(widths.a, 0));
  replace("$b", reg(widths.b, 1));
  replace("$c", reg(widths.c, 2));
  replace("$d", widths.d == 1 ? "%p1" : reg(widths.d, 3));
  body += text + "\n";
  if (widths.d == 1)
    body += "selp.b32 %r43, 1, 0, %p1;\n";
  unsigned stored = widths.d == 1 ? 32 : widths.d;
  body += "st.global.b" + std::to_string(stored) + " [%d13], " + reg(stored, 3) + ";\nret;";

  std::vector<uint64_t> words[3];
  std::vector<std::vector<uint8_t>> inputs(4, std::vector<uint8_t>(count * 8));
  for (unsigned i = 0; i < 3; ++i) {
    words[i] = testWords(widthOf[i], 7 * i + 1, count);
    memcpy(inputs[i].data(), words[i].data(), count * 8);
  }
  for (HostISA isa : {HostISA::Portable, HostISA::AVX2, HostISA::AVX512}) {
    if (!setHostISA(isa))
      continue;
    std::vector<std::vector<uint8_t>> buffers = inputs;
    Outcome outcome = runText(entry(body, 4), buffers, {{count / 128, 1, 1}, {128, 1, 1}, 0, {}});
    setHostISA(HostISA::Best);
    ASSERT_EQ(outcome.error, "");
    unsigned wrong = 0;
    for (unsigned i = 0; i < count && wrong < 3; ++i) {
      uint64_t found = 0;
      memcpy(&found, buffers[3].data() + i * 8, 8);
      uint64_t expected = oracle(words[0][i], words[1][i], words[2][i]);
      if (stored < 64)
        expected &= (uint64_t(1) << stored) - 1;
      wrong += found != expected;
      EXPECT_EQ(found, expected) << std::hex << "a = " << words[0][i] << ", b = " << words[1][i]
                                 << ", c = " << words[2][i] << ", ISA " << int(isa);
    }
  }
}

} // namespace mettle::emulator

#endif // METTLE_UNITTESTS_EMULATOR_INSTRUCTIONS_H
