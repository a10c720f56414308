//===- ApproximateTest.cpp - approximate functions -===//
//
// The interpreter returns what the instructions that PTX gets return on hardware: Numerics' words
// for the instruction, and the product beside it rounded once.
//
//===----------------------------------------------------------------------===//

#include "OperationTest.h"

#include "Mettle/Numerics/Approximate.h"

using namespace llvm;
using namespace mettle::interpreter;
using mettle::numerics::Approximate;
using mettle::numerics::approximate;

namespace {
class ApproximateTest : public OperationTest {
protected:
  void compare(const std::string &function, function_ref<uint32_t(uint32_t)> expected) {
    for (const FloatType &type : floatTypes()) {
      if (StringRef(type.name) != "f32")
        continue;
      Cases cases = floatCases(type, 1, caseCount(3000, 300000), 17);
      std::vector<uint64_t> results =
          evaluate("%r = mettle.approximate " + function + " %a : f32", {"f32"}, "f32", cases);
      for (size_t i = 0; i < cases.size(); ++i)
        ASSERT_EQ(results[i], expected(cases[i][0])) << function << std::hex << cases[i][0];
    }
  }
};

/// The product with the f32 of these bits, to nearest even.
uint32_t multiply(uint32_t word, uint32_t factor) {
  APFloat product(APFloat::IEEEsingle(), APInt(32, word));
  product.multiply(APFloat(APFloat::IEEEsingle(), APInt(32, factor)), APFloat::rmNearestTiesToEven);
  return product.bitcastToAPInt().getZExtValue();
}

bool isNaN(uint32_t word) { return (word & 0x7fffffff) > 0x7f800000; }

TEST_F(ApproximateTest, AreTheInstructionsOfPTX) {
  compare("sin", [](uint32_t x) { return approximate(Approximate::SinF32, x); });
  compare("cos", [](uint32_t x) { return approximate(Approximate::CosF32, x); });
  compare("rsqrt", [](uint32_t x) { return approximate(Approximate::RsqrtF32, x); });
  compare("exp", [](uint32_t x) {
    return approximate(Approximate::Ex2F32, isNaN(x) ? x : multiply(x, 0x3FB8AA3B));
  });
}

TEST_F(ApproximateTest, LogarithmIsAProduct) {
  for (uint32_t x :
       {0x3f800000u, 0x40000000u, 0x00000001u, 0x7f7fffffu, 0x3f000001u, 0x41200000u}) {
    uint32_t expected = multiply(approximate(Approximate::Lg2F32, x), 0x3F317218);
    std::vector<uint64_t> results =
        evaluate("%r = mettle.approximate log %a : f32", {"f32"}, "f32", {{x}});
    EXPECT_EQ(results[0], expected) << std::hex << x;
  }
}
} // namespace
