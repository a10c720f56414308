//===- ElementTest.cpp - Values and their text ----------------------------===//
//
// Text to bits and back without losing one, judged by the C library where it has
// the format, and every kind of wrong text.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/Element.h"

#include "Mettle/Runtime/Fill.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace mettle::runtime;

namespace {

/// "0x…" of the parsed bits, or the error.
std::string parsed(ElementType type, StringRef text, bool signless = false) {
  Expected<uint64_t> bits = parseElement(type, text, signless);
  if (!bits)
    return toString(bits.takeError());
  return "0x" + utohexstr(*bits, /*LowerCase=*/true);
}

TEST(Element, TableIsInOrderOfTheEnumeration) {
  for (auto [index, record] : enumerate(elementRecords())) {
    EXPECT_EQ(size_t(record.type), index);
    EXPECT_EQ(elementNamed(record.name), record.type);
  }
  EXPECT_EQ(elementNamed("f33"), std::nullopt);
}

TEST(Element, IntegersTakeExactlyTheirRange) {
  for (const ElementRecord &record : elementRecords()) {
    if (record.kind != ElementKind::Signed && record.kind != ElementKind::Unsigned)
      continue;
    bool isSigned = record.kind == ElementKind::Signed;
    APInt highest =
        isSigned ? APInt::getSignedMaxValue(record.bits()) : APInt::getMaxValue(record.bits());
    APInt lowest =
        isSigned ? APInt::getSignedMinValue(record.bits()) : APInt::getMinValue(record.bits());
    auto text = [&](APInt value, int add) {
      value = isSigned ? value.sext(80) : value.zext(80);
      return toString(value + APInt(80, uint64_t(int64_t(add)), true), 10,
                      /*Signed=*/true);
    };
    EXPECT_EQ(cantFail(parseElement(record.type, text(highest, 0))), highest.getZExtValue());
    EXPECT_EQ(cantFail(parseElement(record.type, text(lowest, 0))), lowest.getZExtValue());
    for (std::string bad : {text(highest, 1), text(lowest, -1)}) {
      Expected<uint64_t> bits = parseElement(record.type, bad);
      EXPECT_FALSE(bool(bits)) << bad;
      std::string message = toString(bits.takeError());
      EXPECT_NE(message.find("of type " + record.name.str()), std::string::npos) << message;
    }
  }
}

TEST(Element, SignlessTakesBothRanges) {
  EXPECT_EQ(parsed(ElementType::I32, "4294967295", true), "0xffffffff");
  EXPECT_EQ(parsed(ElementType::I32, "-2147483648", true), "0x80000000");
  EXPECT_EQ(parsed(ElementType::I32, "4294967296", true),
            "expected an integer from -2147483648 to 4294967295 of type i32, "
            "found '4294967296'");
  EXPECT_EQ(parsed(ElementType::I32, "4294967295"),
            "expected an integer from -2147483648 to 2147483647 of type i32, "
            "found '4294967295'");
}

TEST(Element, ReadsSpellings) {
  EXPECT_EQ(parsed(ElementType::I32, "0x10"), "0x10");
  EXPECT_EQ(parsed(ElementType::I32, "-0x10"), "0xfffffff0");
  EXPECT_EQ(parsed(ElementType::U8, "0b101"), "0x5");
  EXPECT_EQ(parsed(ElementType::I32, "010"), "0xa");
  EXPECT_EQ(parsed(ElementType::F32, "1.5"), "0x3fc00000");
  EXPECT_EQ(parsed(ElementType::F32, "3"), "0x40400000");
  EXPECT_EQ(parsed(ElementType::F32, "-0.0"), "0x80000000");
  EXPECT_EQ(parsed(ElementType::F32, "-0"), "0x80000000");
  EXPECT_EQ(parsed(ElementType::F32, "0x10"), "0x41800000");
  EXPECT_EQ(parsed(ElementType::F32, "0x1.8p-1"), "0x3f400000");
  EXPECT_EQ(parsed(ElementType::F32, "inf"), "0x7f800000");
  EXPECT_EQ(parsed(ElementType::F32, "-inf"), "0xff800000");
  EXPECT_EQ(parsed(ElementType::F32, "nan"), "0x7fc00000");
  EXPECT_EQ(parsed(ElementType::F32, "bits:0x7fc00001"), "0x7fc00001");
  EXPECT_EQ(parsed(ElementType::F16, "65504"), "0x7bff");
  EXPECT_EQ(parsed(ElementType::F64, "0.1"), "0x3fb999999999999a");
  EXPECT_EQ(parsed(ElementType::I16, "bits:0xffff"), "0xffff");
  EXPECT_EQ(parsed(ElementType::Bool, "true"), "0x1");
  EXPECT_EQ(parsed(ElementType::Bool, "0"), "0x0");
}

TEST(Element, RefusesOtherText) {
  struct {
    ElementType type;
    StringRef text, message;
  } cases[] = {
      {ElementType::I32, "", "expected an integer of type i32, found ''"},
      {ElementType::I32, "1.5", "expected an integer of type i32, found '1.5'"},
      {ElementType::I32, "-", "expected an integer of type i32, found '-'"},
      {ElementType::I32, "--1", "expected an integer of type i32, found '--1'"},
      {ElementType::I32, "0x", "expected an integer of type i32, found '0x'"},
      {ElementType::I32, "1 ", "expected an integer of type i32, found '1 '"},
      {ElementType::I64, "99999999999999999999",
       "expected an integer of type i64, found '99999999999999999999'"},
      {ElementType::U8, "-1", "expected an integer from 0 to 255 of type u8, found '-1'"},
      {ElementType::F32, "", "expected a number of type f32, found ''"},
      {ElementType::F32, ".", "expected a number of type f32, found '.'"},
      {ElementType::F32, "1e", "expected a number of type f32, found '1e'"},
      {ElementType::F32, "1f", "expected a number of type f32, found '1f'"},
      {ElementType::F32, "0x", "expected a number of type f32, found '0x'"},
      {ElementType::F32, "infinity", "expected a number of type f32, found 'infinity'"},
      {ElementType::F32, "1e39", "expected a number in the range of type f32, found '1e39'"},
      {ElementType::F16, "65520", "expected a number in the range of type f16, found '65520'"},
      {ElementType::F32, "bits:0x100000000",
       "expected 32 bits of type f32, found 'bits:0x100000000'"},
      {ElementType::F32, "bits:", "expected 32 bits of type f32, found 'bits:'"},
      {ElementType::Bool, "2", "expected true or false of type bool, found '2'"},
      {ElementType::Bool, "bits:2", "expected 1 bits of type bool, found 'bits:2'"},
  };
  for (const auto &test : cases)
    EXPECT_EQ(parsed(test.type, test.text), test.message);
}

TEST(Element, ExtremeExponentsDoNotOverflowTheParser) {
  EXPECT_EQ(parsed(ElementType::F32, "1e-99999999999999999999"), "0x0");
  EXPECT_EQ(parsed(ElementType::F32, "0e99999999999999999999"), "0x0");
  EXPECT_EQ(parsed(ElementType::F64, "1e99999999999999999999"),
            "expected a number in the range of type f64, found "
            "'1e99999999999999999999'");
  EXPECT_EQ(parsed(ElementType::F64, "0x1p-99999999999999999999"), "0x0");
}

TEST(Element, EveryHalfReadsBack) {
  for (uint64_t bits = 0; bits != 1 << 16; ++bits) {
    std::string text = printElement(ElementType::F16, bits);
    ASSERT_EQ(cantFail(parseElement(ElementType::F16, text)), bits) << text;
  }
}

TEST(Element, WordsOfEveryTypeReadBack) {
  for (const ElementRecord &record : elementRecords()) {
    uint64_t mask =
        record.kind == ElementKind::Bool ? 1 : maskTrailingOnes<uint64_t>(record.bits());
    for (uint64_t i = 0; i != 20000; ++i) {
      uint64_t bits = randomWord(7, i) & mask;
      std::string text = printElement(record.type, bits);
      ASSERT_EQ(cantFail(parseElement(record.type, text)), bits) << text;
    }
  }
}

TEST(Element, DecimalsRoundAsTheCLibraryDoes) {
  for (uint64_t i = 0; i != 20000; ++i) {
    // Up to 19 digits, with exponents that reach the subnormals of both formats.
    uint64_t word = randomWord(11, i);
    std::string text = std::to_string(word >> (word % 60)) + "e" +
                       std::to_string(int(randomWord(12, i) % 90) - 65);
    float narrow = std::strtof(text.c_str(), nullptr);
    uint32_t narrowBits;
    std::memcpy(&narrowBits, &narrow, sizeof(narrow));
    Expected<uint64_t> bits = parseElement(ElementType::F32, text);
    if (bits)
      ASSERT_EQ(*bits, narrowBits) << text;
    else
      ASSERT_EQ(narrow, HUGE_VALF) << toString(bits.takeError());

    double wide = std::strtod(text.c_str(), nullptr);
    uint64_t wideBits;
    std::memcpy(&wideBits, &wide, sizeof(wide));
    ASSERT_EQ(cantFail(parseElement(ElementType::F64, text)), wideBits) << text;
  }
}

TEST(Element, PrintsTheShortestText) {
  EXPECT_EQ(printElement(ElementType::F32, 0x3dcccccd), "0.1");
  EXPECT_EQ(printElement(ElementType::F16, 0x2e66), "0.1");
  EXPECT_EQ(printElement(ElementType::F32, 0x80000000), "-0");
  EXPECT_EQ(printElement(ElementType::F32, 0xff800000), "-inf");
  EXPECT_EQ(printElement(ElementType::F32, 0x7fc00000), "nan");
  EXPECT_EQ(printElement(ElementType::F32, 0xffc00000), "bits:0xffc00000");
  EXPECT_EQ(printElement(ElementType::I8, 0x80), "-128");
  EXPECT_EQ(printElement(ElementType::Bool, 1), "true");
}

} // namespace
