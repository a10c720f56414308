// What was loaded before a branch or loop is not loaded again inside, if nothing between may write.
// RUN: mettle-opt %s --mettle-forward-loads --split-input-file | FileCheck %s
// RUN: mettle-opt %s --mettle-forward-loads --canonicalize --split-input-file | FileCheck %s --check-prefix=CHOICE

// CHECK-LABEL: func.func @branch
// CHECK: %[[A:.*]] = mettle.load
// CHECK-NOT: mettle.load
// CHECK: scf.yield %[[A]]
// CHOICE-LABEL: func.func @branch
// CHOICE-NOT: scf.if
// CHOICE: arith.select
func.func @branch(%p: !mettle.ptr<f32, global>, %c: i1, %x: f32, %to: !mettle.ptr<f32, global>) {
  %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
  %r = scf.if %c -> (f32) {
    %b = mettle.load %p : !mettle.ptr<f32, global> -> f32
    scf.yield %b : f32
  } else {
    scf.yield %x : f32
  }
  %s = arith.addf %r, %a : f32
  mettle.store %s, %to : f32, !mettle.ptr<f32, global>
  return
}

// -----

// A store before the branch, or in it, may be to the same place; so may one of another type.
// CHECK-LABEL: func.func @writes
// CHECK-COUNT-4: mettle.load
func.func @writes(%p: !mettle.ptr<f32, global>, %q: !mettle.ptr<i32, workgroup>, %c: i1, %x: f32, %i: i32) {
  %a = mettle.load %p : !mettle.ptr<f32, global> -> f32
  mettle.store %x, %p : f32, !mettle.ptr<f32, global>
  scf.if %c {
    %b = mettle.load %p : !mettle.ptr<f32, global> -> f32
    mettle.store %i, %q : i32, !mettle.ptr<i32, workgroup>
    mettle.store %b, %p : f32, !mettle.ptr<f32, global>
  }
  %d = mettle.load %p : !mettle.ptr<f32, global> -> f32
  scf.if %c {
    mettle.store %i, %q : i32, !mettle.ptr<i32, workgroup>
    %e = mettle.load %p : !mettle.ptr<f32, global> -> f32
    mettle.store %e, %p : f32, !mettle.ptr<f32, global>
  }
  return
}

// -----

// A barrier shows what others wrote, and so does a volatile load; another pointer is another place.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-6: mettle.load
func.func @others(%p: !mettle.ptr<f32, workgroup>, %q: !mettle.ptr<f32, workgroup>, %c: i1, %x: f32,
                      %to: !mettle.ptr<f32, global>) {
  %a = mettle.load %p : !mettle.ptr<f32, workgroup> -> f32
  mettle.barrier workgroup, acq_rel
  %r = scf.if %c -> (f32) {
    %b = mettle.load %p : !mettle.ptr<f32, workgroup> -> f32
    scf.yield %b : f32
  } else {
    scf.yield %x : f32
  }
  %v = mettle.load volatile %p : !mettle.ptr<f32, workgroup> -> f32
  %s = scf.if %c -> (f32) {
    %b = mettle.load volatile %p : !mettle.ptr<f32, workgroup> -> f32
    scf.yield %b : f32
  } else {
    %b = mettle.load %q : !mettle.ptr<f32, workgroup> -> f32
    scf.yield %b : f32
  }
  %d = mettle.load %q : !mettle.ptr<f32, workgroup> -> f32
  %t = arith.addf %r, %s : f32
  %u = arith.addf %a, %d : f32
  %w = arith.addf %t, %u : f32
  %y = arith.addf %w, %v : f32
  mettle.store %y, %to : f32, !mettle.ptr<f32, global>
  return
}
