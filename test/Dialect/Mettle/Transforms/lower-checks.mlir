// Assertions and prints become accesses of a buffer, which comes as one more argument to all that need it.
// RUN: mettle-opt %s --mettle-lower-checks --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: mettle.kernel @asserts(%arg0: i32, %arg1: !mettle.ptr<i32, global>)
// CHECK: %[[FAILS:.*]] = arith.xori %[[C:.*]], %true
// CHECK: scf.if %[[FAILS]] {
// CHECK: %[[OLD:.*]] = mettle.atomic_cmpxchg relaxed relaxed device
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[OLD]]
// CHECK: scf.if %[[FIRST]] {
// CHECK: mettle.store %c1_i32{{.*}}, %{{.*}} : i32
// CHECK: mettle.thread_id x
// CHECK: mettle.block_id z
// CHECK: func.call @helper(%[[C]], %arg1) : (i1, !mettle.ptr<i32, global>) -> ()
// CHECK: func.call @pure(%[[C]]) : (i1) -> ()
// CHECK-NOT: mettle.assert
mettle.kernel @asserts(%n: i32) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi ne, %n, %zero : i32
  mettle.assert %c, "holds"
  func.call @helper(%c) : (i1) -> ()
  func.call @pure(%c) : (i1) -> ()
  mettle.return
}

// CHECK-LABEL: mettle.kernel @untouched(%arg0: i32) {
mettle.kernel @untouched(%n: i32) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi ne, %n, %zero : i32
  func.call @pure(%c) : (i1) -> ()
  mettle.return
}

// CHECK-LABEL: func.func private @helper(%arg0: i1, %arg1: !mettle.ptr<i32, global>)
// CHECK: call @printing(%{{.*}}, %arg1) : (i64, !mettle.ptr<i32, global>) -> ()
func.func private @helper(%c: i1) {
  %v = arith.constant 7 : i64
  func.call @printing(%v) : (i64) -> ()
  return
}

// CHECK-LABEL: func.func private @printing(%arg0: i64, %arg1: !mettle.ptr<i32, global>)
// CHECK: %[[LOW:.*]] = arith.trunci %arg0
// CHECK: %[[ASKED:.*]] = mettle.atomic_rmw or relaxed device
// CHECK: %[[ROOM:.*]] = arith.cmpi ule, %[[ASKED]]
// CHECK: scf.if %[[ROOM]] -> (i32) {
// CHECK: mettle.atomic_rmw add relaxed device
// CHECK: scf.if
// CHECK: mettle.store %c2_i32
// CHECK: mettle.store %[[LOW]]
// CHECK: } else {
// CHECK: mettle.atomic_rmw add relaxed device
func.func private @printing(%v: i64) {
  mettle.print "{}" ["u64"](%v : i64)
  return
}

// CHECK-LABEL: func.func private @pure(%arg0: i1) {
func.func private @pure(%c: i1) {
  return
}

// -----

mettle.kernel @long(%a: i64) {
  // lower_checks-c1
  // expected-error @below {{expected values of at most 57 words of 32 bits in one print, got 58}}
  mettle.print "{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}"
    ["u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64","u64",
     "u64","u64","u64","u64","u64","u64","u64","u64","u64"]
    (%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a,%a : i64,i64,i64,i64,i64,i64,i64,
     i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64,i64)
  mettle.return
}
