// What has no PTX instructions is an error at its place.
// RUN: mettle-opt %s --split-input-file --convert-mettle-to-ptx --verify-diagnostics

// expected-error @below {{failed to legalize operation 'func.func'}}
func.func @wide(%a: i128, %b: i128) -> i128 {
  %0 = arith.addi %a, %b : i128
  return %0 : i128
}

// -----

func.func @rounding(%a: f32) -> bf16 {
  // expected-error @below {{failed to legalize operation 'arith.truncf'}}
  %0 = arith.truncf %a upward : f32 to bf16
  return %0 : bf16
}

// -----

func.func @approximation(%a: f32) -> f32 {
  // expected-error @below {{failed to legalize operation 'math.exp'}}
  %0 = math.exp %a : f32
  return %0 : f32
}
