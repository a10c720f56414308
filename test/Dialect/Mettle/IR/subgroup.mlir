// Round trip and constraints of the subgroup operations.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | mettle-opt --split-input-file | FileCheck %s

// CHECK-LABEL: mettle.kernel @collectives
// CHECK-SAME: attributes {subgroup_size = 32 : i32}
mettle.kernel @collectives(%f: f32, %h: f16, %d: f64, %i: i32, %l: i64) attributes {subgroup_size = 32 : i32} {
  // CHECK-NEXT: %[[LANE:.*]] = mettle.subgroup_local_id
  %lane = mettle.subgroup_local_id
  // CHECK-NEXT: mettle.subgroup_size
  %size = mettle.subgroup_size
  // CHECK-NEXT: mettle.subgroup_broadcast %{{.*}}, %[[LANE]] : f64
  %0 = mettle.subgroup_broadcast %d, %lane : f64
  // CHECK-NEXT: mettle.subgroup_shuffle idx %{{.*}}, %[[LANE]] : f32
  %1 = mettle.subgroup_shuffle idx %f, %lane : f32
  // CHECK-NEXT: mettle.subgroup_shuffle xor %{{.*}}, %[[LANE]] present : f16
  %2 = mettle.subgroup_shuffle xor %h, %lane present : f16
  // CHECK-NEXT: mettle.subgroup_shuffle up %{{.*}}, %[[LANE]] : i64
  %3 = mettle.subgroup_shuffle up %l, %lane : i64
  // CHECK-NEXT: mettle.subgroup_shuffle down %{{.*}}, %[[LANE]] : i32
  %4 = mettle.subgroup_shuffle down %i, %lane : i32
  // CHECK-NEXT: mettle.subgroup_reduce add inner_tree %{{.*}} : f32
  %5 = mettle.subgroup_reduce add inner_tree %f : f32
  // CHECK-NEXT: mettle.subgroup_reduce add sequential %{{.*}} : f16
  %6 = mettle.subgroup_reduce add sequential %h : f16
  // CHECK-NEXT: mettle.subgroup_reduce add unordered %{{.*}} : f64
  %7 = mettle.subgroup_reduce add unordered %d : f64
  // CHECK-NEXT: mettle.subgroup_reduce add %{{.*}} : i32
  %8 = mettle.subgroup_reduce add %i : i32
  // CHECK-NEXT: mettle.subgroup_reduce fmin %{{.*}} : f32
  %9 = mettle.subgroup_reduce fmin %f : f32
  // CHECK-NEXT: mettle.subgroup_reduce umax %{{.*}} : i64
  %10 = mettle.subgroup_reduce umax %l : i64
  // CHECK-NEXT: mettle.subgroup_scan inclusive inner_tree %{{.*}} : f32
  %11 = mettle.subgroup_scan inclusive inner_tree %f : f32
  // CHECK-NEXT: mettle.subgroup_scan exclusive %{{.*}} : i32
  %12 = mettle.subgroup_scan exclusive %i : i32
  // CHECK-NEXT: %[[P:.*]] = arith.cmpi
  %p = arith.cmpi eq, %i, %lane : i32
  // CHECK-NEXT: mettle.subgroup_ballot %[[P]], %[[LANE]]
  %13 = mettle.subgroup_ballot %p, %lane
  // CHECK-NEXT: mettle.subgroup_any %[[P]]
  %14 = mettle.subgroup_any %p
  // CHECK-NEXT: mettle.subgroup_all %[[P]]
  %15 = mettle.subgroup_all %p
  mettle.return
}

// -----

mettle.kernel @float_as_integer(%f: f32) {
  // subgroup_reduce-c1
  // expected-error @below {{expected floats to be combined by add, fmin or fmax, got smin}}
  %0 = mettle.subgroup_reduce smin %f : f32
  mettle.return
}

// -----

mettle.kernel @integer_as_float(%i: i32) {
  // subgroup_reduce-c1
  // expected-error @below {{expected integers to be combined by add, smin, smax, umin or umax, got fmax}}
  %0 = mettle.subgroup_reduce fmax %i : i32
  mettle.return
}

// -----

mettle.kernel @no_order(%f: f32) {
  // subgroup_reduce-c2
  // expected-error @below {{expected a sum of floats to state its order, inner_tree, sequential or unordered}}
  %0 = mettle.subgroup_reduce add %f : f32
  mettle.return
}

// -----

mettle.kernel @order_of_integers(%i: i32) {
  // subgroup_reduce-c2
  // expected-error @below {{expected no order, on which only a sum of floats depends, got sequential}}
  %0 = mettle.subgroup_reduce add sequential %i : i32
  mettle.return
}

// -----

mettle.kernel @scan_without_order(%f: f32) {
  // subgroup_scan-c1
  // expected-error @below {{expected a sum of floats to state its order, inner_tree, sequential or unordered}}
  %0 = mettle.subgroup_scan inclusive %f : f32
  mettle.return
}

// -----

// kernel-c4
// expected-error @below {{expected a subgroup size that is a power of two from 1 to 64, got 24}}
mettle.kernel @size() attributes {subgroup_size = 24 : i32} {
  mettle.return
}
