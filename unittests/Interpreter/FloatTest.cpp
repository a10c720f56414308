//===- FloatTest.cpp - float arithmetic against APFloat -===//
//
// Every float operation of arith and math that is exactly rounded, in every format, bit for bit. A
// computed NaN is the format's canonical word; operations on signs keep a NaN's bits.
//
//===----------------------------------------------------------------------===//

#include "OperationTest.h"

using namespace llvm;
using namespace mettle::interpreter;

namespace {
constexpr auto nearest = APFloat::rmNearestTiesToEven;

class FloatTest : public OperationTest {
protected:
  /// Compares `operation` with the oracle in every format.
  template <typename Oracle>
  void compare(const std::string &operation, unsigned operands, uint64_t seed, Oracle oracle) {
    static const char *const names[] = {"%a", "%a, %b", "%a, %b, %c"};
    for (const FloatType &type : floatTypes()) {
      std::string body = "%r = " + operation + " " + names[operands - 1] + " : " + type.name;
      Cases cases = floatCases(type, operands, caseCount(3000, 300000), seed);
      std::vector<uint64_t> results =
          evaluate(body, std::vector<std::string>(operands, type.name), type.name, cases);
      unsigned shown = 0;
      for (size_t number = 0; number < cases.size() && shown < 5; ++number) {
        uint64_t expected = oracle(type, cases[number]);
        if (results[number] != expected)
          ++shown;
        EXPECT_EQ(results[number], expected) << body << std::hex << ", a = " << cases[number][0]
                                             << ", b = " << (operands > 1 ? cases[number][1] : 0)
                                             << ", c = " << (operands > 2 ? cases[number][2] : 0);
      }
    }
  }

  template <typename Compute>
  void compareBinary(const std::string &operation, uint64_t seed, Compute compute) {
    compare(operation, 2, seed, [&](const FloatType &type, const std::vector<uint64_t> &words) {
      APFloat a = type.read(words[0]), b = type.read(words[1]);
      return type.write(compute(a, b));
    });
  }

  void compareRounding(const std::string &operation, uint64_t seed, APFloat::roundingMode mode) {
    compare(operation, 1, seed, [&](const FloatType &type, const std::vector<uint64_t> &words) {
      APFloat a = type.read(words[0]);
      a.roundToIntegral(mode);
      return type.write(a);
    });
  }
};

TEST_F(FloatTest, Add) {
  compareBinary("arith.addf", 1, [](APFloat a, const APFloat &b) {
    a.add(b, nearest);
    return a;
  });
}

TEST_F(FloatTest, Subtract) {
  compareBinary("arith.subf", 2, [](APFloat a, const APFloat &b) {
    a.subtract(b, nearest);
    return a;
  });
}

TEST_F(FloatTest, Multiply) {
  compareBinary("arith.mulf", 3, [](APFloat a, const APFloat &b) {
    a.multiply(b, nearest);
    return a;
  });
}

TEST_F(FloatTest, Divide) {
  compareBinary("arith.divf", 4, [](APFloat a, const APFloat &b) {
    a.divide(b, nearest);
    return a;
  });
}

TEST_F(FloatTest, Remainder) {
  compareBinary("arith.remf", 5, [](APFloat a, const APFloat &b) {
    a.mod(b);
    return a;
  });
}

TEST_F(FloatTest, Maximum) {
  compareBinary("arith.maximumf", 6,
                [](const APFloat &a, const APFloat &b) { return maximum(a, b); });
}

TEST_F(FloatTest, Minimum) {
  compareBinary("arith.minimumf", 7,
                [](const APFloat &a, const APFloat &b) { return minimum(a, b); });
}

// Of zeros the negative one is smaller; of a number and a NaN the number is taken.
TEST_F(FloatTest, MaximumNumber) {
  compareBinary("arith.maxnumf", 8, [](const APFloat &a, const APFloat &b) {
    return a.isNaN() ? b : b.isNaN() ? a : maximum(a, b);
  });
}

TEST_F(FloatTest, MinimumNumber) {
  compareBinary("arith.minnumf", 9, [](const APFloat &a, const APFloat &b) {
    return a.isNaN() ? b : b.isNaN() ? a : minimum(a, b);
  });
}

TEST_F(FloatTest, FusedMultiplyAdd) {
  compare("math.fma", 3, 10, [](const FloatType &type, const std::vector<uint64_t> &words) {
    APFloat a = type.read(words[0]);
    a.fusedMultiplyAdd(type.read(words[1]), type.read(words[2]), nearest);
    return type.write(a);
  });
}

// The addend is near the negated product, or so small that only its sign decides the rounding.
TEST_F(FloatTest, FusedMultiplyAddNearTies) {
  for (const FloatType &type : floatTypes()) {
    Random random(11);
    Cases cases;
    for (unsigned number = 0, end = caseCount(5000, 1000000); number < end; ++number) {
      uint64_t a = type.random(random, random.word()), b = type.random(random, a);
      APFloat product = type.read(a);
      product.multiply(type.read(b), nearest);
      uint64_t c = product.bitcastToAPInt().getZExtValue() ^ uint64_t(1) << (type.width - 1);
      if (number % 2)
        c = random.below(4) + (random.below(2) << (type.width - 1));
      cases.push_back({a, b, c});
    }
    std::vector<uint64_t> results = evaluate("%r = math.fma %a, %b, %c : " + std::string(type.name),
                                             {type.name, type.name, type.name}, type.name, cases);
    for (size_t number = 0; number < cases.size(); ++number) {
      APFloat expected = type.read(cases[number][0]);
      expected.fusedMultiplyAdd(type.read(cases[number][1]), type.read(cases[number][2]), nearest);
      ASSERT_EQ(results[number], type.write(expected))
          << type.name << std::hex << " a = " << cases[number][0] << ", b = " << cases[number][1]
          << ", c = " << cases[number][2];
    }
  }
}

// Of r = sqrt(a) rounded to nearest: the squares of the midpoints beside r, exact in quad since a
// midpoint has at most 54 bits, enclose a. No root is a midpoint.
TEST_F(FloatTest, SquareRoot) {
  auto squareOfMidpoint = [](APFloat low, APFloat high) {
    bool loses;
    low.convert(APFloat::IEEEquad(), nearest, &loses);
    high.convert(APFloat::IEEEquad(), nearest, &loses);
    low.add(high, nearest);
    low.multiply(APFloat(APFloat::IEEEquad(), "0.5"), nearest);
    low.multiply(low, nearest);
    return low;
  };
  for (const FloatType &type : floatTypes()) {
    Cases cases = floatCases(type, 1, caseCount(5000, 1000000), 12);
    std::vector<uint64_t> results =
        evaluate(std::string("%r = math.sqrt %a : ") + type.name, {type.name}, type.name, cases);
    for (size_t number = 0; number < cases.size(); ++number) {
      uint64_t word = cases[number][0];
      SCOPED_TRACE(::testing::Message() << type.name << std::hex << ' ' << word);
      APFloat a = type.read(word), root = type.read(results[number]);
      if (a.isNaN() || (a.isNegative() && !a.isZero())) {
        ASSERT_EQ(results[number], type.nan);
      } else if (a.isZero() || a.isInfinity()) {
        ASSERT_EQ(results[number], word);
      } else {
        APFloat below = root, above = root;
        below.next(/*nextDown=*/true);
        above.next(/*nextDown=*/false);
        bool loses;
        a.convert(APFloat::IEEEquad(), nearest, &loses);
        ASSERT_EQ(squareOfMidpoint(below, root).compare(a), APFloat::cmpLessThan);
        ASSERT_EQ(squareOfMidpoint(root, above).compare(a), APFloat::cmpGreaterThan);
      }
    }
  }
}

TEST_F(FloatTest, RoundToIntegers) {
  compareRounding("math.floor", 13, APFloat::rmTowardNegative);
  compareRounding("math.ceil", 14, APFloat::rmTowardPositive);
  compareRounding("math.trunc", 15, APFloat::rmTowardZero);
  compareRounding("math.round", 16, APFloat::rmNearestTiesToAway);
  compareRounding("math.roundeven", 17, APFloat::rmNearestTiesToEven);
}

TEST_F(FloatTest, SignsKeepBits) {
  auto signOf = [](const FloatType &type) { return uint64_t(1) << (type.width - 1); };
  compare("arith.negf", 1, 18, [&](const FloatType &type, const std::vector<uint64_t> &words) {
    return words[0] ^ signOf(type);
  });
  compare("math.absf", 1, 19, [&](const FloatType &type, const std::vector<uint64_t> &words) {
    return words[0] & ~signOf(type);
  });
  compare("math.copysign", 2, 20, [&](const FloatType &type, const std::vector<uint64_t> &words) {
    return (words[0] & ~signOf(type)) | (words[1] & signOf(type));
  });
}

TEST_F(FloatTest, Classes) {
  const std::pair<const char *, bool (*)(const APFloat &)> classes[] = {
      {"math.isfinite", [](const APFloat &a) { return a.isFinite(); }},
      {"math.isinf", [](const APFloat &a) { return a.isInfinity(); }},
      {"math.isnan", [](const APFloat &a) { return a.isNaN(); }},
      {"math.isnormal", [](const APFloat &a) { return a.isNormal(); }},
  };
  for (const FloatType &type : floatTypes())
    for (auto [operation, oracle] : classes) {
      Cases cases = floatCases(type, 1, caseCount(1000, 100000), 21);
      std::vector<uint64_t> results = evaluate(
          std::string("%r = ") + operation + " %a : " + type.name, {type.name}, "i1", cases);
      for (size_t number = 0; number < cases.size(); ++number)
        ASSERT_EQ(results[number], oracle(type.read(cases[number][0])))
            << operation << ' ' << type.name << std::hex << ' ' << cases[number][0];
    }
}

// All predicates, for every pair of special words and random ones.
TEST_F(FloatTest, Compare) {
  constexpr unsigned less = 1, equal = 2, greater = 4, unordered = 8;
  const std::pair<const char *, unsigned> predicates[] = {
      {"false", 0},
      {"oeq", equal},
      {"ogt", greater},
      {"oge", greater | equal},
      {"olt", less},
      {"ole", less | equal},
      {"one", less | greater},
      {"ord", less | equal | greater},
      {"ueq", unordered | equal},
      {"ugt", unordered | greater},
      {"uge", unordered | greater | equal},
      {"ult", unordered | less},
      {"ule", unordered | less | equal},
      {"une", unordered | less | greater},
      {"uno", unordered},
      {"true", 15},
  };
  for (const FloatType &type : floatTypes())
    for (auto [predicate, accepted] : predicates) {
      Cases cases = floatCases(type, 2, caseCount(1000, 100000), 22);
      std::vector<uint64_t> results =
          evaluate(std::string("%r = arith.cmpf ") + predicate + ", %a, %b : " + type.name,
                   {type.name, type.name}, "i1", cases);
      for (size_t number = 0; number < cases.size(); ++number) {
        unsigned relation = 0;
        switch (type.read(cases[number][0]).compare(type.read(cases[number][1]))) {
        case APFloat::cmpLessThan:
          relation = less;
          break;
        case APFloat::cmpEqual:
          relation = equal;
          break;
        case APFloat::cmpGreaterThan:
          relation = greater;
          break;
        case APFloat::cmpUnordered:
          relation = unordered;
          break;
        }
        ASSERT_EQ(results[number], (accepted & relation) != 0)
            << predicate << ' ' << type.name << std::hex << ' ' << cases[number][0] << ' '
            << cases[number][1];
      }
    }
}

TEST_F(FloatTest, RefusesAFormatItDoesNotCompute) {
  EXPECT_EQ(diagnose("%x = arith.constant 1.0 : f8E4M3FN\n%y = arith.addf %x, %x : f8E4M3FN\n"
                     "%r = arith.constant 0 : i32",
                     {}, "i32", {}),
            "k:5:6: error: expected f16, bf16, f32 or f64 for the interpreter, got 'f8E4M3FN'\n");
}
} // namespace
