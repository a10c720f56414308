// Round trip of approximate functions, which no constant folds.
// RUN: mettle-opt %s | mettle-opt --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @all
func.func @all(%x: f32) -> (f32, f32) {
  // CHECK: mettle.approximate exp %{{.*}} : f32
  %0 = mettle.approximate exp %x : f32
  // CHECK-NEXT: mettle.approximate log
  %1 = mettle.approximate log %0 : f32
  // CHECK-NEXT: mettle.approximate sin
  %2 = mettle.approximate sin %1 : f32
  // CHECK-NEXT: mettle.approximate cos
  %3 = mettle.approximate cos %2 : f32
  // CHECK-NEXT: mettle.approximate rsqrt
  %4 = mettle.approximate rsqrt %3 : f32
  %one = arith.constant 1.0 : f32
  // CHECK-NEXT: mettle.approximate exp %cst
  %5 = mettle.approximate exp %one : f32
  return %4, %5 : f32, f32
}
