// What mettle-expand-math leaves alone, mettle-verify-strict-float refuses.
//
// RUN: mettle-opt --mettle-expand-math --mettle-verify-strict-float --split-input-file --verify-diagnostics %s

func.func @another_type(%x: f64) -> f64 {
  // expected-error @below {{expected an operation with one exact result}}
  %y = math.exp %x : f64
  return %y : f64
}

// -----

func.func @no_sequence(%x: f32) -> f32 {
  // expected-error @below {{expected an operation with one exact result}}
  %y = math.atan %x : f32
  return %y : f32
}

// -----

func.func @fastmath(%x: f32) -> f32 {
  // expected-error @below {{expected no fastmath flag, got afn}}
  %y = math.exp %x fastmath<afn> : f32
  return %y : f32
}
