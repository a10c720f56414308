// Every constraint of the memory operations and of !mettle.ptr refuses what it names.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics

// ptr-c1
// expected-error @below {{expected an element type i8, i16, i32, i64, f16, bf16, f32 or f64, got 'i1'}}
func.func private @bit(!mettle.ptr<i1, global>)

// -----

// ptr-c1: no pointer to a pointer
// expected-error @below {{expected an element type i8, i16, i32, i64, f16, bf16, f32 or f64, got '!mettle.ptr<f32, global>'}}
func.func private @nested(!mettle.ptr<!mettle.ptr<f32, global>, global>)

// -----

mettle.kernel @alloc_global() {
  // alloc-c1
  // expected-error @below {{expected a pointer into workgroup or private memory, got global}}
  %0 = mettle.alloc[4] : !mettle.ptr<f32, global>
  mettle.return
}

// -----

mettle.kernel @alloc_empty() {
  // alloc-c2
  // expected-error @below {{expected an extent of at least 1 and at most 2147483647 bytes, got 0 elements of 4 bytes}}
  %0 = mettle.alloc[0] : !mettle.ptr<f32, workgroup>
  mettle.return
}

// -----

mettle.kernel @alloc_huge() {
  // alloc-c2
  // expected-error @below {{expected an extent of at least 1 and at most 2147483647 bytes, got 268435456 elements of 8 bytes}}
  %0 = mettle.alloc[268435456] : !mettle.ptr<f64, workgroup>
  mettle.return
}

// -----

func.func @alloc_in_helper() {
  // alloc-c3
  // expected-error @below {{expected to stand in the entry block of a 'mettle.kernel'}}
  %0 = mettle.alloc[4] : !mettle.ptr<f32, private>
  return
}

// -----

mettle.kernel @alloc_in_branch() {
  %true = arith.constant true
  scf.if %true {
    // alloc-c3
    // expected-error @below {{expected to stand in the entry block of a 'mettle.kernel'}}
    %0 = mettle.alloc[4] : !mettle.ptr<f32, private>
  }
  mettle.return
}

// -----

mettle.kernel @dynamic_private() {
  // dynamic_workgroup-c1
  // expected-error @below {{expected a pointer into workgroup memory, got private}}
  %0 = mettle.dynamic_workgroup : !mettle.ptr<f32, private>
  mettle.return
}

// -----

func.func @dynamic_in_helper() {
  // dynamic_workgroup-c2
  // expected-error @below {{expected to stand in a 'mettle.kernel'}}
  %0 = mettle.dynamic_workgroup : !mettle.ptr<f32, workgroup>
  return
}

// -----

func.func @load_other_element(%p: !mettle.ptr<f32, global>) {
  // load-c1
  // expected-error @below {{expected a value of 'f32' or a vector of it, got 'vector<2xi32>'}}
  %0 = mettle.load %p : !mettle.ptr<f32, global> -> vector<2xi32>
  return
}

// -----

func.func @load_wide(%p: !mettle.ptr<f32, global>) {
  // load-c2
  // expected-error @below {{expected an access of at most 16 bytes, got 32}}
  %0 = mettle.load %p : !mettle.ptr<f32, global> -> vector<8xf32>
  return
}

// -----

func.func @load_alignment(%p: !mettle.ptr<f32, global>) {
  // load-c3
  // expected-error @below {{expected an alignment that is a power of two from 4 to 16, got 12}}
  %0 = mettle.load %p align 12 : !mettle.ptr<f32, global> -> vector<4xf32>
  return
}

// -----

func.func @store_other_element(%p: !mettle.ptr<f32, global>, %v: f64) {
  // store-c1
  // expected-error @below {{expected a value of 'f32' or a vector of it, got 'f64'}}
  mettle.store %v, %p : f64, !mettle.ptr<f32, global>
  return
}

// -----

func.func @store_wide(%p: !mettle.ptr<f64, global>, %v: vector<4xf64>) {
  // store-c2
  // expected-error @below {{expected an access of at most 16 bytes, got 32}}
  mettle.store %v, %p : vector<4xf64>, !mettle.ptr<f64, global>
  return
}

// -----

func.func @store_alignment(%p: !mettle.ptr<f64, global>, %v: f64) {
  // store-c3
  // expected-error @below {{expected an alignment that is a power of two from 8 to 8, got 4}}
  mettle.store %v, %p align 4 : f64, !mettle.ptr<f64, global>
  return
}

// -----

func.func @ptr_cast_space(%p: !mettle.ptr<f32, global>) {
  // ptr_cast-c1
  // expected-error @below {{expected a pointer into global memory, got workgroup}}
  %0 = mettle.ptr_cast %p : !mettle.ptr<f32, global> to !mettle.ptr<f32, workgroup>
  return
}

// -----

func.func @space_cast_element(%p: !mettle.ptr<f32, global>) {
  // space_cast-c1
  // expected-error @below {{expected a pointer to 'f32', got one to 'i32'}}
  %0 = mettle.space_cast %p : !mettle.ptr<f32, global> to !mettle.ptr<i32, generic>
  return
}

// -----

func.func @space_cast_specific(%p: !mettle.ptr<f32, global>) {
  // space_cast-c2
  // expected-error @below {{expected exactly one generic pointer, got global to workgroup}}
  %0 = mettle.space_cast %p : !mettle.ptr<f32, global> to !mettle.ptr<f32, workgroup>
  return
}
