// What mettle.pack and mettle.unpack refuse.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics

// pack-c1
func.func @few(%a: f32) {
  // expected-error@+1 {{expected 2 operands, one for each element of 'vector<2xf32>', got 1}}
  %v = "mettle.pack"(%a) : (f32) -> vector<2xf32>
  return
}

// -----

// pack-c1
func.func @other(%a: f32, %b: i32) {
  // expected-error@+1 {{expected operands of type 'f32', got 'i32'}}
  %v = "mettle.pack"(%a, %b) : (f32, i32) -> vector<2xf32>
  return
}

// -----

// pack-c1
func.func @scalar(%a: f32) {
  // expected-error@+1 {{expected a vector, got 'f32'}}
  %v = "mettle.pack"(%a) : (f32) -> f32
  return
}

// -----

// unpack-c1
func.func @many(%v: vector<2xf32>) {
  // expected-error@+1 {{expected 2 results, one for each element of 'vector<2xf32>', got 3}}
  %e:3 = "mettle.unpack"(%v) : (vector<2xf32>) -> (f32, f32, f32)
  return
}

// -----

// unpack-c1
func.func @wide(%v: vector<2xf32>) {
  // expected-error@+1 {{expected results of type 'f32', got 'f64'}}
  %e:2 = "mettle.unpack"(%v) : (vector<2xf32>) -> (f32, f64)
  return
}
