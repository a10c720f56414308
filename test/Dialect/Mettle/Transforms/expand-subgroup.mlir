// What stands in place of a fold, and of a shuffle that may miss. That it returns the same bits is
// tested in integration/Subgroup.
// RUN: mettle-opt %s --mettle-expand-subgroup=size=4 | FileCheck %s
// RUN: mettle-opt %s --mettle-expand-subgroup | FileCheck %s --check-prefix=UNKNOWN
// RUN: mettle-opt %s "--mettle-expand-subgroup=size=4 keep-integer-folds" | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: mettle.kernel @tree
// UNKNOWN-LABEL: mettle.kernel @tree
mettle.kernel @tree(%out: !mettle.ptr<f32, global>, %v: f32) {
  // CHECK: %[[ALL:.*]] = arith.cmpi eq, %{{.*}}, %c15_i32 : i32
  // CHECK: scf.if %[[ALL]] -> (f32) {
  // CHECK:   %[[S1:.*]] = mettle.subgroup_shuffle xor %{{.*}}, %c1_i32{{.*}} present : f32
  // CHECK:   %[[P1:.*]] = arith.addf %{{.*}}, %[[S1]] : f32
  // CHECK:   %[[S2:.*]] = mettle.subgroup_shuffle xor %[[P1]], %c2_i32{{.*}} present : f32
  // CHECK:   %[[P2:.*]] = arith.addf %[[P1]], %[[S2]] : f32
  // CHECK:   scf.yield %[[P2]]
  // CHECK: } else {
  // CHECK-COUNT-2: math.cttz
  // CHECK-NOT: math.cttz
  // UNKNOWN-NOT: scf.if
  // UNKNOWN-COUNT-6: math.cttz {{.*}} : i64
  // UNKNOWN-NOT: math.cttz
  %s = mettle.subgroup_reduce add inner_tree %v : f32
  mettle.store %s, %out : f32, !mettle.ptr<f32, global>
  mettle.return
}

// CHECK-LABEL: mettle.kernel @sequential
// UNKNOWN-LABEL: mettle.kernel @sequential
mettle.kernel @sequential(%out: !mettle.ptr<f32, global>, %v: f32) {
  // CHECK: scf.while
  // CHECK: mettle.subgroup_shuffle idx
  %s = mettle.subgroup_scan exclusive sequential %v : f32
  mettle.store %s, %out : f32, !mettle.ptr<f32, global>
  mettle.return
}

// A smallest float is a smallest integer.
// CHECK-LABEL: mettle.kernel @keys
// KEEP-LABEL: mettle.kernel @keys
mettle.kernel @keys(%out: !mettle.ptr<f64, global>, %v: f64) {
  // CHECK: arith.cmpf uno
  // CHECK: arith.minsi {{.*}} : i64
  // CHECK-NOT: mettle.subgroup_reduce
  // KEEP: mettle.subgroup_reduce smin %{{.*}} : i64
  %s = mettle.subgroup_reduce fmin %v : f64
  mettle.store %s, %out : f64, !mettle.ptr<f64, global>
  mettle.return
}

// CHECK-LABEL: mettle.kernel @shuffle
mettle.kernel @shuffle(%out: !mettle.ptr<i32, global>, %v: i32, %n: i32) {
  // CHECK: %[[ID:.*]] = mettle.subgroup_local_id
  // CHECK: %[[FAR:.*]] = arith.minui %{{.*}}, %c128_i32
  // CHECK: %[[SOURCE:.*]] = arith.subi %[[ID]], %[[FAR]]
  // CHECK: mettle.subgroup_ballot
  // CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %[[SOURCE]], %[[ID]]
  // CHECK: mettle.subgroup_shuffle idx %{{.*}}, %[[SAFE]] present : i32
  %s = mettle.subgroup_shuffle up %v, %n : i32
  mettle.store %s, %out : i32, !mettle.ptr<i32, global>
  mettle.return
}

// KEEP-LABEL: mettle.kernel @kept
mettle.kernel @kept(%out: !mettle.ptr<f32, global>, %v: f32, %i: i32) {
  // KEEP: mettle.subgroup_reduce add unordered
  %s = mettle.subgroup_reduce add unordered %v : f32
  mettle.store %s, %out : f32, !mettle.ptr<f32, global>
  // KEEP: mettle.subgroup_scan inclusive
  %t = mettle.subgroup_scan inclusive %i : i32
  // KEEP: arith.constant 4 : i32
  %n = mettle.subgroup_size
  mettle.return
}
