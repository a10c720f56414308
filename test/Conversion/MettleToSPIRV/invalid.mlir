// What the conversion refuses.
// RUN: mettle-opt --convert-mettle-to-spirv --split-input-file --verify-diagnostics %s

// convert_mettle_to_spirv-c1
// expected-error @below {{expected at least one 'mettle.kernel', got none}}
module {
  func.func @helper() {
    return
  }
}

// -----

func.func private @external(i32)

mettle.kernel @calls_a_declaration(%n: i32) {
  // convert_mettle_to_spirv-c2
  // expected-error @below {{expected a function with a body, got the declaration 'external'}}
  func.call @external(%n) : (i32) -> ()
  mettle.return
}

// -----

// expected-note @below {{the function is here}}
func.func @even(%n: i32) -> i32 {
  %0 = func.call @odd(%n) : (i32) -> i32
  return %0 : i32
}

func.func @odd(%n: i32) -> i32 {
  // convert_mettle_to_spirv-c3
  // expected-error @below {{expected no recursion, got a call that leads back to 'even'}}
  %0 = func.call @even(%n) : (i32) -> i32
  return %0 : i32
}

mettle.kernel @recursive(%n: i32, %p: !mettle.ptr<i32, global>) {
  %0 = func.call @even(%n) : (i32) -> i32
  mettle.store %0, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @no_instruction(%a: f32, %p: !mettle.ptr<f32, global>) {
  // expected-error @below {{failed to legalize operation 'math.sin'}}
  %0 = math.sin %a : f32
  mettle.store %0, %p : f32, !mettle.ptr<f32, global>
  mettle.return
}

// -----

mettle.kernel @fused(%a: bf16, %p: !mettle.ptr<bf16, global>) {
  // convert_mettle_to_spirv-c4
  // expected-error @below {{expected a float type that SPIR-V v1.4 for OpenCL has, got 'bf16', for which no exact form is known}}
  %0 = math.fma %a, %a, %a : bf16
  mettle.store %0, %p : bf16, !mettle.ptr<bf16, global>
  mettle.return
}

// -----

mettle.kernel @rounds_twice(%a: i64, %p: !mettle.ptr<bf16, global>) {
  // convert_mettle_to_spirv-c5
  // expected-error @below {{expected an integer of at most 32 bits, got i64, whose conversion to bf16 would round twice}}
  %0 = arith.sitofp %a : i64 to bf16
  mettle.store %0, %p : bf16, !mettle.ptr<bf16, global>
  mettle.return
}
