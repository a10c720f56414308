//===- FillTest.cpp - Reproducible contents -------------------------------===//
//
// Contents are part of a test's identity, so their words are fixed here; the
// mixtures must hold every kind of value that they promise.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Fill.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <set>

using namespace llvm;
using namespace mettle::runtime;

namespace {

Buffer filled(ElementType type, uint64_t size, StringRef text) {
  return cantFail(filledBuffer(type, {size}, text));
}

std::string failure(ElementType type, StringRef text) {
  Expected<Buffer> buffer = filledBuffer(type, {4}, text);
  return buffer ? "no error" : toString(buffer.takeError());
}

TEST(Fill, WordsAreSplitMix64) {
  // The sequence of the reference implementation (Vigna, splitmix64.c).
  EXPECT_EQ(randomWord(0, 0), 0xe220a8397b1dcdafull);
  EXPECT_EQ(randomWord(0, 1), 0x6e789e6aa1b965f4ull);
  EXPECT_EQ(randomWord(0, 2), 0x06c45d188009454full);
  EXPECT_EQ(randomWord(1234567, 0), 6457827717110365317ull);
  EXPECT_EQ(randomWord(1234567, 1), 3203168211198807973ull);
}

TEST(Fill, UniformFloatsFollowTheFormula) {
  Buffer single = filled(ElementType::F32, 1000, "rand:3");
  Buffer wide = filled(ElementType::F64, 1000, "rand:3");
  Buffer half = filled(ElementType::F16, 1000, "rand:3");
  for (uint64_t i = 0; i != 1000; ++i) {
    uint64_t word = randomWord(3, i);
    EXPECT_EQ(elementAsDouble(ElementType::F32, single.bitsAt(i)),
              double(word >> 40) * 0x1p-23 - 1);
    EXPECT_EQ(elementAsDouble(ElementType::F64, wide.bitsAt(i)), double(word >> 11) * 0x1p-52 - 1);
    EXPECT_EQ(elementAsDouble(ElementType::F16, half.bitsAt(i)), double(word >> 53) * 0x1p-10 - 1);
  }
}

TEST(Fill, RandomIntegersAreTheTopBits) {
  for (const ElementRecord &record : elementRecords()) {
    if (record.kind == ElementKind::Float)
      continue;
    unsigned width = record.kind == ElementKind::Bool ? 1 : record.bits();
    Buffer buffer = filled(record.type, 100, "rand:9");
    for (uint64_t i = 0; i != 100; ++i)
      EXPECT_EQ(buffer.bitsAt(i), randomWord(9, i) >> (64 - width));
  }
}

TEST(Fill, IotaWrapsAndRounds) {
  Buffer bytes = filled(ElementType::I8, 300, "iota");
  EXPECT_EQ(bytes.bitsAt(255), 255u);
  EXPECT_EQ(bytes.bitsAt(256), 0u);
  Buffer halves = filled(ElementType::F16, 2052, "iota");
  EXPECT_EQ(printElement(ElementType::F16, halves.bitsAt(2048)), "2048");
  EXPECT_EQ(printElement(ElementType::F16, halves.bitsAt(2049)), "2048");
  EXPECT_EQ(printElement(ElementType::F16, halves.bitsAt(2051)), "2052");
  Buffer bits = filled(ElementType::Bool, 3, "iota");
  EXPECT_EQ(bits.bitsAt(2), 0u);
}

TEST(Fill, ConstantsFillEveryElement) {
  for (const ElementRecord &record : elementRecords()) {
    Buffer ones = filled(record.type, 3, "ones");
    uint64_t one =
        cantFail(parseElement(record.type, record.kind == ElementKind::Bool ? "true" : "1"));
    for (uint64_t i = 0; i != 3; ++i)
      EXPECT_EQ(ones.bitsAt(i), one);
    EXPECT_EQ(filled(record.type, 3, "zeros").bitsAt(2), 0u);
  }
  EXPECT_EQ(filled(ElementType::F32, 2, "-0.0").bitsAt(1), 0x80000000u);
  EXPECT_EQ(filled(ElementType::F32, 2, "nan").bitsAt(1), 0x7fc00000u);
}

/// The names of APFloat's classes of the values in `buffer`.
std::set<int> classesIn(const Buffer &buffer) {
  std::set<int> classes;
  const ElementRecord &record = recordOf(buffer.type());
  for (uint64_t i = 0; i != buffer.size(); ++i)
    classes.insert(
        int(APFloat(record.semantics(), APInt(record.bits(), buffer.bitsAt(i))).classify()));
  return classes;
}

TEST(Fill, SpecialFloatsHoldEveryClass) {
  constexpr int nan = fcNan, all = fcAllFlags;
  for (ElementType type : {ElementType::F16, ElementType::F32, ElementType::F64}) {
    int special = 0, withNaN = 0;
    for (int one : classesIn(filled(type, 1000, "special:1")))
      special |= one;
    for (int one : classesIn(filled(type, 1000, "nan:1")))
      withNaN |= one;
    EXPECT_EQ(special, all & ~nan) << recordOf(type).name.str();
    EXPECT_EQ(withNaN, all) << recordOf(type).name.str();
  }
}

TEST(Fill, SpecialFloatsHoldTheEnds) {
  Buffer buffer = filled(ElementType::F32, 2000, "special:5");
  std::set<uint64_t> values;
  for (uint64_t i = 0; i != buffer.size(); ++i)
    values.insert(buffer.bitsAt(i));
  for (uint64_t magnitude : {0x00000000u, 0x00000001u, 0x007fffffu, 0x00800000u, 0x3f800000u,
                             0x7f7fffffu, 0x7f800000u}) {
    EXPECT_TRUE(values.count(magnitude)) << magnitude;
    EXPECT_TRUE(values.count(magnitude | 0x80000000u)) << magnitude;
  }
}

TEST(Fill, SpecialIntegersHoldTheEnds) {
  Buffer buffer = filled(ElementType::I16, 1000, "special:5");
  std::set<uint64_t> values;
  for (uint64_t i = 0; i != buffer.size(); ++i)
    values.insert(buffer.bitsAt(i));
  for (uint64_t value : {0x0000u, 0x0001u, 0xffffu, 0x8000u, 0x7fffu, 0xfff8u, 0x0007u, 0x4000u})
    EXPECT_TRUE(values.count(value)) << value;
}

/// Fixed words: a change here changes every recorded result.
TEST(Fill, SpecialWordsAreFixed) {
  Buffer buffer = filled(ElementType::F32, 8, "nan:1");
  std::vector<uint64_t> words;
  for (uint64_t i = 0; i != buffer.size(); ++i)
    words.push_back(buffer.bitsAt(i));
  EXPECT_EQ(words, (std::vector<uint64_t>{0x00025cc1, 0x80000001, 0xfeb2555e, 0x00000000,
                                          0x00000000, 0x007fffff, 0x01363ca5, 0x7f800000}));
}

TEST(Fill, RefusesOtherText) {
  EXPECT_EQ(failure(ElementType::F32, "random"),
            "expected iota, zeros, ones, rand:SEED, special:SEED, nan:SEED, "
            "@FILE.npy or a value of type f32, found 'random'");
  EXPECT_EQ(failure(ElementType::F32, ""),
            "expected iota, zeros, ones, rand:SEED, special:SEED, nan:SEED, "
            "@FILE.npy or a value of type f32, found ''");
  EXPECT_EQ(failure(ElementType::F32, "rand"),
            "expected rand:SEED with a decimal seed, found 'rand'");
  EXPECT_EQ(failure(ElementType::F32, "nan:x"),
            "expected nan:SEED with a decimal seed, found 'nan:x'");
  EXPECT_EQ(failure(ElementType::I32, "nan:1"), "expected a float type for nan:SEED, found i32");
}

TEST(Fill, TooLargeIsAnError) {
  Expected<Buffer> buffer = filledBuffer(ElementType::F64, {uint64_t(1) << 62, 2}, "zeros");
  ASSERT_FALSE(bool(buffer));
  EXPECT_EQ(toString(buffer.takeError()), "cannot allocate memory for f64[4611686018427387904,2]");
}

} // namespace
