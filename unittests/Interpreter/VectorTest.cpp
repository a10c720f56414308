//===- VectorTest.cpp - operations on vectors -===//
//
// An operation on vectors is the operation on each element.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace mettle::interpreter;

namespace {
class VectorTest : public KernelTest {
protected:
  /// Runs a kernel whose body makes %r, four i32, from %a and %b, four i32.
  std::vector<uint32_t> evaluate(const std::string &body, std::vector<uint32_t> a,
                                 std::vector<uint32_t> b) {
    Interpreter interpreter = load(R"(
mettle.kernel @k(%pa: !mettle.ptr<i32, global>, %pb: !mettle.ptr<i32, global>,
                 %pr: !mettle.ptr<i32, global>) {
  %a = mettle.load %pa : !mettle.ptr<i32, global> -> vector<4xi32>
  %b = mettle.load %pb : !mettle.ptr<i32, global> -> vector<4xi32>
)" + body + R"(
  mettle.store %r, %pr : vector<4xi32>, !mettle.ptr<i32, global>
  mettle.return
}
)");
    std::vector<uint32_t> result(4);
    GlobalBuffer ga = bufferOf("a", a), gb = bufferOf("b", b), gr = bufferOf("r", result);
    EXPECT_EQ(run(interpreter, {KernelArgument::pointer(ga), KernelArgument::pointer(gb),
                                KernelArgument::pointer(gr)}),
              "");
    return result;
  }

  using Words = std::vector<uint32_t>;
};

TEST_F(VectorTest, Arithmetic) {
  EXPECT_EQ(evaluate("%r = arith.subi %a, %b : vector<4xi32>", {1, 2, 3, 4}, {4, 3, 2, 1}),
            (Words{uint32_t(-3), uint32_t(-1), 1, 3}));
  EXPECT_EQ(evaluate("%x = arith.bitcast %a : vector<4xi32> to vector<4xf32>\n"
                     "%y = arith.bitcast %b : vector<4xi32> to vector<4xf32>\n"
                     "%z = math.fma %x, %y, %x : vector<4xf32>\n"
                     "%r = arith.bitcast %z : vector<4xf32> to vector<4xi32>",
                     {0x3F800000, 0x40000000, 0x40400000, 0xBF800000},
                     {0x3F800000, 0x3F800000, 0x40000000, 0x40000000}),
            (Words{0x40000000, 0x40800000, 0x41100000, 0xC0400000}));
}

TEST_F(VectorTest, Constants) {
  EXPECT_EQ(evaluate("%c = arith.constant dense<[1, 20, 300, -4]> : vector<4xi32>\n"
                     "%s = arith.constant dense<1000> : vector<4xi32>\n"
                     "%t = arith.addi %a, %c : vector<4xi32>\n"
                     "%r = arith.addi %t, %s : vector<4xi32>",
                     {1, 1, 1, 1}, {0, 0, 0, 0}),
            (Words{1002, 1021, 1301, 997}));
  EXPECT_EQ(evaluate("%c = arith.constant dense<[1.0, -0.0, 0x7F800000, 0.5]> : vector<4xf32>\n"
                     "%r = arith.bitcast %c : vector<4xf32> to vector<4xi32>",
                     {0, 0, 0, 0}, {0, 0, 0, 0}),
            (Words{0x3F800000, 0x80000000, 0x7F800000, 0x3F000000}));
}

TEST_F(VectorTest, ComparisonsAndSelections) {
  EXPECT_EQ(evaluate("%c = arith.cmpi slt, %a, %b : vector<4xi32>\n"
                     "%r = arith.select %c, %a, %b : vector<4xi1>, vector<4xi32>",
                     {1, 9, 5, uint32_t(-1)}, {2, 8, 5, 0}),
            (Words{1, 8, 5, uint32_t(-1)}));
  // One condition for the whole vector.
  EXPECT_EQ(evaluate("%c = arith.constant false\n"
                     "%r = arith.select %c, %a, %b : vector<4xi32>",
                     {1, 2, 3, 4}, {5, 6, 7, 8}),
            (Words{5, 6, 7, 8}));
}

TEST_F(VectorTest, TwoResults) {
  EXPECT_EQ(evaluate("%low, %r = arith.mului_extended %a, %b : vector<4xi32>",
                     {1u << 31, 1u << 16, 3, 0}, {4, 1u << 16, 5, 7}),
            (Words{2, 1, 0, 0}));
}

TEST_F(VectorTest, ThroughLoopsAndCalls) {
  EXPECT_EQ(evaluate("%zero = arith.constant 0 : i32\n%three = arith.constant 3 : i32\n"
                     "%one = arith.constant 1 : i32\n"
                     "%r, %s = scf.for %i = %zero to %three step %one iter_args(%x = %a, %y = %b) "
                     "-> (vector<4xi32>, vector<4xi32>) : i32 {\n"
                     "scf.yield %y, %x : vector<4xi32>, vector<4xi32>\n}",
                     {1, 2, 3, 4}, {5, 6, 7, 8}),
            (Words{5, 6, 7, 8}));
}
} // namespace
