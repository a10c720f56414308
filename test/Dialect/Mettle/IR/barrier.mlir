// Round trip and constraints of mettle.barrier.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | mettle-opt --split-input-file | FileCheck %s

// CHECK-LABEL: mettle.kernel @barriers
mettle.kernel @barriers() {
  // CHECK-NEXT: mettle.barrier workgroup, seq_cst
  mettle.barrier workgroup, seq_cst
  // CHECK-NEXT: mettle.barrier global, acquire
  mettle.barrier global, acquire
  // CHECK-NEXT: mettle.barrier workgroup | global, acq_rel
  mettle.barrier workgroup | global, acq_rel
  // CHECK-NEXT: mettle.barrier workgroup, release
  mettle.barrier workgroup, release
  mettle.return
}

// -----

mettle.kernel @no_region() {
  // barrier-c1
  // expected-error @below {{expected at least one of workgroup and global, got none}}
  mettle.barrier none, seq_cst
  mettle.return
}

// -----

mettle.kernel @relaxed() {
  // barrier-c2
  // expected-error @below {{expected the order acquire, release, acq_rel or seq_cst, got relaxed}}
  mettle.barrier workgroup, relaxed
  mettle.return
}
