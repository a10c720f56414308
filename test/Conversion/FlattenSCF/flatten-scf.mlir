// The same branches as upstream's pass makes, whatever is nested in what.
// RUN: mettle-opt %s --flatten-scf --canonicalize > %t.ours
// RUN: mettle-opt %s --convert-scf-to-cf --canonicalize > %t.upstream
// RUN: diff %t.ours %t.upstream
// RUN: FileCheck %s < %t.ours

// CHECK-LABEL: func.func @nested
// CHECK-NOT: scf.
// CHECK: return
func.func @nested(%n: i32, %c: i1, %x: f32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> f32 : i32 {
    %t = scf.if %c -> f32 {
      %u = scf.while (%k = %s) : (f32) -> f32 {
        %more = arith.cmpf olt, %k, %x : f32
        scf.condition(%more) %k : f32
      } do {
      ^bb0(%k: f32):
        %l = arith.addf %k, %k : f32
        scf.yield %l : f32
      }
      scf.yield %u : f32
    } else {
      %inner = scf.for %j = %zero to %i step %one iter_args(%v = %s) -> f32 : i32 {
        %w = arith.mulf %v, %x : f32
        scf.yield %w : f32
      }
      scf.yield %inner : f32
    }
    scf.yield %t : f32
  }
  scf.if %c {
    func.call @sink(%r) : (f32) -> ()
  }
  scf.if %c {
    func.call @sink(%x) : (f32) -> ()
  } else {
    func.call @sink(%r) : (f32) -> ()
  }
  return %r : f32
}
func.func private @sink(f32)

// CHECK-LABEL: func.func @if_in_while
// CHECK-NOT: scf.
// CHECK: return
func.func @if_in_while(%n: i32, %x: f32) -> f32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%s = %x, %k = %zero) : (f32, i32) -> (f32, i32) {
    %more = arith.cmpi slt, %k, %n : i32
    scf.condition(%more) %s, %k : f32, i32
  } do {
  ^bb0(%s: f32, %k: i32):
    %odd = arith.cmpi slt, %k, %one : i32
    %t = scf.if %odd -> f32 {
      %u = arith.addf %s, %x : f32
      scf.yield %u : f32
    } else {
      scf.yield %s : f32
    }
    %next = arith.addi %k, %one : i32
    scf.yield %t, %next : f32, i32
  }
  return %r#0 : f32
}
