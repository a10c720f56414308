// What makes a result depend on the size of a subgroup, and what does not.
// RUN: mettle-opt %s --mettle-warn-subgroup-size --split-input-file --verify-diagnostics

mettle.kernel @fold(%v: f32) {
  // expected-warning @below {{this fold depends on the size of a subgroup, which kernel 'fold' does not fix: 'kernel(subgroup = 32)' would}}
  %0 = mettle.subgroup_reduce add inner_tree %v : f32
  // One is enough.
  %1 = mettle.subgroup_scan inclusive sequential %v : f32
  mettle.return
}

mettle.kernel @fixed(%v: f32) attributes {subgroup_size = 32 : i32} {
  %0 = mettle.subgroup_reduce fmax %v : f32
  mettle.return
}

mettle.kernel @none(%v: f32, %i: i32) {
  %0 = mettle.subgroup_reduce add unordered %v : f32
  %1 = mettle.subgroup_reduce add %i : i32
  // A size that steers no loop.
  %2 = mettle.subgroup_size
  %3 = arith.addi %2, %i : i32
  mettle.return
}

// -----

mettle.kernel @stride(%n: i32) {
  %zero = arith.constant 0 : i32
  // expected-warning @below {{how often a loop runs depends on the size of a subgroup, which kernel 'stride' does not fix}}
  %size = mettle.subgroup_size
  %end = scf.while (%c = %zero) : (i32) -> i32 {
    %more = arith.cmpi slt, %c, %n : i32
    scf.condition(%more) %c : i32
  } do {
  ^bb0(%c: i32):
    %next = arith.addi %c, %size : i32
    scf.yield %next : i32
  }
  mettle.return
}

// -----

mettle.kernel @bound(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-warning @below {{how often a loop runs depends on the size}}
  %size = mettle.subgroup_size
  %half = arith.divui %size, %one : i32
  scf.for %i = %zero to %half step %one : i32 {
  }
  mettle.return
}

// -----

// What is only carried through a loop steers none.
mettle.kernel @carried(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = mettle.subgroup_size
  %end = scf.for %i = %zero to %n step %one iter_args(%x = %size) -> (i32) : i32 {
    %more = arith.addi %x, %one : i32
    scf.yield %more : i32
  }
  mettle.return
}

// -----

// expected-note @below {{the kernel is here}}
mettle.kernel @caller(%v: f64) {
  %0 = func.call @sum(%v) : (f64) -> f64
  mettle.return
}

func.func private @sum(%v: f64) -> f64 {
  // expected-warning @below {{this fold depends on the size of a subgroup, which kernel 'caller' does not fix}}
  %0 = mettle.subgroup_reduce add sequential %v : f64
  return %0 : f64
}
