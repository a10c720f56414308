//===- ControlFlowTest.cpp - branches, loops and calls -===//
//
// Control flow of cf, scf and func. Kernels take words from buffer "in" and write words to "out".
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include "Random.h"

using namespace mettle::interpreter;

namespace {
using Words = std::vector<uint64_t>;

class ControlFlowTest : public KernelTest {
protected:
  /// Statements that load word `index` of buffer "in" as %NAME, an i64.
  static std::string take(const std::string &name, unsigned index) {
    std::string number = std::to_string(index);
    return "%" + name + "_at = arith.constant " + number + " : i64\n%" + name +
           "_p = mettle.offset %in[%" + name + "_at] : !mettle.ptr<i64, global>\n%" + name +
           " = mettle.load %" + name + "_p : !mettle.ptr<i64, global> -> i64\n";
  }
  /// Statements that store the i64 %NAME as word `index` of buffer "out".
  static std::string give(const std::string &name, unsigned index) {
    std::string number = std::to_string(index), id = name + "_out" + number;
    return "%" + id + "_at = arith.constant " + number + " : i64\n%" + id +
           "_p = mettle.offset %out[%" + id + "_at] : !mettle.ptr<i64, global>\nmettle.store %" +
           name + ", %" + id + "_p : i64, !mettle.ptr<i64, global>\n";
  }
  /// A kernel with this body, and what stands beside it in the module.
  static std::string kernel(const std::string &body, const std::string &functions = "") {
    return "mettle.kernel @k(%in: !mettle.ptr<i64, global>, %out: !mettle.ptr<i64, global>) {\n" +
           body + "}\n" + functions;
  }
  Words runWords(Interpreter &interpreter, Words in, size_t outCount,
                 const std::string &expectedText = "") {
    Words out(outCount, 0x5555);
    GlobalBuffer inBuffer = bufferOf("in", in), outBuffer = bufferOf("out", out);
    std::string text =
        run(interpreter, {KernelArgument::pointer(inBuffer), KernelArgument::pointer(outBuffer)});
    EXPECT_NE(text.find(expectedText), std::string::npos) << text;
    EXPECT_EQ(text.empty(), expectedText.empty()) << text;
    return out;
  }
  std::string diagnose(const std::string &body, Words in = {0}) {
    Interpreter interpreter = load(kernel(body));
    Words out(4);
    GlobalBuffer inBuffer = bufferOf("in", in), outBuffer = bufferOf("out", out);
    return run(interpreter,
               {KernelArgument::pointer(inBuffer), KernelArgument::pointer(outBuffer)});
  }
};

// A loop that passes on its block arguments by a random map, so copies form chains, trees and
// cycles. Compared with applying the map.
TEST_F(ControlFlowTest, BlockArgumentsAreCopiedInParallel) {
  constexpr unsigned count = 7;
  Random random(1);
  for (unsigned round = 0; round < caseCount(200, 5000); ++round) {
    unsigned map[count];
    for (unsigned &source : map)
      source = random.below(count);
    unsigned times = 1 + random.below(4);
    std::string arguments, types, passed, outs, body;
    for (unsigned index = 0; index < count; ++index) {
      std::string comma = index ? ", " : "";
      body += take("start" + std::to_string(index), index);
      arguments += comma + "%v" + std::to_string(index) + " : i64";
      types += comma + "i64";
      passed += comma + "%v" + std::to_string(map[index]);
      outs += give("v" + std::to_string(index), index);
    }
    std::string starts;
    for (unsigned index = 0; index < count; ++index)
      starts += (index ? ", %start" : "%start") + std::to_string(index);
    body += "%zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%times = "
            "arith.constant " +
            std::to_string(times) + " : i32\ncf.br ^loop(%zero, " + starts + " : i32, " + types +
            ")\n^loop(%i : i32, " + arguments + "):\n%more = arith.cmpi slt, %i, %times : i32\n" +
            "%next = arith.addi %i, %one : i32\ncf.cond_br %more, ^loop(%next, " + passed +
            " : i32, " + types + "), ^done\n^done:\n" + outs + "mettle.return\n";
    Words in, expected;
    for (unsigned index = 0; index < count; ++index)
      in.push_back(100 + index);
    expected = in;
    for (unsigned time = 0; time < times; ++time) {
      Words before = expected;
      for (unsigned index = 0; index < count; ++index)
        expected[index] = before[map[index]];
    }
    Interpreter interpreter = load(kernel(body));
    ASSERT_EQ(runWords(interpreter, in, count), expected) << body;
  }
}

// Iterations, the sum of the indices and the last index, for bounds near the ends of each type.
TEST_F(ControlFlowTest, CountedLoops) {
  for (unsigned width : {8, 32, 64})
    for (bool isSigned : {true, false}) {
      std::string type = "i" + std::to_string(width), body;
      for (const char *name : {"low", "high", "step"}) {
        body += take(name, std::string(name) == "low" ? 0 : std::string(name) == "high" ? 1 : 2);
        if (width < 64)
          body +=
              std::string("%") + name + "_n = arith.trunci %" + name + " : i64 to " + type + "\n";
        else
          body += std::string("%") + name + "_n = arith.bitcast %" + name + " : i64 to i64\n";
      }
      std::string widen = width < 64 ? "%w = arith.extui %i : " + type + " to i64\n"
                                     : std::string("%w = arith.bitcast %i : i64 to i64\n");
      body += "%zero = arith.constant 0 : i64\n%one = arith.constant 1 : i64\n"
              "%n, %sum, %last = scf.for " +
              std::string(isSigned ? "" : "unsigned ") +
              "%i = %low_n to %high_n step %step_n iter_args(%c = %zero, %s = %zero, %l = %zero) "
              "-> (i64, i64, i64) : " +
              type + " {\n" + widen +
              "%c1 = arith.addi %c, %one : i64\n%s1 = arith.addi %s, %w : i64\n"
              "scf.yield %c1, %s1, %w : i64, i64, i64\n}\n" +
              give("n", 0) + give("sum", 1) + give("last", 2) + "mettle.return\n";
      Interpreter interpreter = load(kernel(body));
      const __int128 full = __int128(1) << width;
      auto number = [&](uint64_t word) -> __int128 {
        __int128 value = __int128(word) & (full - 1);
        return isSigned && value >= full / 2 ? value - full : value;
      };
      Random random(2);
      unsigned overflowing = 0, ending = 0;
      for (unsigned round = 0; round < caseCount(300, 20000); ++round) {
        // At most a few hundred iterations: the bound is a few steps away, or beyond the type.
        uint64_t low = random.word() >> random.below(64), step = 1 + random.below(100);
        uint64_t high = low + random.below(8) * step + random.below(3) - 1;
        if (random.below(4) == 0) {
          high = static_cast<uint64_t>(isSigned ? full / 2 - 1 : full - 1);
          low = high - random.below(300);
        }
        Words expected = {0, 0, 0};
        if (number(step) <= 0)
          continue;
        __int128 index = number(low);
        if (number(high) - index > 100000)
          continue;
        bool overflows = false;
        for (; index < number(high); index += number(step)) {
          ++expected[0];
          expected[2] = static_cast<uint64_t>(index & (full - 1));
          expected[1] += expected[2];
          overflows = index + number(step) >= (isSigned ? full / 2 : full);
        }
        Words in = {low, high, step};
        if (overflows)
          runWords(interpreter, in, 3, "to the loop index");
        else
          ASSERT_EQ(runWords(interpreter, in, 3), expected)
              << type << ' ' << low << ' ' << high << ' ' << step;
        ++(overflows ? overflowing : ending);
      }
      EXPECT_GT(overflowing, 10u);
      EXPECT_GT(ending, 100u);
    }
}

TEST_F(ControlFlowTest, ALoopNeedsAPositiveStep) {
  std::string body = take("step", 0) + "%low = arith.constant 0 : i64\n"
                                       "scf.for %i = %low to %low step %step : i64 {\n}\n"
                                       "mettle.return\n";
  EXPECT_EQ(diagnose(body, {0}),
            "k:6:1: error: work-item (0, 0, 0) of workgroup (0, 0, 0) starts a loop with a step of "
            "0, which is not positive\n");
  EXPECT_NE(diagnose(body, {~uint64_t(0)}).find("a step of -1"), std::string::npos);
  EXPECT_EQ(diagnose(body, {1}), "");
}

// Euclid's algorithm, whose loop swaps what it carries.
TEST_F(ControlFlowTest, ConditionalLoops) {
  Interpreter interpreter = load(kernel(take("x", 0) + take("y", 1) + R"(
    %zero = arith.constant 0 : i64
    %gcd, %end = scf.while (%a = %x, %b = %y) : (i64, i64) -> (i64, i64) {
      %more = arith.cmpi ne, %b, %zero : i64
      scf.condition(%more) %a, %b : i64, i64
    } do {
    ^bb0(%a: i64, %b: i64):
      %rest = arith.remui %a, %b : i64
      scf.yield %b, %rest : i64, i64
    }
  )" + give("gcd", 0) + give("end", 1) + "mettle.return\n"));
  EXPECT_EQ(runWords(interpreter, {1071, 462}, 2), (Words{21, 0}));
  EXPECT_EQ(runWords(interpreter, {462, 1071}, 2), (Words{21, 0}));
  EXPECT_EQ(runWords(interpreter, {5, 0}, 2), (Words{5, 0}));
}

TEST_F(ControlFlowTest, Choices) {
  Interpreter interpreter = load(kernel(take("x", 0) + R"(
    %ten = arith.constant 10 : i64
    %twenty = arith.constant 20 : i64
    %small = arith.cmpi ult, %x, %ten : i64
    %r, %s = scf.if %small -> (i64, i64) {
      %y = arith.addi %x, %ten : i64
      scf.yield %y, %x : i64, i64
    } else {
      scf.yield %x, %twenty : i64, i64
    }
    %index = arith.index_cast %x : i64 to index
    %t = scf.index_switch %index -> i64
    case 3 {
      scf.yield %twenty : i64
    }
    case -1 {
      scf.yield %ten : i64
    }
    default {
      scf.yield %x : i64
    }
    %narrow = arith.trunci %x : i64 to i32
    cf.switch %narrow : i32, [
      default: ^join(%x : i64),
      3: ^join(%ten : i64),
      -1: ^join(%twenty : i64)
    ]
  ^join(%u: i64):
  )" + give("r", 0) + give("s", 1) + give("t", 2) +
                                        give("u", 3) + "mettle.return\n"));
  EXPECT_EQ(runWords(interpreter, {3}, 4), (Words{13, 3, 20, 10}));
  EXPECT_EQ(runWords(interpreter, {11}, 4), (Words{11, 20, 11, 11}));
  uint64_t minusOne = ~uint64_t(0);
  EXPECT_EQ(runWords(interpreter, {minusOne}, 4), (Words{minusOne, 20, 10, 20}));
}

// A value may be used in a block that stands before the one that defines it: constants and casts,
// which usually cost no instruction, must be there all the same.
TEST_F(ControlFlowTest, BlocksOutOfOrder) {
  Interpreter interpreter = load(kernel(R"(
    cf.br ^third
  ^second:
  )" + give("sum", 0) + give("float", 1) +
                                        R"(
    mettle.return
  ^first:
    %sum = arith.addi %c, %v : i64
    %float = arith.bitcast %cast : f64 to i64
    cf.br ^second
  ^third:
    %c = arith.constant 40 : i64
    %bytes = mettle.ptr_cast %in : !mettle.ptr<i64, global> to !mettle.ptr<f64, global>
    %back = mettle.ptr_cast %bytes : !mettle.ptr<f64, global> to !mettle.ptr<i64, global>
    %v = mettle.load %back : !mettle.ptr<i64, global> -> i64
    %cast = arith.bitcast %v : i64 to f64
    cf.br ^first
  )"));
  EXPECT_EQ(runWords(interpreter, {2}, 2), (Words{42, 2}));
}

TEST_F(ControlFlowTest, RegionsWithBlocks) {
  Interpreter interpreter = load(kernel(take("x", 0) + R"(
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %r = scf.execute_region -> i64 {
      cf.br ^head(%x, %zero : i64, i64)
    ^head(%n: i64, %sum: i64):
      %end = arith.cmpi eq, %n, %zero : i64
      cf.cond_br %end, ^done, ^body
    ^done:
      scf.yield %sum : i64
    ^body:
      %less = arith.subi %n, %one : i64
      %more = arith.addi %sum, %n : i64
      cf.br ^head(%less, %more : i64, i64)
    }
  )" + give("r", 0) + "mettle.return\n"));
  EXPECT_EQ(runWords(interpreter, {10}, 1), (Words{55}));
  EXPECT_EQ(runWords(interpreter, {0}, 1), (Words{0}));
}

TEST_F(ControlFlowTest, Calls) {
  Interpreter interpreter = load(kernel(take("x", 0) + R"(
    %fib = func.call @fib(%x) : (i64) -> i64
    %a, %b = func.call @swap(%x, %fib) : (i64, i64) -> (i64, i64)
    %same = func.call @through(%in) : (!mettle.ptr<i64, global>) -> !mettle.ptr<i64, global>
    %again = mettle.load %same : !mettle.ptr<i64, global> -> i64
  )" + give("fib", 0) + give("a", 1) + give("b", 2) +
                                            give("again", 3) + "mettle.return\n",
                                        R"(
  func.func @fib(%n: i64) -> i64 {
    %one = arith.constant 1 : i64
    %two = arith.constant 2 : i64
    %small = arith.cmpi ult, %n, %two : i64
    cf.cond_br %small, ^end(%n : i64), ^more
  ^more:
    %n1 = arith.subi %n, %one : i64
    %f1 = func.call @fib(%n1) : (i64) -> i64
    %n2 = arith.subi %n1, %one : i64
    %f2 = func.call @fib(%n2) : (i64) -> i64
    %sum = arith.addi %f1, %f2 : i64
    cf.br ^end(%sum : i64)
  ^end(%r: i64):
    return %r : i64
  }
  func.func @swap(%a: i64, %b: i64) -> (i64, i64) {
    return %b, %a : i64, i64
  }
  func.func @through(%p: !mettle.ptr<i64, global>) -> !mettle.ptr<i64, global> {
    return %p : !mettle.ptr<i64, global>
  }
  )"));
  EXPECT_EQ(runWords(interpreter, {20}, 4), (Words{6765, 6765, 20, 20}));
}

TEST_F(ControlFlowTest, EndlessRecursionIsReported) {
  Interpreter interpreter = load(R"(
mettle.kernel @k() {
  func.call @again() : () -> ()
  mettle.return
}
func.func @again() {
  call @again() : () -> ()
  return
}
)");
  std::string text = run(interpreter, {});
  EXPECT_EQ(
      text.substr(0, text.find('\n')),
      "k:6:3: error: work-item (0, 0, 0) of workgroup (0, 0, 0) nests calls deeper than 1000");
  EXPECT_NE(text.find("k:2:3: note: in 'again', called here"), std::string::npos);
}

TEST_F(ControlFlowTest, AFunctionWithoutABody) {
  Interpreter interpreter = load(R"(
mettle.kernel @k() {
  func.call @outside() : () -> ()
  mettle.return
}
func.func private @outside()
)");
  EXPECT_EQ(run(interpreter, {}),
            "k:2:3: error: expected function 'outside' to have a body, since a "
            "kernel calls it\n");
}

TEST_F(ControlFlowTest, AnOperationWithoutAModel) {
  EXPECT_EQ(diagnose("%x = arith.constant 1.0 : f32\n%y = math.sin %x : f32\nmettle.return\n"),
            "k:3:6: error: the interpreter has no model for 'math.sin'\n");
}

TEST_F(ControlFlowTest, Assertions) {
  std::string body = take("x", 0) + "%zero = arith.constant 0 : i64\n"
                                    "%fine = arith.cmpi ne, %x, %zero : i64\n"
                                    "cf.assert %fine, \"x is not 0\"\nmettle.return\n";
  EXPECT_EQ(diagnose(body, {1}), "");
  EXPECT_EQ(diagnose(body, {0}), "k:7:1: error: work-item (0, 0, 0) of workgroup (0, 0, 0) fails "
                                 "the assertion \"x is not 0\"\n");
}

TEST_F(ControlFlowTest, UnreachablePlaces) {
  EXPECT_EQ(diagnose("ub.unreachable\n"),
            "k:2:1: error: work-item (0, 0, 0) of workgroup (0, 0, 0) reaches a place that is "
            "marked unreachable\n");
}

// Poison may be carried around, but not used.
TEST_F(ControlFlowTest, Poison) {
  std::string body = take("x", 0) + R"(
    %poison = ub.poison : i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %known = arith.cmpi ne, %x, %zero : i64
    %r = scf.if %known -> i64 {
      scf.yield %x : i64
    } else {
      scf.yield %poison : i64
    }
    %s = scf.for %i = %zero to %one step %one iter_args(%c = %poison) -> i64 : i64 {
      scf.yield %r : i64
    }
    %t = arith.addi %s, %one : i64
  )" + give("t", 0) + "mettle.return\n";
  EXPECT_EQ(diagnose(body, {1}), "");
  EXPECT_EQ(diagnose(body, {0}), "k:18:10: error: work-item (0, 0, 0) of workgroup (0, 0, 0) "
                                 "computes with a poison value\n");
  // Also where the operation stands in an earlier block than the poison.
  EXPECT_EQ(diagnose(R"(
    cf.br ^second
  ^first:
    %x = arith.addi %poison, %poison : i64
    mettle.return
  ^second:
    %poison = ub.poison : i64
    cf.br ^first
  )"),
            "k:5:10: error: work-item (0, 0, 0) of workgroup (0, 0, 0) computes with a poison "
            "value\n");
}
} // namespace
