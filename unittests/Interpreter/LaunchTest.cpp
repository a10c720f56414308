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

TEST_F(LaunchTest, IdsAndExtents) {
  Interpreter interpreter = load(R"(
mettle.kernel @k(%out: !mettle.ptr<i32, global>) {
  %tx = mettle.thread_id x
  %ty = mettle.thread_id y
  %tz = mettle.thread_id z
  %bx = mettle.block_id x
  %by = mettle.block_id y
  %bz = mettle.block_id z
  %nx = mettle.block_dim x
  %ny = mettle.block_dim y
  %nz = mettle.block_dim z
  %gx = mettle.grid_dim x
  %gy = mettle.grid_dim y
  %gz = mettle.grid_dim z
  %d = arith.muli %bz, %gy : i32
  %e = arith.addi %d, %by : i32
  %f = arith.muli %e, %gx : i32
  %block = arith.addi %f, %bx : i32
  %g = arith.muli %block, %nz : i32
  %h = arith.addi %g, %tz : i32
  %i = arith.muli %h, %ny : i32
  %j = arith.addi %i, %ty : i32
  %l = arith.muli %j, %nx : i32
  %place = arith.addi %l, %tx : i32
  %index = arith.extui %place : i32 to i64
  %p = mettle.offset %out[%index] : !mettle.ptr<i32, global>
  %sum = arith.addi %place, %gz : i32
  mettle.store %sum, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}
)");
  std::vector<uint32_t> out(2 * 3 * 5 * 4 * 3 * 2);
  GlobalBuffer buffer = bufferOf("out", out);
  LaunchConfig config;
  config.grid = {2, 3, 5};
  config.block = {4, 3, 2};
  std::vector<uint64_t> progress;
  config.progress = [&](uint64_t done, uint64_t all) {
    progress.push_back(done);
    EXPECT_EQ(all, 30u);
  };
  ASSERT_EQ(run(interpreter, {KernelArgument::pointer(buffer)}, config), "");
  for (uint32_t place = 0; place < out.size(); ++place)
    ASSERT_EQ(out[place], place + 5);
  EXPECT_EQ(progress.size(), 30u);
  EXPECT_EQ(progress.back(), 30u);
}

TEST_F(LaunchTest, ArgumentsMayAliasAndStartInside) {
  Interpreter interpreter = load(R"(
mettle.kernel @k(%a: !mettle.ptr<i32, global>, %b: !mettle.ptr<i32, global>, %v: i16, %d: f64) {
  %w = arith.extsi %v : i16 to i32
  mettle.store %w, %a : i32, !mettle.ptr<i32, global>
  %x = mettle.load %b : !mettle.ptr<i32, global> -> i32
  %c = mettle.ptr_cast %b : !mettle.ptr<i32, global> to !mettle.ptr<f64, global>
  %one = arith.constant 1 : i64
  %p = mettle.offset %c[%one] : !mettle.ptr<f64, global>
  mettle.store %d, %p : f64, !mettle.ptr<f64, global>
  mettle.return
}
)");
  std::vector<uint32_t> words(6);
  GlobalBuffer buffer = bufferOf("x", words);
  EXPECT_EQ(
      run(interpreter,
          {KernelArgument::pointer(buffer, 8), KernelArgument::pointer(buffer, 8),
           KernelArgument::scalar(0xFFFE, 16), KernelArgument::scalar(0x3FF0000000000000, 64)}),
      "");
  EXPECT_EQ(words, (std::vector<uint32_t>{0, 0, 0xFFFFFFFE, 0, 0, 0x3FF00000}));
}

TEST_F(LaunchTest, RefusesWhatDoesNotFit) {
  Interpreter interpreter = load(vadd);
  std::vector<float> a(1);
  GlobalBuffer buffer = bufferOf("a", a);
  KernelArgument pointer = KernelArgument::pointer(buffer);
  KernelArgument number = KernelArgument::scalar(1, 32);
  EXPECT_EQ(run(interpreter, {pointer, pointer, pointer}),
            "k:1:1: error: expected 4 arguments for kernel 'k', got 3\n");
  EXPECT_EQ(run(interpreter, {pointer, pointer, number, number}),
            "k:1:1: error: expected argument #2 of kernel 'k' to be of type "
            "'!mettle.ptr<f32, global>', got a number of 32 bits\n");
  EXPECT_EQ(run(interpreter, {pointer, pointer, pointer, pointer}),
            "k:1:1: error: expected argument #3 of kernel 'k' to be of type 'i32', got a buffer\n");
  EXPECT_EQ(run(interpreter, {pointer, pointer, pointer, KernelArgument::scalar(1, 64)}),
            "k:1:1: error: expected argument #3 of kernel 'k' to be of type 'i32', got a number of "
            "64 bits\n");
  LaunchConfig config;
  config.grid = {1, 0, 1};
  EXPECT_EQ(run(interpreter, {pointer, pointer, pointer, number}, config),
            "k:1:1: error: expected a grid of 1 to 2147483647 workgroups along each axis, got 0\n");
  config.grid = {1, 1, 1};
  config.block = {1025, 1, 1};
  EXPECT_EQ(
      run(interpreter, {pointer, pointer, pointer, number}, config),
      "k:1:1: error: expected workgroups of 1 to 1024 work-items along each axis, got 1025\n");
  config.block = {64, 32, 1};
  EXPECT_EQ(run(interpreter, {pointer, pointer, pointer, number}, config),
            "k:1:1: error: expected workgroups of at most 1024 work-items, got 2048\n");
  diagnostics.clear();
  EXPECT_TRUE(failed(interpreter.prepare("nothing")));
  EXPECT_EQ(diagnostics, "k:0:0: error: expected one of the kernels 'k', got 'nothing'\n");
}
} // namespace
