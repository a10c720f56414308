// The size is a constant where the kernel fixes it, and nowhere else; collectives are neither merged
// across control flow nor hoisted.
// RUN: mettle-opt %s --canonicalize --cse --loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: mettle.kernel @fixed
mettle.kernel @fixed(%out: !mettle.ptr<i32, global>) attributes {subgroup_size = 16 : i32} {
  // CHECK: %[[N:.*]] = arith.constant 16 : i32
  // CHECK: mettle.store %[[N]]
  %n = mettle.subgroup_size
  mettle.store %n, %out : i32, !mettle.ptr<i32, global>
  mettle.return
}

// CHECK-LABEL: mettle.kernel @free
mettle.kernel @free(%out: !mettle.ptr<i32, global>) {
  // CHECK: mettle.subgroup_size
  %n = mettle.subgroup_size
  mettle.store %n, %out : i32, !mettle.ptr<i32, global>
  mettle.return
}

// CHECK-LABEL: mettle.kernel @convergent
mettle.kernel @convergent(%out: !mettle.ptr<i32, global>, %c: i32, %v: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %p = arith.cmpi eq, %c, %zero : i32
  // CHECK: mettle.subgroup_reduce
  %a = mettle.subgroup_reduce add %v : i32
  mettle.store %a, %out : i32, !mettle.ptr<i32, global>
  // CHECK: scf.if
  scf.if %p {
    // CHECK: mettle.subgroup_reduce
    %b = mettle.subgroup_reduce add %v : i32
    mettle.store %b, %out : i32, !mettle.ptr<i32, global>
  }
  // CHECK: scf.for
  scf.for %i = %zero to %c step %one : i32 {
    // CHECK: mettle.subgroup_reduce
    %b = mettle.subgroup_reduce umin %v : i32
    mettle.store %b, %out : i32, !mettle.ptr<i32, global>
  }
  mettle.return
}
