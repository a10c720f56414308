// A counted loop that loads gets one of four rounds a trip before it; the others say why they stay.
// RUN: mettle-opt %s --mettle-unroll-loops=remarks=true --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @up(
// CHECK-SAME: %[[P:.*]]: !mettle.ptr<f32, global>, %[[N:[a-z0-9]+]]: i32, %[[X:[a-z0-9]+]]: f32
// CHECK: %[[C0:.*]] = arith.constant 0 : i32
// CHECK: %[[MIN:.*]] = arith.constant -2147483648 : i32
// CHECK: %[[NEAREST:.*]] = arith.constant -2147483642 : i32
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %[[N]], %[[NEAREST]]
// CHECK: %[[SIX:.*]] = arith.constant 6 : i32
// CHECK: %[[MOVED:.*]] = arith.subi %[[N]], %[[SIX]]
// CHECK: %[[LIMIT:.*]] = arith.select %[[FITS]], %[[MOVED]], %[[MIN]]
// CHECK: %[[FOUR:.*]]:2 = scf.while (%[[S:.*]] = %[[X]], %[[I:.*]] = %[[C0]])
// CHECK: arith.cmpi slt, %[[I]], %[[LIMIT]]
// CHECK-COUNT-4: mettle.load
// CHECK: attributes {mettle.unroll = 1 : i64}
// CHECK: scf.while (%{{.*}} = %[[FOUR]]#0, %[[J:.*]] = %[[FOUR]]#1)
// CHECK: arith.cmpi slt, %[[J]], %[[N]]
// CHECK: mettle.load
// CHECK-NOT: mettle.load
// CHECK: attributes {mettle.unroll = 1 : i64}
func.func @up(%p: !mettle.ptr<f32, global>, %n: i32, %x: f32, %to: !mettle.ptr<f32, global>) {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  // expected-remark@+1 {{4 rounds a trip [loop_unrolled]}}
  %r:2 = scf.while (%s = %x, %i = %c0) : (f32, i32) -> (f32, i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %s, %i : f32, i32
  } do {
  ^bb0(%s: f32, %i: i32):
    %k = arith.extsi %i : i32 to i64
    %q = mettle.offset %p[%k] : !mettle.ptr<f32, global>
    %v = mettle.load %q : !mettle.ptr<f32, global> -> f32
    %t = arith.addf %s, %v : f32
    %j = arith.addi %i, %c2 : i32
    scf.yield %t, %j : f32, i32
  }
  mettle.store %r#0, %to : f32, !mettle.ptr<f32, global>
  return
}

// -----

// Downwards, unsigned, the bound on the left and a step that is taken away; as many rounds as are wanted.
// CHECK-LABEL: func.func @down(
// CHECK-SAME: %[[P:.*]]: !mettle.ptr<f32, global>, %[[N:[a-z0-9]+]]: i64
// CHECK: %[[MAX:.*]] = arith.constant -1 : i64
// CHECK: %[[NEAREST:.*]] = arith.constant -3 : i64
// CHECK: arith.cmpi ule, %[[N]], %[[NEAREST]]
// CHECK: arith.subi %[[N]], %{{.*}} : i64
// CHECK: arith.cmpi ugt, %{{.*}}, %{{.*}} : i64
// CHECK-COUNT-3: mettle.load
// CHECK: attributes {mettle.unroll = 1 : i64}
func.func @down(%p: !mettle.ptr<f32, global>, %n: i64, %from: i64, %x: f32, %to: !mettle.ptr<f32, global>) {
  %c1 = arith.constant 1 : i64
  // expected-remark@+1 {{3 rounds a trip [loop_unrolled]}}
  %r:2 = scf.while (%s = %x, %i = %from) : (f32, i64) -> (f32, i64) {
    %more = arith.cmpi ult, %n, %i : i64
    scf.condition(%more) %s, %i : f32, i64
  } do {
  ^bb0(%s: f32, %i: i64):
    %q = mettle.offset %p[%i] : !mettle.ptr<f32, global>
    %v = mettle.load %q : !mettle.ptr<f32, global> -> f32
    %t = arith.addf %s, %v : f32
    %j = arith.subi %i, %c1 : i64
    scf.yield %t, %j : f32, i64
  } attributes {mettle.unroll = 3 : i64}
  mettle.store %r#0, %to : f32, !mettle.ptr<f32, global>
  return
}

// -----

// CHECK-LABEL: func.func @stay
// CHECK-COUNT-6: scf.while
// CHECK-NOT: scf.while
func.func @stay(%p: !mettle.ptr<i32, global>, %n: i32, %to: !mettle.ptr<i32, workgroup>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %far = arith.constant 1000000000 : i32
  // expected-remark@+1 {{not unrolled: it has no loads that several rounds could wait for together [loop_loads_nothing]}}
  %a = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    mettle.store %i, %to : i32, !mettle.ptr<i32, workgroup>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  // expected-remark@+1 {{not unrolled: its condition is not a count that steps to a bound by a constant [loop_not_counted]}}
  %b = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi sle, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
    mettle.store %v, %to : i32, !mettle.ptr<i32, workgroup>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  // expected-remark@+1 {{not unrolled: work-items meet in it [loop_meets]}}
  %c = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
    mettle.barrier workgroup, acq_rel
    mettle.store %v, %to : i32, !mettle.ptr<i32, workgroup>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  // expected-remark@+1 {{not unrolled: the steps of several rounds are beyond its count's type [loop_too_far]}}
  %d = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
    mettle.store %v, %to : i32, !mettle.ptr<i32, workgroup>
    %j = arith.addi %i, %far : i32
    scf.yield %j : i32
  }
  // expected-remark@+1 {{not unrolled: one round a trip was asked for [loop_as_written]}}
  %e = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
    mettle.store %v, %to : i32, !mettle.ptr<i32, workgroup>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  } attributes {mettle.unroll = 1 : i64}
  // Away from the bound: a loop that ends where the count wraps.
  // expected-remark@+1 {{not unrolled: its condition is not a count that steps to a bound by a constant [loop_not_counted]}}
  %f = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
    mettle.store %v, %to : i32, !mettle.ptr<i32, workgroup>
    %j = arith.subi %i, %c1 : i32
    scf.yield %j : i32
  }
  return
}

// -----

func.func private @f(i32) -> i32

// CHECK-LABEL: func.func @calls
// CHECK-COUNT-3: scf.while
// CHECK-NOT: scf.while
func.func @calls(%p: !mettle.ptr<i32, global>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark@+1 {{not unrolled: it calls a function [loop_calls]}}
  %a = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
    %w = func.call @f(%v) : (i32) -> i32
    mettle.store %w, %p : i32, !mettle.ptr<i32, global>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  // expected-remark@+1 {{not unrolled: it holds a loop [loop_outer]}}
  %b = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
    // expected-remark@+1 {{not unrolled: it has no loads that several rounds could wait for together [loop_loads_nothing]}}
    %inner = scf.while (%k = %c0) : (i32) -> (i32) {
      %more = arith.cmpi slt, %k, %v : i32
      scf.condition(%more) %k : i32
    } do {
    ^bb0(%k: i32):
      %l = arith.addi %k, %c1 : i32
      scf.yield %l : i32
    }
    mettle.store %inner, %p : i32, !mettle.ptr<i32, global>
    %j = arith.addi %i, %c1 : i32
    scf.yield %j : i32
  }
  return
}
