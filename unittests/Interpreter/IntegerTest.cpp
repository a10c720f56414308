//===- IntegerTest.cpp - integer arithmetic against APInt -===//
//
// Every integer operation of arith and math at every kind of width: bit for bit where arith defines
// a result, and the error where it does not.
//
//===----------------------------------------------------------------------===//

#include "OperationTest.h"
#include "llvm/ADT/APSInt.h"
#include <functional>

using namespace llvm;
using namespace mettle::interpreter;

namespace {
const unsigned widths[] = {1, 5, 8, 16, 24, 32, 33, 63, 64};

/// None where arith leaves the result undefined or poison.
using Oracle = std::function<std::optional<APInt>(const APInt &a, const APInt &b)>;

class IntegerTest : public OperationTest {
protected:
  /// Compares `%r = operation a, b flags` with the oracle; where that has no result, each of the
  /// first few such cases must be a fault whose text contains `fault`.
  void compare(const std::string &operation, uint64_t seed, const Oracle &oracle,
               const std::string &fault = "", const std::string &flags = "") {
    for (unsigned width : widths) {
      std::string type = "i" + std::to_string(width);
      std::string body = "%r = " + operation + " %a, %b " + flags + " : " + type;
      Cases defined;
      std::vector<uint64_t> expected;
      unsigned faults = 0;
      for (std::vector<uint64_t> &words : integerCases(width, 2, caseCount(1000, 100000), seed)) {
        APInt a(width, words[0]), b(width, words[1]);
        if (std::optional<APInt> result = oracle(a, b)) {
          defined.push_back(words);
          expected.push_back(result->getZExtValue());
        } else if (++faults <= 12) {
          std::string text = diagnose(body, {type, type}, type, words);
          EXPECT_NE(text.find(fault), std::string::npos)
              << body << ' ' << words[0] << ' ' << words[1] << ": " << text;
          EXPECT_NE(text, "") << body << ' ' << words[0] << ' ' << words[1];
        }
      }
      // A product of bits never overflows.
      EXPECT_TRUE(faults == 0 ? fault.empty() || width == 1 : !fault.empty()) << body;
      std::vector<uint64_t> results = evaluate(body, {type, type}, type, defined);
      for (size_t number = 0; number < results.size(); ++number)
        ASSERT_EQ(results[number], expected[number])
            << body << ' ' << defined[number][0] << ' ' << defined[number][1];
    }
  }
};

TEST_F(IntegerTest, WrappingArithmetic) {
  compare("arith.addi", 1, [](const APInt &a, const APInt &b) { return a + b; });
  compare("arith.subi", 2, [](const APInt &a, const APInt &b) { return a - b; });
  compare("arith.muli", 3, [](const APInt &a, const APInt &b) { return a * b; });
}

TEST_F(IntegerTest, Logic) {
  compare("arith.andi", 4, [](const APInt &a, const APInt &b) { return a & b; });
  compare("arith.ori", 5, [](const APInt &a, const APInt &b) { return a | b; });
  compare("arith.xori", 6, [](const APInt &a, const APInt &b) { return a ^ b; });
}

TEST_F(IntegerTest, Extremes) {
  compare("arith.maxsi", 7, [](const APInt &a, const APInt &b) { return APIntOps::smax(a, b); });
  compare("arith.minsi", 8, [](const APInt &a, const APInt &b) { return APIntOps::smin(a, b); });
  compare("arith.maxui", 9, [](const APInt &a, const APInt &b) { return APIntOps::umax(a, b); });
  compare("arith.minui", 10, [](const APInt &a, const APInt &b) { return APIntOps::umin(a, b); });
}

/// The result of a function of APInt that says whether it overflowed.
template <APInt (APInt::*Function)(const APInt &, bool &) const>
std::optional<APInt> unlessOverflow(const APInt &a, const APInt &b) {
  bool overflows;
  APInt result = (a.*Function)(b, overflows);
  return overflows ? std::nullopt : std::optional(result);
}

TEST_F(IntegerTest, FlaggedOverflow) {
  const std::string nsw = "overflow<nsw>", nuw = "overflow<nuw>";
  compare("arith.addi", 11, unlessOverflow<&APInt::sadd_ov>, "marked nsw", nsw);
  compare("arith.addi", 12, unlessOverflow<&APInt::uadd_ov>, "marked nuw", nuw);
  compare("arith.subi", 13, unlessOverflow<&APInt::ssub_ov>, "marked nsw", nsw);
  compare("arith.subi", 14, unlessOverflow<&APInt::usub_ov>, "marked nuw", nuw);
  compare("arith.muli", 15, unlessOverflow<&APInt::smul_ov>, "marked nsw", nsw);
  compare("arith.muli", 16, unlessOverflow<&APInt::umul_ov>, "marked nuw", nuw);
  compare("arith.shli", 17, unlessOverflow<&APInt::sshl_ov>, "shifts", nsw);
  compare("arith.shli", 18, unlessOverflow<&APInt::ushl_ov>, "shifts", nuw);
}

std::optional<APInt> checkedShift(const APInt &a, const APInt &b,
                                  APInt (APInt::*shift)(unsigned) const, bool exact) {
  if (b.uge(a.getBitWidth()))
    return std::nullopt;
  unsigned count = b.getZExtValue();
  if (exact && a.countr_zero() < count && !a.isZero())
    return std::nullopt;
  return (a.*shift)(count);
}

TEST_F(IntegerTest, Shifts) {
  compare(
      "arith.shli", 20,
      [](const APInt &a, const APInt &b) { return checkedShift(a, b, &APInt::shl, false); },
      "shifts an i");
  compare(
      "arith.shrui", 21,
      [](const APInt &a, const APInt &b) { return checkedShift(a, b, &APInt::lshr, false); },
      "shifts an i");
  compare(
      "arith.shrsi", 22,
      [](const APInt &a, const APInt &b) { return checkedShift(a, b, &APInt::ashr, false); },
      "shifts an i");
  compare(
      "arith.shrui", 23,
      [](const APInt &a, const APInt &b) { return checkedShift(a, b, &APInt::lshr, true); },
      "shifts", "exact");
  compare(
      "arith.shrsi", 24,
      [](const APInt &a, const APInt &b) { return checkedShift(a, b, &APInt::ashr, true); },
      "shifts", "exact");
}

/// A quotient in numbers so wide that it is never undefined; none where it does not fit.
std::optional<APInt> divideSigned(const APInt &a, const APInt &b, APInt::Rounding rounding) {
  if (b.isZero())
    return std::nullopt;
  APInt quotient = APIntOps::RoundingSDiv(a.sext(128), b.sext(128), rounding);
  return quotient.isSignedIntN(a.getBitWidth()) ? std::optional(quotient.trunc(a.getBitWidth()))
                                                : std::nullopt;
}

std::optional<APInt> divideUnsigned(const APInt &a, const APInt &b, APInt::Rounding rounding) {
  if (b.isZero())
    return std::nullopt;
  return APIntOps::RoundingUDiv(a.zext(128), b.zext(128), rounding).trunc(a.getBitWidth());
}

TEST_F(IntegerTest, Division) {
  const auto zero = APInt::Rounding::TOWARD_ZERO, up = APInt::Rounding::UP,
             down = APInt::Rounding::DOWN;
  auto signedRounding = [](APInt::Rounding rounding) {
    return [=](const APInt &a, const APInt &b) { return divideSigned(a, b, rounding); };
  };
  auto unsignedRounding = [](APInt::Rounding rounding) {
    return [=](const APInt &a, const APInt &b) { return divideUnsigned(a, b, rounding); };
  };
  compare("arith.divsi", 30, signedRounding(zero), "divides");
  compare("arith.ceildivsi", 31, signedRounding(up), "divides");
  compare("arith.floordivsi", 32, signedRounding(down), "divides");
  compare("arith.divui", 33, unsignedRounding(zero), "divides by zero");
  compare("arith.ceildivui", 34, unsignedRounding(up), "divides by zero");
  compare(
      "arith.divsi", 35,
      [&](const APInt &a, const APInt &b) -> std::optional<APInt> {
        std::optional<APInt> quotient = divideSigned(a, b, zero);
        return quotient && *quotient * b == a ? quotient : std::nullopt;
      },
      "divides", "exact");
  compare(
      "arith.divui", 36,
      [&](const APInt &a, const APInt &b) -> std::optional<APInt> {
        std::optional<APInt> quotient = divideUnsigned(a, b, zero);
        return quotient && *quotient * b == a ? quotient : std::nullopt;
      },
      "divides", "exact");
}

TEST_F(IntegerTest, Remainder) {
  compare(
      "arith.remsi", 37,
      [](const APInt &a, const APInt &b) -> std::optional<APInt> {
        return b.isZero() ? std::nullopt
                          : std::optional(a.sext(128).srem(b.sext(128)).trunc(a.getBitWidth()));
      },
      "divides by zero");
  compare(
      "arith.remui", 38,
      [](const APInt &a, const APInt &b) -> std::optional<APInt> {
        return b.isZero() ? std::nullopt : std::optional(a.urem(b));
      },
      "divides by zero");
}

TEST_F(IntegerTest, ExtendedResults) {
  struct Extended {
    const char *operation;
    const char *results;
    unsigned which;
    APInt (*oracle)(const APInt &, const APInt &);
  };
  const Extended all[] = {
      {"arith.mulsi_extended", "%r, %other", 0,
       [](const APInt &a, const APInt &b) { return a * b; }},
      {"arith.mulsi_extended", "%other, %r", 1,
       [](const APInt &a, const APInt &b) {
         return (a.sext(128) * b.sext(128)).extractBits(a.getBitWidth(), a.getBitWidth());
       }},
      {"arith.mului_extended", "%r, %other", 0,
       [](const APInt &a, const APInt &b) { return a * b; }},
      {"arith.mului_extended", "%other, %r", 1,
       [](const APInt &a, const APInt &b) {
         return (a.zext(128) * b.zext(128)).extractBits(a.getBitWidth(), a.getBitWidth());
       }},
      {"arith.addui_extended", "%r, %other", 0,
       [](const APInt &a, const APInt &b) { return a + b; }},
      {"arith.addui_extended", "%other, %r", 1,
       [](const APInt &a, const APInt &b) { return APInt(1, (a + b).ult(a)); }},
  };
  for (const Extended &extended : all)
    for (unsigned width : widths) {
      std::string type = "i" + std::to_string(width);
      bool carry = StringRef(extended.operation) == "arith.addui_extended";
      std::string result = carry && extended.which == 1 ? "i1" : type;
      std::string body = std::string(extended.results) + " = " + extended.operation +
                         " %a, %b : " + type + (carry ? ", i1" : "");
      Cases cases = integerCases(width, 2, caseCount(1000, 100000), 40);
      std::vector<uint64_t> results = evaluate(body, {type, type}, result, cases);
      for (size_t number = 0; number < cases.size(); ++number)
        ASSERT_EQ(results[number],
                  extended.oracle(APInt(width, cases[number][0]), APInt(width, cases[number][1]))
                      .getZExtValue())
            << body << ' ' << cases[number][0] << ' ' << cases[number][1];
    }
}

TEST_F(IntegerTest, Compare) {
  const std::pair<const char *, bool (*)(const APInt &, const APInt &)> predicates[] = {
      {"eq", [](const APInt &a, const APInt &b) { return a == b; }},
      {"ne", [](const APInt &a, const APInt &b) { return a != b; }},
      {"slt", [](const APInt &a, const APInt &b) { return a.slt(b); }},
      {"sle", [](const APInt &a, const APInt &b) { return a.sle(b); }},
      {"sgt", [](const APInt &a, const APInt &b) { return a.sgt(b); }},
      {"sge", [](const APInt &a, const APInt &b) { return a.sge(b); }},
      {"ult", [](const APInt &a, const APInt &b) { return a.ult(b); }},
      {"ule", [](const APInt &a, const APInt &b) { return a.ule(b); }},
      {"ugt", [](const APInt &a, const APInt &b) { return a.ugt(b); }},
      {"uge", [](const APInt &a, const APInt &b) { return a.uge(b); }},
  };
  for (auto [predicate, oracle] : predicates)
    for (unsigned width : widths) {
      std::string type = "i" + std::to_string(width);
      Cases cases = integerCases(width, 2, caseCount(500, 100000), 41);
      std::vector<uint64_t> results =
          evaluate(std::string("%r = arith.cmpi ") + predicate + ", %a, %b : " + type, {type, type},
                   "i1", cases);
      for (size_t number = 0; number < cases.size(); ++number)
        ASSERT_EQ(results[number],
                  oracle(APInt(width, cases[number][0]), APInt(width, cases[number][1])))
            << predicate << ' ' << type << ' ' << cases[number][0] << ' ' << cases[number][1];
    }
}

TEST_F(IntegerTest, Unary) {
  const std::pair<const char *, APInt (*)(const APInt &)> operations[] = {
      {"math.absi", [](const APInt &a) { return a.abs(); }},
      {"math.ctlz", [](const APInt &a) { return APInt(64, a.countl_zero()); }},
      {"math.cttz", [](const APInt &a) { return APInt(64, a.countr_zero()); }},
      {"math.ctpop", [](const APInt &a) { return APInt(64, a.popcount()); }},
  };
  for (auto [operation, oracle] : operations)
    for (unsigned width : widths) {
      std::string type = "i" + std::to_string(width);
      Cases cases = integerCases(width, 1, caseCount(1000, 100000), 42);
      std::vector<uint64_t> results =
          evaluate(std::string("%r = ") + operation + " %a : " + type, {type}, type, cases);
      for (size_t number = 0; number < cases.size(); ++number)
        ASSERT_EQ(results[number],
                  oracle(APInt(width, cases[number][0])).zextOrTrunc(width).getZExtValue())
            << operation << ' ' << type << ' ' << cases[number][0];
    }
}

TEST_F(IntegerTest, Select) {
  Cases cases;
  for (uint64_t condition : {0, 1})
    cases.push_back({condition, 11, 22});
  EXPECT_EQ(evaluate("%r = arith.select %a, %b, %c : i32", {"i1", "i32", "i32"}, "i32", cases),
            (std::vector<uint64_t>{22, 11}));
}

TEST_F(IntegerTest, RefusesAWidthBeyondASlot) {
  EXPECT_EQ(diagnose("%x = arith.constant 1 : i65\n%r = arith.constant 0 : i32", {}, "i32", {}),
            "k:4:6: error: the interpreter cannot hold a value of type 'i65'\n");
}
} // namespace
