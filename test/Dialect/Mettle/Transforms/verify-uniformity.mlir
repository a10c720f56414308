// For whom values are the same, in both forms of control flow and through calls.
// RUN: mettle-opt %s --mettle-verify-uniformity --split-input-file --verify-diagnostics

mettle.kernel @accepted(%out: !mettle.ptr<i32, global>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %i = mettle.thread_id x
  %block = mettle.block_id x
  %odd = arith.andi %block, %one : i32
  %isOdd = arith.cmpi ne, %odd, %zero : i32
  // Arguments, workgroups and constants decide.
  scf.if %isOdd {
    scf.for %k = %zero to %n step %two : i32 {
      mettle.barrier workgroup, acq_rel
      %r = mettle.subgroup_broadcast %i, %k : i32
      mettle.store %r, %out : i32, !mettle.ptr<i32, global>
    }
  }
  // What a condition chooses does not matter behind it.
  %low = arith.cmpi ult, %i, %two : i32
  %same = scf.if %low -> i32 {
    mettle.store %i, %out : i32, !mettle.ptr<i32, global>
    scf.yield %n : i32
  } else {
    scf.yield %n : i32
  }
  %positive = arith.cmpi sgt, %same, %zero : i32
  scf.if %positive {
    mettle.barrier workgroup, acq_rel
  }
  // A vote is enough for a collective.
  %some = mettle.subgroup_any %low
  scf.if %some {
    %s = mettle.subgroup_reduce add %i : i32
    mettle.store %s, %out : i32, !mettle.ptr<i32, global>
  }
  // The word is the same for all lanes, so the bits are.
  %bits = mettle.subgroup_ballot %low, %zero
  %first = math.cttz %bits : i32
  %b = mettle.subgroup_broadcast %i, %first : i32
  // Who fails these tests meets at nothing any more.
  scf.if %low {
    %t = mettle.subgroup_reduce add %i : i32
    %positiveToo = arith.cmpi sgt, %t, %i : i32
    scf.if %positiveToo {
      %u = mettle.subgroup_reduce umax %i : i32
      mettle.store %u, %out : i32, !mettle.ptr<i32, global>
    }
  }
  mettle.return
}

// The same in blocks: the other way leads to the end.
mettle.kernel @blocks(%out: !mettle.ptr<i32, global>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = mettle.thread_id x
  %low = arith.cmpi ult, %i, %n : i32
  cf.br ^head(%zero : i32)
^head(%k: i32):
  %more = arith.cmpi slt, %k, %n : i32
  cf.cond_br %more, ^body, ^behind
^body:
  mettle.barrier workgroup, acq_rel
  %next = arith.addi %k, %one : i32
  cf.br ^head(%next : i32)
^behind:
  cf.cond_br %low, ^rest, ^end
^rest:
  %s = mettle.subgroup_reduce add %i : i32
  mettle.store %s, %out : i32, !mettle.ptr<i32, global>
  cf.br ^end
^end:
  mettle.return
}

// A helper is as uniform as all its calls.
func.func private @uniform(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %c = arith.cmpi sgt, %n, %one : i32
  scf.if %c {
    mettle.barrier workgroup, acq_rel
  }
  return %n : i32
}
mettle.kernel @calls(%n: i32) {
  %block = mettle.block_id x
  %a = func.call @uniform(%n) : (i32) -> i32
  %b = func.call @uniform(%block) : (i32) -> i32
  %c = arith.cmpi sgt, %a, %b : i32
  scf.if %c {
    mettle.barrier workgroup, acq_rel
  }
  mettle.return
}

// A constant excludes what stands there.
mettle.kernel @never() {
  %false = arith.constant false
  %i = mettle.thread_id x
  %zero = arith.constant 0 : i32
  %c = arith.cmpi eq, %i, %zero : i32
  scf.if %false {
    scf.if %c {
      mettle.barrier workgroup, acq_rel
    }
  }
  mettle.return
}

// -----

// uniformity-c1: blocks
mettle.kernel @divergent_barrier(%n: i32) {
  // expected-note @below {{each work-item has an index of its own}}
  %i = mettle.thread_id x
  // expected-note @below {{it is computed here}}
  %low = arith.cmpi ult, %i, %n : i32
  // expected-note @below {{it decides which way is taken here}}
  cf.cond_br %low, ^some, ^all
^some:
  // expected-error @below {{'mettle.barrier' op expected the whole workgroup to arrive together, but a condition on the way may differ between its work-items}}
  mettle.barrier workgroup, acq_rel
  cf.br ^all
^all:
  mettle.barrier workgroup, acq_rel
  mettle.return
}

// -----

// uniformity-c1: a block's argument depends on the way to it
mettle.kernel @ways(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-note @below {{each work-item has an index of its own}}
  %i = mettle.thread_id x
  // expected-note @below {{it is computed here}}
  %low = arith.cmpi ult, %i, %n : i32
  // expected-note @below {{it depends on which way is taken here}}
  cf.cond_br %low, ^join(%zero : i32), ^join(%one : i32)
^join(%k: i32):
  // expected-note @below {{it is computed here}}
  %c = arith.cmpi eq, %k, %zero : i32
  // expected-note @below {{it decides which way is taken here}}
  cf.cond_br %c, ^some, ^all
^some:
  // expected-error @below {{expected the whole workgroup to arrive together}}
  mettle.barrier workgroup, acq_rel
  cf.br ^all
^all:
  mettle.return
}

// -----

// uniformity-c1: a loop that some leave earlier, in blocks; what they carry out differs
mettle.kernel @rounds(%n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // expected-note @below {{each work-item has an index of its own}}
  %i = mettle.thread_id x
  cf.br ^head(%zero : i32)
^head(%k: i32):
  // expected-error @below {{expected the whole workgroup to arrive together}}
  mettle.barrier workgroup, acq_rel
  %next = arith.addi %k, %one : i32
  // expected-note @below {{it is computed here}}
  %more = arith.cmpi slt, %next, %i : i32
  // expected-note @below {{it decides which way is taken here}}
  // expected-note @below {{it depends on which way is taken here}}
  cf.cond_br %more, ^head(%next : i32), ^behind
^behind:
  // expected-note @below {{it is computed here}}
  %c = arith.cmpi eq, %next, %n : i32
  // expected-note @below {{it decides which way is taken here}}
  cf.cond_br %c, ^some, ^all
^some:
  // expected-error @below {{expected the whole workgroup to arrive together}}
  mettle.barrier workgroup, acq_rel
  cf.br ^all
^all:
  mettle.return
}

// -----

// uniformity-c1: subgroup_uniform_barrier
mettle.kernel @subgroup_uniform_barrier(%p: !mettle.ptr<i32, global>) {
  %zero = arith.constant 0 : i32
  %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
  // expected-note @below {{each subgroup gets a value of its own here}}
  %s = mettle.subgroup_reduce add %v : i32
  // expected-note @below {{it is computed here}}
  %c = arith.cmpi sgt, %s, %zero : i32
  // expected-note @below {{it decides which way is taken here}}
  scf.if %c {
    // expected-error @below {{but a condition on the way is the same within a subgroup only}}
    mettle.barrier workgroup, acq_rel
  }
  mettle.return
}

// -----

// uniformity-c2: divergent_subgroup. What comes later is met by those who skip this.
mettle.kernel @divergent_subgroup(%p: !mettle.ptr<i32, global>) {
  %zero = arith.constant 0 : i32
  // expected-note @below {{what is read here may differ between work-items}}
  %v = mettle.load %p : !mettle.ptr<i32, global> -> i32
  // expected-note @below {{it is computed here}}
  %c = arith.cmpi sgt, %v, %zero : i32
  // expected-note @below {{it decides which way is taken here}}
  scf.if %c {
    // expected-error @below {{'mettle.subgroup_reduce' op expected the whole subgroup to arrive together, but a condition on the way may differ between its work-items}}
    %s = mettle.subgroup_reduce add %v : i32
  }
  %t = mettle.subgroup_reduce add %v : i32
  mettle.return
}

// -----

// uniformity-c2: the number of rounds
mettle.kernel @varying_trips(%n: i32) {
  %one = arith.constant 1 : i32
  // expected-note @below {{each lane has a number of its own}}
  %lane = mettle.subgroup_local_id
  // expected-note @below {{it decides how often this loop runs}}
  scf.for %k = %lane to %n step %one : i32 {
    // expected-error @below {{expected the whole subgroup to arrive together}}
    %t = mettle.subgroup_reduce add %k : i32
  }
  mettle.return
}

// -----

// uniformity-c2: one of two calls is in the wrong place
func.func private @total(%v: i32) -> i32 {
  // expected-error @below {{expected the whole subgroup to arrive together}}
  %t = mettle.subgroup_reduce add %v : i32
  return %t : i32
}
mettle.kernel @calls(%n: i32) {
  // expected-note @below {{each work-item has an index of its own}}
  %i = mettle.thread_id x
  // expected-note @below {{it is computed here}}
  %low = arith.cmpi ult, %i, %n : i32
  %a = func.call @total(%i) : (i32) -> i32
  // expected-note @below {{it decides which way is taken here}}
  scf.if %low {
    // expected-note @below {{it is reached through this call}}
    %b = func.call @total(%i) : (i32) -> i32
  }
  %c = func.call @total(%i) : (i32) -> i32
  mettle.return
}

// -----

// uniformity-c3: broadcast_lane, through a helper that is called twice
func.func private @from(%v: i32, %lane: i32) -> i32 {
  // expected-error @below {{'mettle.subgroup_broadcast' op expected a lane that is the same in the whole subgroup, got one that may differ between its work-items}}
  %r = mettle.subgroup_broadcast %v, %lane : i32
  return %r : i32
}
mettle.kernel @broadcast_lane(%n: i32) {
  // expected-note @below {{each work-item has an index of its own}}
  %i = mettle.thread_id y
  %a = func.call @from(%i, %n) : (i32, i32) -> i32
  // expected-note @below {{this call passes it}}
  %b = func.call @from(%i, %i) : (i32, i32) -> i32
  mettle.return
}

// -----

// uniformity-c3: scan_lane
mettle.kernel @scan_lane(%n: i32) {
  // expected-note @below {{each lane gets a value of its own here}}
  %s = mettle.subgroup_scan inclusive %n : i32
  // expected-error @below {{expected a lane that is the same in the whole subgroup}}
  %r = mettle.subgroup_broadcast %n, %s : i32
  mettle.return
}

// -----

// uniformity-c3: a ballot whose word differs, and what a helper returns
func.func private @bits(%p: i1) -> i32 {
  // expected-note @below {{each lane has a number of its own}}
  %lane = mettle.subgroup_local_id
  // expected-note @below {{it is computed here}}
  %b = mettle.subgroup_ballot %p, %lane
  return %b : i32
}
mettle.kernel @ballot(%n: i32) {
  %true = arith.constant true
  // expected-note @below {{this call returns it}}
  %s = func.call @bits(%true) : (i1) -> i32
  // expected-error @below {{expected a lane that is the same in the whole subgroup}}
  %r = mettle.subgroup_broadcast %n, %s : i32
  mettle.return
}
