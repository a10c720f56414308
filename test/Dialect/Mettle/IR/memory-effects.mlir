// What upstream passes do with accesses because of their effects: one resource a memory space.
// RUN: mettle-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE
// RUN: mettle-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefixes=CHECK,LICM
// RUN: mettle-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,DEAD

// CHECK-LABEL: func.func @equal_loads
func.func @equal_loads(%p: !mettle.ptr<f32, global>) -> (f32, f32) {
  // CSE: %[[V:.*]] = mettle.load
  // CSE-NEXT: return %[[V]], %[[V]]
  %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
  %b = mettle.load %p : !mettle.ptr<f32, global> -> f32
  return %a, %b : f32, f32
}

// CHECK-LABEL: func.func @store_between
func.func @store_between(%p: !mettle.ptr<f32, global>, %q: !mettle.ptr<f32, global>, %v: f32) -> (f32, f32) {
  // CSE: mettle.load
  // CSE: mettle.store
  // CSE: mettle.load
  %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
  mettle.store %v, %q : f32, !mettle.ptr<f32, global>
  %b = mettle.load %p : !mettle.ptr<f32, global> -> f32
  return %a, %b : f32, f32
}

// CHECK-LABEL: func.func @volatile_loads
func.func @volatile_loads(%p: !mettle.ptr<f32, global>) {
  // CSE-COUNT-2: mettle.load volatile
  // DEAD-COUNT-2: mettle.load volatile
  %a = mettle.load volatile %p : !mettle.ptr<f32, global> -> f32
  %b = mettle.load volatile %p : !mettle.ptr<f32, global> -> f32
  return
}

// CHECK-LABEL: mettle.kernel @barrier_between
mettle.kernel @barrier_between(%p: !mettle.ptr<f32, global>, %q: !mettle.ptr<f32, global>) {
  // CSE: mettle.load
  // CSE: mettle.barrier
  // CSE: mettle.load
  %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
  mettle.barrier workgroup, acq_rel
  %b = mettle.load %p : !mettle.ptr<f32, global> -> f32
  %c = arith.addf %a, %b : f32
  mettle.store %c, %q : f32, !mettle.ptr<f32, global>
  mettle.return
}

// Two allocations stay two, and an unused one goes.
// CHECK-LABEL: mettle.kernel @allocations
mettle.kernel @allocations(%v: f32) {
  // CSE-COUNT-2: mettle.alloc[4]
  // DEAD-COUNT-2: mettle.alloc[4]
  // DEAD-NOT: mettle.alloc[4]
  %a = mettle.alloc[4] : !mettle.ptr<f32, private>
  %b = mettle.alloc[4] : !mettle.ptr<f32, private>
  %unused = mettle.alloc[4] : !mettle.ptr<f32, private>
  mettle.store volatile %v, %a : f32, !mettle.ptr<f32, private>
  mettle.store volatile %v, %b : f32, !mettle.ptr<f32, private>
  mettle.return
}

// A load is not hoisted, a barrier neither; the address is.
// CHECK-LABEL: mettle.kernel @loop
mettle.kernel @loop(%p: !mettle.ptr<f32, global>, %n: i32, %i: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // LICM: mettle.offset
  // LICM: scf.for
  scf.for %k = %zero to %n step %one : i32 {
    // LICM: mettle.load
    // LICM: mettle.barrier
    %q = mettle.offset %p[%i] : !mettle.ptr<f32, global>
    %v = mettle.load %q : !mettle.ptr<f32, global> -> f32
    mettle.barrier workgroup, acq_rel
    mettle.store %v, %q : f32, !mettle.ptr<f32, global>
  }
  mettle.return
}
