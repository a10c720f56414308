// What --mettle-verify-strict-float lets pass, and each thing it refuses.
// RUN: mettle-opt %s --mettle-verify-strict-float --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @strict
func.func @strict(%a: f32, %b: f32, %d: f64) -> f32 {
  // CHECK: arith.addf
  %0 = arith.addf %a, %b : f32
  // CHECK: math.fma
  %1 = math.fma %a, %b, %0 : f32
  // CHECK: math.sqrt
  %2 = math.sqrt %1 : f32
  // CHECK: arith.truncf %{{.*}} to_nearest_even
  %3 = arith.truncf %d to_nearest_even : f64 to f32
  // CHECK: arith.maximumf
  %4 = arith.maximumf %2, %3 : f32
  return %4 : f32
}

// -----

func.func @fastmath(%a: f32, %b: f32) -> f32 {
  // strict_float-c1
  // expected-error @below {{expected no fastmath flag, got contract}}
  %0 = arith.mulf %a, %b fastmath<contract> : f32
  return %0 : f32
}

// -----

func.func @math_fastmath(%a: f32) -> f32 {
  // strict_float-c1
  // expected-error @below {{expected no fastmath flag, got nnan}}
  %0 = math.sqrt %a fastmath<nnan> : f32
  return %0 : f32
}

// -----

func.func @no_rounding(%a: f64) -> f32 {
  // strict_float-c2
  // expected-error @below {{expected a rounding mode, got none}}
  %0 = arith.truncf %a : f64 to f32
  return %0 : f32
}

// -----

func.func @rounding_away(%a: f64) -> f32 {
  // strict_float-c2
  // expected-error @below {{expected to_nearest_even, downward, upward or toward_zero, got to_nearest_away}}
  %0 = arith.truncf %a to_nearest_away : f64 to f32
  return %0 : f32
}

// -----

func.func @approximation(%a: f32) -> f32 {
  // strict_float-c3
  // expected-error @below {{expected an operation with one exact result}}
  %0 = math.exp %a : f32
  return %0 : f32
}

// -----

func.func @rsqrt(%a: f32) -> f32 {
  // strict_float-c3
  // expected-error @below {{expected an operation with one exact result}}
  %0 = math.rsqrt %a : f32
  return %0 : f32
}

// -----

func.func @maxnum(%a: f32, %b: f32) -> f32 {
  // strict_float-c4
  // expected-error @below {{expected maximumf or minimumf; which zero this operation returns is unspecified}}
  %0 = arith.maxnumf %a, %b : f32
  return %0 : f32
}

// -----

func.func @remainder(%a: f32, %b: f32) -> f32 {
  // strict_float-c4
  // expected-error @below {{expected an operation that every target has; none has a float remainder}}
  %0 = arith.remf %a, %b : f32
  return %0 : f32
}

// -----

func.func @type(%a: f128) -> f128 {
  // strict_float-c5
  // expected-error @below {{expected f16, bf16, f32 or f64, got 'f128'}}
  %0 = arith.negf %a : f128
  return %0 : f128
}

// -----

// Every fault is reported, not the first alone.
func.func @two_faults(%a: f32, %d: f64) -> (f32, f32) {
  // expected-error @below {{expected an operation with one exact result}}
  %0 = math.log %a : f32
  // expected-error @below {{expected a rounding mode, got none}}
  %1 = arith.truncf %d : f64 to f32
  return %0, %1 : f32, f32
}
