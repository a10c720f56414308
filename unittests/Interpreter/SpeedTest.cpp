//===- SpeedTest.cpp - how fast work-items run -===//
//
// The interpreter runs whole problems in other tests, so its speed is a property to keep: 50
// million instructions a second of CPU time, which an idle machine exceeds several times. Only
// optimized builds count.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"
#include <ctime>

using namespace mettle::interpreter;

namespace {
class SpeedTest : public KernelTest {
protected:
  void measure(const std::string &text, llvm::ArrayRef<KernelArgument> arguments,
               const LaunchConfig &config) {
#if !defined(__OPTIMIZE__) || __has_feature(address_sanitizer)
    GTEST_SKIP() << "not an optimized build";
#endif
    Interpreter interpreter = load(text);
    std::clock_t start = std::clock();
    ASSERT_EQ(run(interpreter, arguments, config), "");
    double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    double millions = statistics.instructions / seconds / 1e6;
    RecordProperty("millions_of_instructions_a_second", std::to_string(millions));
    std::printf("%.0f million instructions a second\n", millions);
    EXPECT_GT(millions, 50);
  }
};

TEST_F(SpeedTest, Arithmetic) {
  std::vector<float> out(1);
  GlobalBuffer buffer = bufferOf("x", out);
  measure(R"(
mettle.kernel @k(%x: !mettle.ptr<f32, global>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %c = arith.constant 1.5 : f32
  %f = arith.constant 0.0 : f32
  %s, %t = scf.for %i = %zero to %n step %one iter_args(%a = %f, %b = %zero) -> (f32, i32) : i32 {
    %m = arith.mulf %a, %c : f32
    %d = arith.addf %m, %c : f32
    %e = arith.muli %b, %three : i32
    %g = arith.addi %e, %i : i32
    %h = arith.xori %g, %b : i32
    scf.yield %d, %h : f32, i32
  }
  mettle.store %s, %x : f32, !mettle.ptr<f32, global>
  mettle.return
}
)",
          {KernelArgument::pointer(buffer), KernelArgument::scalar(2000000, 32)}, {});
}

// Every work-item sums a tile that they filled together: checked accesses to workgroup memory.
TEST_F(SpeedTest, WorkgroupMemory) {
  LaunchConfig config;
  config.grid = {50, 1, 1};
  config.block = {256, 1, 1};
  measure(R"(
mettle.kernel @k() {
  %tile = mettle.alloc[256] : !mettle.ptr<f32, workgroup>
  %thread = mettle.thread_id x
  %i = arith.extsi %thread : i32 to i64
  %p = mettle.offset %tile[%i] : !mettle.ptr<f32, workgroup>
  %c = arith.constant 1.0 : f32
  mettle.store %c, %p : f32, !mettle.ptr<f32, workgroup>
  mettle.barrier workgroup, acq_rel
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %f = arith.constant 0.0 : f32
  %s = scf.for %j = %zero to %n step %one iter_args(%a = %f) -> (f32) : i64 {
    %q = mettle.offset %tile[%j] : !mettle.ptr<f32, workgroup>
    %v = mettle.load %q : !mettle.ptr<f32, workgroup> -> f32
    %d = arith.addf %a, %v : f32
    scf.yield %d : f32
  }
  mettle.return
}
)",
          {}, config);
}
} // namespace
