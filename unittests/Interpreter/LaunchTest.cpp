//===- LaunchTest.cpp - launches, their arguments and their results -===//
//
// Whole kernels through the public interface.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

using namespace mettle::interpreter;

namespace {
using LaunchTest = KernelTest;

const char *const vadd = R"(
mettle.kernel @k(%a: !mettle.ptr<f32, global>, %b: !mettle.ptr<f32, global>,
                 %c: !mettle.ptr<f32, global>, %n: i32) {
  %thread = mettle.thread_id x
  %block = mettle.block_id x
  %extent = mettle.block_dim x
  %first = arith.muli %block, %extent : i32
  %i = arith.addi %first, %thread : i32
  %inside = arith.cmpi slt, %i, %n : i32
  scf.if %inside {
    %index = arith.extsi %i : i32 to i64
    %pa = mettle.offset %a[%index] : !mettle.ptr<f32, global>
    %pb = mettle.offset %b[%index] : !mettle.ptr<f32, global>
    %pc = mettle.offset %c[%index] : !mettle.ptr<f32, global>
    %x = mettle.load %pa : !mettle.ptr<f32, global> -> f32
    %y = mettle.load %pb : !mettle.ptr<f32, global> -> f32
    %sum = arith.addf %x, %y : f32
    mettle.store %sum, %pc : f32, !mettle.ptr<f32, global>
  }
  mettle.return
}
)";

TEST_F(LaunchTest, AddsVectors) {
  Interpreter interpreter = load(vadd);
  std::vector<float> a(1000), b(1000), c(1000, -1);
  for (int i = 0; i < 1000; ++i) {
    a[i] = i;
    b[i] = 0.25f * i;
  }
  GlobalBuffer ga = bufferOf("a", a), gb = bufferOf("b", b), gc = bufferOf("c", c);
  LaunchConfig config;
  config.grid = {4, 1, 1};
  config.block = {256, 1, 1};
  EXPECT_EQ(run(interpreter,
                {KernelArgument::pointer(ga), KernelArgument::pointer(gb),
                 KernelArgument::pointer(gc), KernelArgument::scalar(1000, 32)},
                config),
            "");
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(c[i], 1.25f * i);
  EXPECT_EQ(statistics.workgroups, 4u);
  EXPECT_EQ(statistics.workItems, 1024u);
}

TEST_F(LaunchTest, ReportsAnElementBeyondABuffer) {
  Interpreter interpreter = load(vadd);
  std::vector<float> a(1000), b(999), c(1000);
  GlobalBuffer ga = bufferOf("a", a), gb = bufferOf("b", b), gc = bufferOf("c", c);
  LaunchConfig config;
  config.grid = {4, 1, 1};
  config.block = {256, 1, 1};
  EXPECT_EQ(run(interpreter,
                {KernelArgument::pointer(ga), KernelArgument::pointer(gb),
                 KernelArgument::pointer(gc), KernelArgument::scalar(1000, 32)},
                config),
            "k:15:10: error: work-item (231, 0, 0) of workgroup (3, 0, 0) reads 4 bytes at byte "
            "3996 of 'b', which has 3996\n");
}
} // namespace
