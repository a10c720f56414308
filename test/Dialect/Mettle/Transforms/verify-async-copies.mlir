// Copies and groups are followed to every exit.
// RUN: mettle-opt %s --mettle-verify-async-copies --split-input-file --verify-diagnostics

// A pipeline of two buffers: one group in flight while the other is read.
mettle.kernel @pipeline(%from: !mettle.ptr<i32, global>, %n: i32, %n8: i8) {
  %c = arith.trunci %n8 : i8 to i1
  %to = mettle.alloc[128] : !mettle.ptr<i32, workgroup>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  mettle.async_copy[4] %to, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.async_commit
  scf.for %i = %zero to %n step %one : i32 {
    scf.if %c {
      mettle.async_copy[4] %to, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
    }
    mettle.async_commit
    mettle.async_wait 1
  }
  mettle.async_wait 0
  mettle.return
}

// Eight groups at once, and branches in the other form.
mettle.kernel @eight(%from: !mettle.ptr<i32, global>, %n8: i8) {
  %c = arith.trunci %n8 : i8 to i1
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  cf.cond_br %c, ^a, ^b
^a:
  mettle.async_wait 0
  mettle.return
^b:
  mettle.async_wait 7
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}

// A path that a constant condition excludes does not count.
mettle.kernel @never() {
  %false = arith.constant false
  scf.if %false {
    mettle.async_commit
  }
  mettle.return
}

func.func @helper(%to: !mettle.ptr<i32, workgroup>, %from: !mettle.ptr<i32, global>) {
  mettle.async_copy[4] %to, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.async_commit
  mettle.async_wait 0
  return
}
mettle.kernel @calls(%from: !mettle.ptr<i32, global>) {
  %to = mettle.alloc[128] : !mettle.ptr<i32, workgroup>
  func.call @helper(%to, %from) : (!mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>) -> ()
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}

// -----

mettle.kernel @uncommitted(%from: !mettle.ptr<i32, global>, %n8: i8) {
  %c = arith.trunci %n8 : i8 to i1
  %to = mettle.alloc[128] : !mettle.ptr<i32, workgroup>
  // async_copies-c1
  // expected-error @below {{'mettle.async_copy' op expected 'mettle.async_commit' on every path from here to an exit}}
  mettle.async_copy[4] %to, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  scf.if %c {
    mettle.async_commit
  }
  mettle.async_wait 0
  // expected-note @below {{an exit that may be reached without it}}
  mettle.return
}

// -----

mettle.kernel @outstanding(%from: !mettle.ptr<i32, global>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // async_copies-c2
  // expected-error @below {{'mettle.async_commit' op expected a wait for this group on every path from here to an exit}}
  mettle.async_commit
  scf.for %i = %zero to %n step %one : i32 {
    mettle.async_wait 0
  }
  // expected-note @below {{an exit that may be reached without it}}
  mettle.return
}

// -----

// The wait leaves the newest group, which is the second.
mettle.kernel @the_newest() {
  mettle.async_commit
  // async_copies-c2
  // expected-error @below {{expected a wait for this group}}
  mettle.async_commit
  mettle.async_wait 1
  // expected-note @below {{an exit}}
  mettle.return
}

// -----

mettle.kernel @one_exit_of_two(%n8: i8) {
  %c = arith.trunci %n8 : i8 to i1
  // async_copies-c2
  // expected-error @below {{expected a wait for this group}}
  mettle.async_commit
  cf.cond_br %c, ^a, ^b
^a:
  mettle.async_wait 0
  mettle.return
^b:
  // expected-note @below {{an exit}}
  mettle.return
}

// -----

mettle.kernel @nine() {
  // expected-note @+8 {{a group may be outstanding from here}}
  // expected-note @+8 {{a group may be outstanding from here}}
  // expected-note @+8 {{a group may be outstanding from here}}
  // expected-note @+8 {{a group may be outstanding from here}}
  // expected-note @+8 {{a group may be outstanding from here}}
  // expected-note @+8 {{a group may be outstanding from here}}
  // expected-note @+8 {{a group may be outstanding from here}}
  // expected-note @+8 {{a group may be outstanding from here}}
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  mettle.async_commit
  // async_copies-c3
  // expected-error @below {{expected at most 8 groups outstanding, but this one may come on top of as many}}
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}

// -----

// A loop that never waits has any number outstanding.
mettle.kernel @loop(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one : i32 {
    // async_copies-c3
    // expected-error @below {{expected at most 8 groups outstanding, but this one may come on top of more}}
    mettle.async_commit
  }
  mettle.async_wait 0
  mettle.return
}

// -----

func.func @helper() {
  mettle.async_wait 0
  return
}
func.func @between() {
  call @helper() : () -> ()
  return
}
mettle.kernel @call(%from: !mettle.ptr<i32, global>) {
  %to = mettle.alloc[128] : !mettle.ptr<i32, workgroup>
  // expected-note @below {{this group may be outstanding}}
  mettle.async_commit
  // expected-note @below {{this copy may not be committed}}
  mettle.async_copy[4] %to, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  // async_copies-c4
  // expected-error @below {{expected nothing under way where a function is called that copies asynchronously itself}}
  func.call @between() : () -> ()
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}

// -----

mettle.kernel @misaligned(%from: !mettle.ptr<i32, global>) {
  %to = mettle.alloc[128] : !mettle.ptr<i32, workgroup>
  %two = arith.constant 2 : i64
  %there = mettle.offset %to[%two] : !mettle.ptr<i32, workgroup>
  mettle.async_copy[4] %there, %from transaction 8 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  // async_copies-c5
  // expected-error @below {{expected a target at a multiple of 16 bytes, got byte 8 of its array}}
  mettle.async_copy[4] %there, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}

// -----

mettle.kernel @beyond(%from: !mettle.ptr<i32, global>) {
  // expected-note @below {{the array has 512 bytes}}
  %to = mettle.alloc[128] : !mettle.ptr<i32, workgroup>
  %last = arith.constant 124 : i64
  %there = mettle.offset %to[%last] : !mettle.ptr<i32, workgroup>
  mettle.async_copy[4] %there, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  // async_copies-c6
  // expected-error @below {{expected a target inside its array, got 32 bytes from byte 496 on}}
  mettle.async_copy[8] %there, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}
