// Round trip and constraints of the atomic operations.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics --canonicalize --cse | mettle-opt --split-input-file | FileCheck %s

// CHECK-LABEL: mettle.kernel @atomics
mettle.kernel @atomics(%p: !mettle.ptr<i32, global>, %q: !mettle.ptr<i64, global>, %f: !mettle.ptr<f32, global>, %v: i32, %w: i64, %x: f32) {
  %s = mettle.alloc[4] : !mettle.ptr<i32, workgroup>
  %g = mettle.space_cast %p : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
  // CHECK: %{{.*}} = mettle.atomic_load acquire device %{{.*}} : !mettle.ptr<i32, global>
  %0 = mettle.atomic_load acquire device %p : !mettle.ptr<i32, global>
  // CHECK: mettle.atomic_load relaxed workgroup %{{.*}} : !mettle.ptr<i32, workgroup>
  %1 = mettle.atomic_load relaxed workgroup %s : !mettle.ptr<i32, workgroup>
  // CHECK: mettle.atomic_load seq_cst device %{{.*}} : !mettle.ptr<i32, generic>
  %2 = mettle.atomic_load seq_cst device %g : !mettle.ptr<i32, generic>
  // CHECK: mettle.atomic_store release workgroup %{{.*}}, %{{.*}} : !mettle.ptr<i64, global>
  mettle.atomic_store release workgroup %w, %q : !mettle.ptr<i64, global>
  // CHECK: mettle.atomic_rmw umin acq_rel device %{{.*}}, %{{.*}} : !mettle.ptr<i64, global>
  %3 = mettle.atomic_rmw umin acq_rel device %q, %w : !mettle.ptr<i64, global>
  // CHECK: mettle.atomic_rmw exchange release workgroup %{{.*}}, %{{.*}} : !mettle.ptr<i32, workgroup>
  %4 = mettle.atomic_rmw exchange release workgroup %s, %v : !mettle.ptr<i32, workgroup>
  // CHECK: mettle.atomic_rmw fadd relaxed device %{{.*}}, %{{.*}} unordered : !mettle.ptr<f32, global>
  %5 = mettle.atomic_rmw fadd relaxed device %f, %x unordered : !mettle.ptr<f32, global>
  // CHECK: mettle.atomic_cmpxchg acq_rel acquire device %{{.*}}, %{{.*}}, %{{.*}} : !mettle.ptr<i32, global>
  %6 = mettle.atomic_cmpxchg acq_rel acquire device %p, %v, %0 : !mettle.ptr<i32, global>
  mettle.return
}

// -----

// An unused result is no reason to remove one.
// CHECK-LABEL: mettle.kernel @kept
mettle.kernel @kept(%p: !mettle.ptr<i32, global>) {
  // CHECK-NEXT: mettle.atomic_load
  %0 = mettle.atomic_load relaxed device %p : !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @load_element(%p: !mettle.ptr<f32, global>) {
  // atomic_load-c1
  // expected-error @below {{expected a pointer to i32 or i64, got one to 'f32'}}
  %0 = mettle.atomic_load relaxed device %p : !mettle.ptr<f32, global>
  mettle.return
}

// -----

mettle.kernel @load_private() {
  %p = mettle.alloc[1] : !mettle.ptr<i32, private>
  // atomic_load-c2
  // expected-error @below {{expected a pointer into global or workgroup memory, got private: nobody else sees it}}
  %0 = mettle.atomic_load relaxed device %p : !mettle.ptr<i32, private>
  mettle.return
}

// -----

mettle.kernel @load_scope() {
  %p = mettle.alloc[1] : !mettle.ptr<i32, workgroup>
  // atomic_load-c3
  // expected-error @below {{expected the scope workgroup for workgroup memory, got device}}
  %0 = mettle.atomic_load relaxed device %p : !mettle.ptr<i32, workgroup>
  mettle.return
}

// -----

mettle.kernel @load_order(%p: !mettle.ptr<i32, global>) {
  // atomic_load-c4
  // expected-error @below {{expected the order relaxed, acquire or seq_cst, got release}}
  %0 = mettle.atomic_load release device %p : !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @load_order_both(%p: !mettle.ptr<i32, global>) {
  // atomic_load-c4
  // expected-error @below {{expected the order relaxed, acquire or seq_cst, got acq_rel}}
  %0 = mettle.atomic_load acq_rel device %p : !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @store_element(%p: !mettle.ptr<i16, global>, %v: i16) {
  // atomic_store-c1
  // expected-error @below {{expected a pointer to i32 or i64, got one to 'i16'}}
  mettle.atomic_store relaxed device %v, %p : !mettle.ptr<i16, global>
  mettle.return
}

// -----

mettle.kernel @store_private(%v: i32) {
  %p = mettle.alloc[1] : !mettle.ptr<i32, private>
  // atomic_store-c2
  // expected-error @below {{expected a pointer into global or workgroup memory, got private}}
  mettle.atomic_store relaxed device %v, %p : !mettle.ptr<i32, private>
  mettle.return
}

// -----

mettle.kernel @store_scope(%v: i32) {
  %p = mettle.alloc[1] : !mettle.ptr<i32, workgroup>
  // atomic_store-c3
  // expected-error @below {{expected the scope workgroup for workgroup memory, got device}}
  mettle.atomic_store relaxed device %v, %p : !mettle.ptr<i32, workgroup>
  mettle.return
}

// -----

mettle.kernel @store_order(%p: !mettle.ptr<i32, global>, %v: i32) {
  // atomic_store-c4
  // expected-error @below {{expected the order relaxed, release or seq_cst, got acquire}}
  mettle.atomic_store acquire device %v, %p : !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @rmw_element(%p: !mettle.ptr<f32, global>, %v: f32) {
  // atomic_rmw-c1
  // expected-error @below {{expected a pointer to i32 or i64, got one to 'f32'}}
  %0 = mettle.atomic_rmw exchange relaxed device %p, %v : !mettle.ptr<f32, global>
  mettle.return
}

// -----

mettle.kernel @rmw_float_element(%p: !mettle.ptr<f16, global>, %v: f16) {
  // atomic_rmw-c1
  // expected-error @below {{expected a pointer to f32 or f64, got one to 'f16'}}
  %0 = mettle.atomic_rmw fadd relaxed device %p, %v unordered : !mettle.ptr<f16, global>
  mettle.return
}

// -----

mettle.kernel @rmw_private(%v: i32) {
  %p = mettle.alloc[1] : !mettle.ptr<i32, private>
  // atomic_rmw-c2
  // expected-error @below {{expected a pointer into global or workgroup memory, got private}}
  %0 = mettle.atomic_rmw add relaxed device %p, %v : !mettle.ptr<i32, private>
  mettle.return
}

// -----

mettle.kernel @rmw_scope(%v: i32) {
  %p = mettle.alloc[1] : !mettle.ptr<i32, workgroup>
  // atomic_rmw-c3
  // expected-error @below {{expected the scope workgroup for workgroup memory, got device}}
  %0 = mettle.atomic_rmw add relaxed device %p, %v : !mettle.ptr<i32, workgroup>
  mettle.return
}

// -----

mettle.kernel @float_sum(%p: !mettle.ptr<f32, global>, %v: f32) {
  // atomic_rmw-c4
  // expected-error @below {{expected a sum of floats to be unordered: its result depends on the order of arrival}}
  %0 = mettle.atomic_rmw fadd relaxed device %p, %v : !mettle.ptr<f32, global>
  mettle.return
}

// -----

mettle.kernel @unordered(%p: !mettle.ptr<i32, global>, %v: i32) {
  // atomic_rmw-c4
  // expected-error @below {{expected only a sum of floats to be unordered, got umax}}
  %0 = mettle.atomic_rmw umax relaxed device %p, %v unordered : !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @cmpxchg_element(%p: !mettle.ptr<f64, global>, %v: f64) {
  // atomic_cmpxchg-c1
  // expected-error @below {{expected a pointer to i32 or i64, got one to 'f64'}}
  %0 = mettle.atomic_cmpxchg relaxed relaxed device %p, %v, %v : !mettle.ptr<f64, global>
  mettle.return
}

// -----

mettle.kernel @cmpxchg_private(%v: i32) {
  %p = mettle.alloc[1] : !mettle.ptr<i32, private>
  // atomic_cmpxchg-c2
  // expected-error @below {{expected a pointer into global or workgroup memory, got private}}
  %0 = mettle.atomic_cmpxchg relaxed relaxed device %p, %v, %v : !mettle.ptr<i32, private>
  mettle.return
}

// -----

mettle.kernel @cmpxchg_scope(%v: i32) {
  %p = mettle.alloc[1] : !mettle.ptr<i32, workgroup>
  // atomic_cmpxchg-c3
  // expected-error @below {{expected the scope workgroup for workgroup memory, got device}}
  %0 = mettle.atomic_cmpxchg relaxed relaxed device %p, %v, %v : !mettle.ptr<i32, workgroup>
  mettle.return
}

// -----

mettle.kernel @failure_release(%p: !mettle.ptr<i32, global>, %v: i32) {
  // atomic_cmpxchg-c4
  // expected-error @below {{expected the failure order relaxed, acquire or seq_cst, got release}}
  %0 = mettle.atomic_cmpxchg seq_cst release device %p, %v, %v : !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @failure_acq_rel(%p: !mettle.ptr<i32, global>, %v: i32) {
  // atomic_cmpxchg-c4
  // expected-error @below {{expected the failure order relaxed, acquire or seq_cst, got acq_rel}}
  %0 = mettle.atomic_cmpxchg seq_cst acq_rel device %p, %v, %v : !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @failure_seq_cst(%p: !mettle.ptr<i32, global>, %v: i32) {
  // atomic_cmpxchg-c5
  // expected-error @below {{expected a failure order no stronger than acq_rel, that of success, got seq_cst}}
  %0 = mettle.atomic_cmpxchg acq_rel seq_cst device %p, %v, %v : !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @failure_acquire(%p: !mettle.ptr<i32, global>, %v: i32) {
  // atomic_cmpxchg-c5
  // expected-error @below {{expected a failure order no stronger than release, that of success, got acquire}}
  %0 = mettle.atomic_cmpxchg release acquire device %p, %v, %v : !mettle.ptr<i32, global>
  mettle.return
}
