// What the dialect says of mettle.unroll.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @loops
func.func @loops(%n: i32, %c: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK: } {mettle.unroll = 4 : i64}
  scf.for %i = %zero to %n step %one : i32 {
  } {mettle.unroll = 4 : i64}
  // CHECK: } attributes {mettle.unroll = 256 : i64}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  } attributes {mettle.unroll = 256 : i64}
  return
}

// -----

func.func @elsewhere(%c: i1) {
  // unroll-c1
  // expected-error @below {{expected mettle.unroll on scf.for or scf.while, got it here}}
  scf.if %c {
  } {mettle.unroll = 4 : i64}
  return
}

// -----

func.func @none(%n: i32) {
  // unroll-c2
  // expected-error @below {{expected mettle.unroll to be an i64 from 1 to 256, got 0 : i64}}
  scf.for %i = %n to %n step %n : i32 {
  } {mettle.unroll = 0 : i64}
  return
}

// -----

func.func @narrow(%n: i32) {
  // unroll-c2
  // expected-error @below {{expected mettle.unroll to be an i64 from 1 to 256, got 4 : i32}}
  scf.for %i = %n to %n step %n : i32 {
  } {mettle.unroll = 4 : i32}
  return
}
