//===- ConversionTest.cpp - conversions of arith -===//
//
// Widths, integers to floats and back, float formats in every rounding mode, bit casts: against
// APInt and APFloat.
//
//===----------------------------------------------------------------------===//

#include "OperationTest.h"
#include "llvm/ADT/APSInt.h"

using namespace llvm;
using namespace mettle::interpreter;

namespace {
using ConversionTest = OperationTest;

const unsigned widths[] = {1, 5, 8, 16, 24, 32, 33, 63, 64};

std::string integer(unsigned width) { return "i" + std::to_string(width); }

TEST_F(ConversionTest, IntegerWidths) {
  for (unsigned from : widths)
    for (unsigned to : widths) {
      Cases cases = integerCases(from, 1, caseCount(200, 20000), 1);
      auto check = [&](const std::string &operation, APInt (APInt::*oracle)(unsigned) const) {
        std::string body = "%r = " + operation + " %a : " + integer(from) + " to " + integer(to);
        std::vector<uint64_t> results = evaluate(body, {integer(from)}, integer(to), cases);
        for (size_t number = 0; number < cases.size(); ++number)
          ASSERT_EQ(results[number], (APInt(from, cases[number][0]).*oracle)(to).getZExtValue())
              << body << ' ' << cases[number][0];
      };
      if (from < to) {
        check("arith.extsi", &APInt::sext);
        check("arith.extui", &APInt::zext);
      }
      if (from > to)
        check("arith.trunci", &APInt::trunc);
    }
}

TEST_F(ConversionTest, Index) {
  for (unsigned width : widths) {
    Cases cases = integerCases(width, 1, 200, 2);
    std::vector<uint64_t> isSigned =
        evaluate("%r = arith.index_cast %a : " + integer(width) + " to index", {integer(width)},
                 "index", cases);
    std::vector<uint64_t> isUnsigned =
        evaluate("%r = arith.index_castui %a : " + integer(width) + " to index", {integer(width)},
                 "index", cases);
    Cases words = integerCases(64, 1, 200, 3);
    std::vector<uint64_t> back = evaluate("%r = arith.index_cast %a : index to " + integer(width),
                                          {"index"}, integer(width), words);
    for (size_t number = 0; number < cases.size(); ++number) {
      APInt value(width, cases[number][0]);
      ASSERT_EQ(isSigned[number], value.sextOrTrunc(64).getZExtValue());
      ASSERT_EQ(isUnsigned[number], value.getZExtValue());
    }
    for (size_t number = 0; number < words.size(); ++number)
      ASSERT_EQ(back[number], APInt(64, words[number][0]).trunc(width).getZExtValue());
  }
}

TEST_F(ConversionTest, FlaggedTruncation) {
  const std::string narrow = "%r = arith.trunci %a overflow<";
  EXPECT_EQ(evaluate(narrow + "nsw> : i32 to i8", {"i32"}, "i8", {{127}, {0xFFFFFF80}}),
            (std::vector<uint64_t>{127, 128}));
  EXPECT_NE(diagnose(narrow + "nsw> : i32 to i8", {"i32"}, "i8", {128}), "");
  EXPECT_EQ(evaluate(narrow + "nuw> : i32 to i8", {"i32"}, "i8", {{128}, {255}}),
            (std::vector<uint64_t>{128, 255}));
  EXPECT_NE(diagnose(narrow + "nuw> : i32 to i8", {"i32"}, "i8", {256}), "");
}

TEST_F(ConversionTest, IntegersToFloats) {
  for (const FloatType &type : floatTypes())
    for (unsigned width : widths)
      for (bool isSigned : {false, true}) {
        std::string body = std::string("%r = ") + (isSigned ? "arith.sitofp" : "arith.uitofp") +
                           " %a : " + integer(width) + " to " + type.name;
        Cases cases = integerCases(width, 1, caseCount(1000, 300000), 4);
        // Around every power of two the number of bits that are rounded away changes.
        for (unsigned bit = 0; bit < width; ++bit)
          for (uint64_t offset : {-3, -2, -1, 0, 1, 2, 3})
            for (uint64_t half : {uint64_t(0), (uint64_t(1) << bit) / 2048})
              cases.push_back(
                  {((uint64_t(1) << bit) + offset + half) & (~uint64_t(0) >> (64 - width))});
        std::vector<uint64_t> results = evaluate(body, {integer(width)}, type.name, cases);
        for (size_t number = 0; number < cases.size(); ++number) {
          APFloat expected(type.semantics);
          expected.convertFromAPInt(APInt(width, cases[number][0]), isSigned,
                                    APFloat::rmNearestTiesToEven);
          ASSERT_EQ(results[number], type.write(expected)) << body << ' ' << cases[number][0];
        }
      }
}

TEST_F(ConversionTest, FloatsToIntegers) {
  for (const FloatType &type : floatTypes())
    for (unsigned width : widths)
      for (bool isSigned : {false, true}) {
        std::string body = std::string("%r = ") + (isSigned ? "arith.fptosi" : "arith.fptoui") +
                           " %a : " + type.name + " to " + integer(width);
        Cases candidates = floatCases(type, 1, caseCount(1000, 100000), 5), defined;
        // The ends of the range and their neighbours.
        for (int power : {int(width) - 1, int(width)})
          for (double sign : {1.0, -1.0}) {
            APFloat end(sign * std::ldexp(1.0, power));
            bool loses;
            end.convert(type.semantics, APFloat::rmTowardZero, &loses);
            uint64_t word = end.bitcastToAPInt().getZExtValue();
            for (int offset : {-1, 0, 1})
              candidates.push_back({word + offset});
          }
        std::vector<uint64_t> expected;
        unsigned faults = 0;
        for (std::vector<uint64_t> &words : candidates) {
          APSInt value(width, !isSigned);
          bool exact;
          APFloat::opStatus status =
              type.read(words[0]).convertToInteger(value, APFloat::rmTowardZero, &exact);
          if (!(status & APFloat::opInvalidOp)) {
            defined.push_back(words);
            expected.push_back(value.getZExtValue());
          } else if (++faults <= 12) {
            EXPECT_NE(diagnose(body, {type.name}, integer(width), words).find("cannot hold"),
                      std::string::npos)
                << body << std::hex << ' ' << words[0];
          }
        }
        EXPECT_GT(faults, 0u);
        std::vector<uint64_t> results = evaluate(body, {type.name}, integer(width), defined);
        for (size_t number = 0; number < defined.size(); ++number)
          ASSERT_EQ(results[number], expected[number])
              << body << std::hex << ' ' << defined[number][0];
      }
}

TEST_F(ConversionTest, FaultsNameTheNumber) {
  const std::string fault = "k:7:6: error: work-item (0, 0, 0) of workgroup (0, 0, 0) converts ";
  auto convert = [&](uint64_t word) {
    return diagnose("%r = arith.fptoui %a : f64 to i8", {"f64"}, "i8", {word});
  };
  EXPECT_EQ(convert(0x41E65A0BC0000000),
            fault + "3.0E+9 to an unsigned i8, which cannot hold it\n");
  EXPECT_EQ(convert(0xBFF8000000000000), fault + "-1.5 to an unsigned i8, which cannot hold it\n");
  EXPECT_EQ(convert(0x7FF8000000000000), fault + "NaN to an unsigned i8, which cannot hold it\n");
}

TEST_F(ConversionTest, FloatFormatsAndRoundings) {
  const std::pair<const char *, APFloat::roundingMode> modes[] = {
      {"", APFloat::rmNearestTiesToEven},      {"to_nearest_even", APFloat::rmNearestTiesToEven},
      {"downward", APFloat::rmTowardNegative}, {"upward", APFloat::rmTowardPositive},
      {"toward_zero", APFloat::rmTowardZero},  {"to_nearest_away", APFloat::rmNearestTiesToAway},
  };
  for (const FloatType &from : floatTypes())
    for (const FloatType &to : floatTypes()) {
      auto check = [&](const std::string &operation, APFloat::roundingMode mode) {
        std::string body = "%r = " + operation + " : " + from.name + " to " + to.name;
        Cases cases = floatCases(from, 1, caseCount(2000, 300000), 6);
        // Words whose low bits are near a tie in the narrower format.
        Random random(7);
        for (unsigned number = 0; number < caseCount(2000, 300000); ++number) {
          unsigned cut = APFloat::semanticsPrecision(from.semantics) -
                         APFloat::semanticsPrecision(to.semantics) + random.below(4);
          uint64_t word = randomInteger(random, from.width);
          if (from.width > to.width)
            word = (word >> cut << cut) + (uint64_t(1) << (cut - 1)) + random.below(3) - 1;
          cases.push_back({word & (~uint64_t(0) >> (64 - from.width))});
        }
        std::vector<uint64_t> results = evaluate(body, {from.name}, to.name, cases);
        for (size_t number = 0; number < cases.size(); ++number) {
          APFloat expected = from.read(cases[number][0]);
          bool loses;
          expected.convert(to.semantics, mode, &loses);
          ASSERT_EQ(results[number], to.write(expected))
              << body << std::hex << ' ' << cases[number][0];
        }
      };
      if (from.width < to.width)
        check("arith.extf %a", APFloat::rmNearestTiesToEven);
      if (from.width > to.width)
        for (auto [name, mode] : modes)
          check(std::string("arith.truncf %a ") + name, mode);
    }
}

TEST_F(ConversionTest, BitcastsKeepEveryBit) {
  for (const FloatType &type : floatTypes()) {
    std::string bits = integer(type.width), name = type.name;
    Cases cases = floatCases(type, 1, 500, 8);
    std::vector<uint64_t> there =
        evaluate("%r = arith.bitcast %a : " + bits + " to " + name, {bits}, name, cases);
    std::vector<uint64_t> back =
        evaluate("%r = arith.bitcast %a : " + name + " to " + bits, {name}, bits, cases);
    for (size_t number = 0; number < cases.size(); ++number) {
      ASSERT_EQ(there[number], cases[number][0]);
      ASSERT_EQ(back[number], cases[number][0]);
    }
  }
}
} // namespace
