// Which operations mettle-expand-math replaces; what the sequences return is measured in
// unittests/Math and integration/Math.
//
// RUN: mettle-opt --mettle-expand-math %s | FileCheck %s
// RUN: mettle-opt --mettle-expand-math --mettle-verify-strict-float %s -o %t 2>&1 | FileCheck %s --check-prefix=LEFT --allow-empty

// LEFT-NOT: error

// CHECK-LABEL: func.func @rsqrt
// CHECK-SAME: (%[[X:.*]]: f32)
// CHECK: %[[ROOT:.*]] = math.sqrt
// CHECK: %[[INVERSE:.*]] = arith.divf %{{.*}}, %[[ROOT]]
// CHECK: math.fma
// CHECK-NOT: math.rsqrt
// CHECK: return
func.func @rsqrt(%x: f32) -> f32 {
  %y = math.rsqrt %x : f32
  return %y : f32
}

// Large arguments take the long way, others do not pay for it.
// CHECK-LABEL: func.func @sin
// CHECK: scf.if
// CHECK: arith.muli {{.*}} : i64
// CHECK-NOT: math.sin
// CHECK: return
func.func @sin(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @all
// CHECK-NOT: math.{{(exp|exp2|log|log2|cos|tanh|erf|powf)}}
// CHECK: return
func.func @all(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.exp2 %x : f32
  %2 = math.log %x : f32
  %3 = math.log2 %x : f32
  %4 = math.cos %x : f32
  %5 = math.tanh %x : f32
  %6 = math.erf %x : f32
  %7 = math.powf %x, %y : f32
  return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f32, f32, f32, f32, f32
}

// An operation whose fastmath attribute is not even there stays.
// CHECK-LABEL: func.func @without_flags
func.func @without_flags(%x: f64) -> f32 {
  // CHECK: arith.truncf %{{.*}} to_nearest_even : f64 to f32
  %0 = arith.truncf %x to_nearest_even : f64 to f32
  return %0 : f32
}
