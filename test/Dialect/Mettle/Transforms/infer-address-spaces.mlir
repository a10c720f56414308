// Generic pointers whose memory is known get it; with refuse-mixed-atomics an atomic may not be on several.
// RUN: mettle-opt %s --mettle-infer-address-spaces | FileCheck %s
// RUN: mettle-opt %s --mettle-infer-address-spaces=refuse-mixed-atomics=true --verify-diagnostics -o /dev/null

// CHECK-LABEL: @through_a_loop(
mettle.kernel @through_a_loop(%p: !mettle.ptr<i32, global>, %n: i32, %step: i64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %g = mettle.space_cast %p : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
  // CHECK: scf.for
  %end = scf.for %i = %zero to %n step %one iter_args(%at = %g) -> (!mettle.ptr<i32, generic>) : i32 {
    // CHECK: %[[KNOWN:.*]] = mettle.space_cast %{{.*}} : !mettle.ptr<i32, generic> to !mettle.ptr<i32, global>
    // CHECK-NEXT: mettle.load %[[KNOWN]] : !mettle.ptr<i32, global>
    %v = mettle.load %at : !mettle.ptr<i32, generic> -> i32
    %next = mettle.offset %at[%step] : !mettle.ptr<i32, generic>
    scf.yield %next : !mettle.ptr<i32, generic>
  }
  // CHECK: mettle.store %{{.*}}, %{{.*}} : i32, !mettle.ptr<i32, global>
  mettle.store %zero, %end : i32, !mettle.ptr<i32, generic>
  mettle.return
}

// A helper is called with pointers of one memory; its atomic is among the workgroup.
// CHECK-LABEL: @count(
func.func private @count(%p: !mettle.ptr<i32, generic>) -> i32 {
  %one = arith.constant 1 : i32
  // CHECK: mettle.atomic_rmw add relaxed workgroup %{{.*}} : !mettle.ptr<i32, workgroup>
  %old = mettle.atomic_rmw add relaxed device %p, %one : !mettle.ptr<i32, generic>
  return %old : i32
}
mettle.kernel @calls(%n: i32) {
  %tile = mettle.alloc[8] : !mettle.ptr<i32, workgroup>
  %other = mettle.alloc[8] : !mettle.ptr<i32, workgroup>
  %a = mettle.space_cast %tile : !mettle.ptr<i32, workgroup> to !mettle.ptr<i32, generic>
  %b = mettle.space_cast %other : !mettle.ptr<i32, workgroup> to !mettle.ptr<i32, generic>
  %0 = func.call @count(%a) : (!mettle.ptr<i32, generic>) -> i32
  %1 = func.call @count(%b) : (!mettle.ptr<i32, generic>) -> i32
  mettle.return
}

// CHECK-LABEL: @mixed(
mettle.kernel @mixed(%p: !mettle.ptr<i32, global>, %n: i32) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi eq, %n, %zero : i32
  %tile = mettle.alloc[8] : !mettle.ptr<i32, workgroup>
  // expected-note @below {{it may point into workgroup memory from here}}
  %w = mettle.space_cast %tile : !mettle.ptr<i32, workgroup> to !mettle.ptr<i32, generic>
  // expected-note @below {{it may point into global memory from here}}
  %g = mettle.space_cast %p : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
  %q = scf.if %c -> !mettle.ptr<i32, generic> {
    scf.yield %w : !mettle.ptr<i32, generic>
  } else {
    scf.yield %g : !mettle.ptr<i32, generic>
  }
  // CHECK: mettle.load %{{.*}} : !mettle.ptr<i32, generic>
  %v = mettle.load %q : !mettle.ptr<i32, generic> -> i32
  // CHECK: mettle.atomic_rmw add relaxed device %{{.*}} : !mettle.ptr<i32, generic>
  // infer_address_spaces-c1
  // expected-error @below {{'mettle.atomic_rmw' op expected a pointer into one memory, which the target names where an atomic orders it, got one that may point into several}}
  %old = mettle.atomic_rmw add relaxed device %q, %v : !mettle.ptr<i32, generic>
  mettle.return
}
