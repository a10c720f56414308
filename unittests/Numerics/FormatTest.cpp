//===- FormatTest.cpp - Formats against APFloat ---------------------------===//
//
// Decoding over every code and encoding under every rounding, judged by LLVM's APFloat. The lit
// test formats.test judges the same conversions by ml-dtypes.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Format.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "Random.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mettle::numerics;
using llvm::APFloat;

namespace {

struct Judge {
  Format format;
  const llvm::fltSemantics &semantics;
  unsigned shift; // our code = APFloat's word << shift
};

const Judge judges[] = {
    {Format::F16, APFloat::IEEEhalf(), 0},
    {Format::BF16, APFloat::BFloat(), 0},
    {Format::TF32, APFloat::FloatTF32(), 13},
    {Format::F32, APFloat::IEEEsingle(), 0},
    {Format::E4M3, APFloat::Float8E4M3FN(), 0},
    {Format::E5M2, APFloat::Float8E5M2(), 0},
    {Format::E3M2, APFloat::Float6E3M2FN(), 0},
    {Format::E2M3, APFloat::Float6E2M3FN(), 0},
    {Format::E2M1, APFloat::Float4E2M1FN(), 0},
    {Format::E4M3FNUZ, APFloat::Float8E4M3FNUZ(), 0},
    {Format::E5M2FNUZ, APFloat::Float8E5M2FNUZ(), 0},
};

const std::pair<Rounding, llvm::RoundingMode> roundings[] = {
    {Rounding::NearestEven, llvm::RoundingMode::NearestTiesToEven},
    {Rounding::NearestAway, llvm::RoundingMode::NearestTiesToAway},
    {Rounding::TowardZero, llvm::RoundingMode::TowardZero},
    {Rounding::Up, llvm::RoundingMode::TowardPositive},
    {Rounding::Down, llvm::RoundingMode::TowardNegative},
};

APFloat judged(const Judge &judge, uint64_t code) {
  unsigned width = APFloat::getSizeInBits(judge.semantics);
  return APFloat(judge.semantics, llvm::APInt(width, code >> judge.shift, false, true));
}

uint64_t wordOf(const Judge &judge, const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue() << judge.shift;
}

void expectDecodes(const Judge &judge, uint64_t code) {
  APFloat value = judged(judge, code);
  double got = toDouble(judge.format, code);
  bool lost;
  APFloat wide = value;
  wide.convert(APFloat::IEEEdouble(), llvm::RoundingMode::NearestTiesToEven, &lost);
  if (value.isNaN())
    EXPECT_TRUE(std::isnan(got)) << name(judge.format).str() << " " << code;
  else
    EXPECT_EQ(llvm::bit_cast<uint64_t>(got), wide.bitcastToAPInt().getZExtValue())
        << name(judge.format).str() << " " << code;
}

// APFloat's IEEE overflow agrees with ByRounding where the format has an infinity; where it has
// none, APFloat's own conventions differ by format, so those go through expectOverflow.
void expectEncodes(const Judge &judge, double input) {
  const FormatInfo &f = info(judge.format);
  for (auto [rounding, mode] : roundings) {
    APFloat value(input);
    bool lost;
    value.convert(judge.semantics, mode, &lost);
    uint64_t got = fromDouble(judge.format, input, rounding);
    if (std::isnan(input)) {
      EXPECT_EQ(got, f.hasNaN() ? f.nan : f.maxFinite());
      continue;
    }
    if (!f.hasInfinity() && std::fabs(input) > toDouble(judge.format, f.maxFinite()))
      continue;
    EXPECT_EQ(got, wordOf(judge, value))
        << name(judge.format).str() << " " << name(rounding).str() << " " << input;
  }
}

TEST(Format, DecodesEveryCodeAsAPFloat) {
  for (const Judge &judge : judges) {
    unsigned width = info(judge.format).bits;
    if (width > 16) {
      mettle::numerics::test::Random random(1);
      for (int i = 0; i < 1000000; ++i)
        expectDecodes(judge, (random.word() & llvm::maskTrailingOnes<uint64_t>(width)) >>
                                 judge.shift << judge.shift);
      continue;
    }
    for (uint64_t code = 0; code < uint64_t(1) << width; ++code)
      expectDecodes(judge, code);
  }
}

TEST(Format, EncodesAroundEveryCodeAsAPFloat) {
  for (const Judge &judge : judges) {
    unsigned width = info(judge.format).bits;
    if (width > 16)
      continue;
    for (uint64_t code = 0; code < uint64_t(1) << width; ++code) {
      double value = toDouble(judge.format, code);
      double next = toDouble(judge.format, (code + 1) & llvm::maskTrailingOnes<uint64_t>(width));
      expectEncodes(judge, value);
      if (!std::isfinite(value) || !std::isfinite(next) ||
          std::signbit(value) != std::signbit(next))
        continue;
      double middle = value + (next - value) / 2;
      expectEncodes(judge, middle);
      expectEncodes(judge, std::nextafter(middle, value));
      expectEncodes(judge, std::nextafter(middle, next));
      expectEncodes(judge, std::nextafter(value, next));
    }
  }
}

TEST(Format, EncodesRandomDoublesAsAPFloat) {
  mettle::numerics::test::Random random(2);
  int count = mettle::numerics::test::deep() ? 3000000 : 100000;
  for (int i = 0; i < count; ++i) {
    uint64_t bits = random.word();
    double anywhere = llvm::bit_cast<double>(bits);
    // Exponents that the narrow formats can hold, plus a margin on both sides.
    double near =
        llvm::bit_cast<double>((bits & 0x800FFFFFFFFFFFFF) | (random.below(360) + 843) << 52);
    for (const Judge &judge : judges) {
      expectEncodes(judge, near);
      if (i % 16 == 0)
        expectEncodes(judge, anywhere);
    }
  }
}

TEST(Format, OverflowRules) {
  auto word = [](Format format, double value, Rounding rounding, Overflow overflow) {
    return fromDouble(format, value, rounding, overflow);
  };
  const double huge = 1e30, infinity = INFINITY;
  using R = Rounding;
  using O = Overflow;
  EXPECT_EQ(word(Format::F16, huge, R::TowardZero, O::ByRounding), 0x7BFFu);
  EXPECT_EQ(word(Format::F16, huge, R::TowardZero, O::Infinity), 0x7C00u);
  EXPECT_EQ(word(Format::F16, -huge, R::Up, O::ByRounding), 0xFBFFu);
  EXPECT_EQ(word(Format::F16, -huge, R::Down, O::ByRounding), 0xFC00u);
  EXPECT_EQ(word(Format::F16, 65519.9, R::NearestEven, O::ByRounding), 0x7BFFu);
  EXPECT_EQ(word(Format::F16, 65520, R::NearestEven, O::ByRounding), 0x7C00u);
  EXPECT_EQ(word(Format::F16, infinity, R::NearestEven, O::Saturate), 0x7BFFu);
  EXPECT_EQ(word(Format::E4M3, huge, R::NearestEven, O::ByRounding), 0x7Fu);
  EXPECT_EQ(word(Format::E4M3, -huge, R::NearestEven, O::Saturate), 0xFEu);
  EXPECT_EQ(word(Format::E4M3, -infinity, R::NearestEven, O::Saturate), 0xFEu);
  EXPECT_EQ(word(Format::E5M2, infinity, R::NearestEven, O::Saturate), 0x7Bu);
  EXPECT_EQ(word(Format::E5M2, huge, R::NearestEven, O::ByRounding), 0x7Cu);
  EXPECT_EQ(word(Format::E2M1, huge, R::NearestEven, O::ByRounding), 0x7u);
  EXPECT_EQ(word(Format::E2M1, -infinity, R::NearestEven, O::Infinity), 0xFu);
  EXPECT_EQ(word(Format::E2M1, NAN, R::NearestEven, O::Saturate), 0x7u);
  EXPECT_EQ(word(Format::E4M3FNUZ, huge, R::NearestEven, O::ByRounding), 0x80u);
  EXPECT_EQ(word(Format::E4M3FNUZ, -0.0, R::NearestEven, O::ByRounding), 0x00u);
  EXPECT_EQ(word(Format::E4M3FNUZ, -1e-30, R::NearestEven, O::ByRounding), 0x00u);
}

TEST(Format, PowersOfTwoAndUnsigned) {
  EXPECT_EQ(toDouble(Format::UE8M0, 0), 0x1p-127);
  EXPECT_EQ(toDouble(Format::UE8M0, 127), 1.0);
  EXPECT_EQ(toDouble(Format::UE8M0, 254), 0x1p127);
  EXPECT_TRUE(std::isnan(toDouble(Format::UE8M0, 255)));
  for (uint64_t code = 0; code < 255; ++code)
    EXPECT_EQ(fromDouble(Format::UE8M0, toDouble(Format::UE8M0, code)), code);
  EXPECT_EQ(fromDouble(Format::UE8M0, 1.5), 128u);
  EXPECT_EQ(fromDouble(Format::UE8M0, 1.49), 127u);
  EXPECT_EQ(fromDouble(Format::UE8M0, 1.99, Rounding::TowardZero), 127u);
  EXPECT_EQ(fromDouble(Format::UE8M0, 1.01, Rounding::Up), 128u);
  EXPECT_EQ(fromDouble(Format::UE8M0, 0x1p128), 255u);
  EXPECT_EQ(fromDouble(Format::UE8M0, 0x1p128, Rounding::NearestEven, Overflow::Saturate), 254u);
  EXPECT_EQ(fromDouble(Format::UE8M0, 0.0), 0u);
  EXPECT_EQ(fromDouble(Format::UE8M0, -1.0), 255u);
  for (uint64_t code = 0; code < 128; ++code)
    EXPECT_EQ(convert(Format::UE4M3, code, Format::E4M3), code);
  EXPECT_EQ(fromDouble(Format::UE4M3, 448), 0x7Eu);
  EXPECT_EQ(decode(Format::UE4M3, 0xFE).negative, false) << "bit 7 is no part of a code";
}

TEST(Format, Integers) {
  for (Format format : {Format::I8, Format::U8, Format::I4, Format::U4, Format::B1}) {
    const FormatInfo &f = info(format);
    for (uint64_t code = 0; code < uint64_t(1) << f.bits; ++code) {
      double value = f.isSigned ? double(llvm::SignExtend64(code, f.bits)) : double(code);
      EXPECT_EQ(toDouble(format, code), value);
      EXPECT_EQ(fromDouble(format, value), code);
    }
  }
  EXPECT_EQ(fromDouble(Format::I8, 128, Rounding::NearestEven, Overflow::Saturate), 127u);
  EXPECT_EQ(fromDouble(Format::I8, 128, Rounding::NearestEven, Overflow::Wrap), 0x80u);
  EXPECT_EQ(fromDouble(Format::I8, -129, Rounding::NearestEven, Overflow::Wrap), 0x7Fu);
  EXPECT_EQ(fromDouble(Format::U4, -1, Rounding::NearestEven, Overflow::Saturate), 0u);
  EXPECT_EQ(fromDouble(Format::I32, 2.5), 2u);
  EXPECT_EQ(fromDouble(Format::I32, -2.5, Rounding::NearestAway), uint32_t(-3));
  EXPECT_EQ(fromDouble(Format::I32, -INFINITY, Rounding::NearestEven, Overflow::Saturate),
            0x80000000u);
  EXPECT_EQ(fromDouble(Format::I32, 0x1p32 + 5, Rounding::TowardZero, Overflow::Wrap), 5u);
  EXPECT_EQ(fromDouble(Format::I32, NAN), 0u);
}

TEST(Format, StickyActsBelowTheSignificand) {
  Number one{Number::Finite, false, uint64_t(1) << 63, -63};
  EXPECT_EQ(encode(Format::F16, one, Rounding::Up, Overflow::ByRounding, true), 0x3C01u);
  EXPECT_EQ(encode(Format::F16, one, Rounding::NearestEven, Overflow::ByRounding, true), 0x3C00u);
  Number tie{Number::Finite, false, (uint64_t(1) << 63) | (uint64_t(1) << 52), -63};
  EXPECT_EQ(encode(Format::F16, tie), 0x3C00u);
  EXPECT_EQ(encode(Format::F16, tie, Rounding::NearestEven, Overflow::ByRounding, true), 0x3C01u);
}

TEST(Format, NamesParseBack) {
  for (const FormatInfo &f : allFormats())
    EXPECT_EQ(parseFormat(f.name), f.format);
  EXPECT_EQ(parseFormat("s8"), Format::I8);
  EXPECT_FALSE(parseFormat("f17"));
  EXPECT_FALSE(parseFormat(""));
}

TEST(ScalarConvert, EqualsFormatOverAllF16AndBF16) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    float half = decodeF16(uint16_t(code)), brain = decodeBF16(uint16_t(code));
    if (decode(Format::F16, code).kind == Number::NaN)
      EXPECT_TRUE(std::isnan(half));
    else
      EXPECT_EQ(bitsOf(half), convert(Format::F16, code, Format::F32));
    if (decode(Format::BF16, code).kind == Number::NaN)
      EXPECT_TRUE(std::isnan(brain));
    else
      EXPECT_EQ(bitsOf(brain), convert(Format::BF16, code, Format::F32));
  }
}

TEST(ScalarConvert, EqualsFormatOverF32) {
  // Deep: all 2^32 words; else every word whose low bits decide a rounding, in every binade.
  uint64_t step = mettle::numerics::test::deep() ? 1 : 1021;
  for (uint64_t word = 0; word < uint64_t(1) << 32; word += step) {
    float value = floatOf(uint32_t(word));
    ASSERT_EQ(encodeF16(value), convert(Format::F32, word, Format::F16)) << word;
    ASSERT_EQ(encodeBF16(value), convert(Format::F32, word, Format::BF16)) << word;
  }
  for (uint64_t high = 0; high < 0x10000; ++high)
    for (uint64_t low :
         {0x0u, 0x1u, 0xFFFu, 0x1000u, 0x1001u, 0x3000u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) {
      uint64_t word = high << 16 | low;
      ASSERT_EQ(encodeF16(floatOf(uint32_t(word))), convert(Format::F32, word, Format::F16))
          << word;
      ASSERT_EQ(encodeBF16(floatOf(uint32_t(word))), convert(Format::F32, word, Format::BF16))
          << word;
    }
}

} // namespace
