// Loads that are only stored to workgroup memory become copies; the rest stays, for a reason that is told.
// RUN: mettle-opt %s --mettle-stage-async-copies=remarks=true --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @two(
mettle.kernel @two(%x: !mettle.ptr<f32, global>, %y: !mettle.ptr<f16, global>, %out: !mettle.ptr<i32, global>, %n: i64) {
  // CHECK: %[[TILE:.*]] = mettle.alloc[64] : !mettle.ptr<f32, workgroup>
  // CHECK: %[[HALVES:.*]] = mettle.alloc[64]
  %tile = mettle.alloc[64] : !mettle.ptr<f32, workgroup>
  %halves = mettle.alloc[64] : !mettle.ptr<f16, workgroup>
  // CHECK-NOT: mettle.load
  %v = mettle.load %x : !mettle.ptr<f32, global> -> f32
  %h = mettle.load %y align 4 : !mettle.ptr<f16, global> -> vector<4xf16>
  %to = mettle.offset %tile[%n] : !mettle.ptr<f32, workgroup>
  // CHECK: mettle.async_copy[1] %{{.*}}, %arg0 transaction 4 : !mettle.ptr<f32, workgroup>
  // expected-remark @below {{staged asynchronously: 4 bytes [async_staging]}}
  mettle.store %v, %to : f32, !mettle.ptr<f32, workgroup>
  // CHECK-NEXT: mettle.async_copy[4] %[[HALVES]], %arg1 transaction 4 : !mettle.ptr<f16, workgroup>
  // CHECK-NEXT: mettle.async_commit
  // expected-remark @below {{staged asynchronously: 8 bytes [async_staging]}}
  mettle.store %h, %halves : vector<4xf16>, !mettle.ptr<f16, workgroup>
  // CHECK-NEXT: mettle.subgroup_local_id
  // CHECK-NEXT: mettle.async_wait 0
  // CHECK-NEXT: mettle.barrier
  %lane = mettle.subgroup_local_id
  // expected-remark @below {{promoted 2 copies of 12 bytes, which this barrier shows to others [async_staging]}}
  mettle.barrier workgroup, acq_rel
  mettle.store %lane, %out : i32, !mettle.ptr<i32, global>
  mettle.return
}

// Each stretch has a group of its own, also in a loop.
// CHECK-LABEL: @stretches(
mettle.kernel @stretches(%x: !mettle.ptr<f64, global>, %out: !mettle.ptr<f64, global>, %n: i32) {
  %tile = mettle.alloc[64] : !mettle.ptr<f64, workgroup>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // CHECK: scf.for
  scf.for %i = %zero to %n step %one : i32 {
    %v = mettle.load %x : !mettle.ptr<f64, global> -> f64
    // CHECK: mettle.async_copy[1] %{{.*}} transaction 8
    // CHECK-NEXT: mettle.async_commit
    // CHECK-NEXT: mettle.async_wait 0
    // CHECK-NEXT: mettle.barrier workgroup | global, seq_cst
    // expected-remark @below {{staged}}
    mettle.store %v, %tile : f64, !mettle.ptr<f64, workgroup>
    // expected-remark @below {{promoted 1 copy of 8 bytes}}
    mettle.barrier workgroup | global, seq_cst
    %w = mettle.load %tile : !mettle.ptr<f64, workgroup> -> f64
    mettle.store %w, %out : f64, !mettle.ptr<f64, global>
    // CHECK: mettle.barrier workgroup, acq_rel
    mettle.barrier workgroup, acq_rel
  }
  mettle.return
}

// Constants tell places of one array apart.
// CHECK-LABEL: @neighbours(
mettle.kernel @neighbours(%x: !mettle.ptr<i32, global>, %n: i64) {
  %tile = mettle.alloc[64] : !mettle.ptr<i32, workgroup>
  %one = arith.constant 1 : i64
  %next = arith.addi %n, %one : i64
  %a = mettle.offset %tile[%n] : !mettle.ptr<i32, workgroup>
  %b = mettle.offset %tile[%next] : !mettle.ptr<i32, workgroup>
  %v = mettle.load %x : !mettle.ptr<i32, global> -> i32
  %w = mettle.load %x : !mettle.ptr<i32, global> -> i32
  // CHECK: mettle.async_copy
  // expected-remark @below {{staged asynchronously: 4 bytes}}
  mettle.store %v, %a : i32, !mettle.ptr<i32, workgroup>
  // CHECK: mettle.async_copy
  // expected-remark @below {{staged asynchronously: 4 bytes}}
  mettle.store %w, %b : i32, !mettle.ptr<i32, workgroup>
  // expected-remark @below {{promoted 2 copies of 8 bytes}}
  mettle.barrier workgroup, acq_rel
  mettle.return
}

// Memory that is somewhere else may be touched.
// CHECK-LABEL: @elsewhere(
mettle.kernel @elsewhere(%x: !mettle.ptr<i32, global>, %n: i64) {
  %tile = mettle.alloc[64] : !mettle.ptr<i32, workgroup>
  %other = mettle.alloc[64] : !mettle.ptr<i32, workgroup>
  %own = mettle.alloc[64] : !mettle.ptr<i32, private>
  %v = mettle.load %x : !mettle.ptr<i32, global> -> i32
  %old = mettle.load %tile : !mettle.ptr<i32, workgroup> -> i32
  // CHECK: mettle.async_copy
  // expected-remark @below {{staged asynchronously}}
  mettle.store %v, %tile : i32, !mettle.ptr<i32, workgroup>
  mettle.store %old, %other : i32, !mettle.ptr<i32, workgroup>
  mettle.store %old, %own : i32, !mettle.ptr<i32, private>
  %w = mettle.load %x : !mettle.ptr<i32, global> -> i32
  // expected-remark @below {{promoted 1 copy}}
  mettle.barrier workgroup, acq_rel
  mettle.return
}

// CHECK-LABEL: @refused(
// CHECK-NOT: mettle.async
mettle.kernel @refused(%x: !mettle.ptr<i32, global>, %h: !mettle.ptr<i16, global>, %n: i64, %c8: i8) {
  %tile = mettle.alloc[64] : !mettle.ptr<i32, workgroup>
  %halves = mettle.alloc[64] : !mettle.ptr<i16, workgroup>
  %view = mettle.dynamic_workgroup : !mettle.ptr<i32, workgroup>
  %c = arith.trunci %c8 : i8 to i1

  %v0 = mettle.load volatile %x : !mettle.ptr<i32, global> -> i32
  // expected-remark @below {{not staged asynchronously: a volatile access happens as written [async_staging_volatile]}}
  mettle.store %v0, %tile : i32, !mettle.ptr<i32, workgroup>
  mettle.barrier workgroup, acq_rel

  %v1 = mettle.load %x : !mettle.ptr<i32, global> -> i32
  // expected-remark @below {{the value loaded has other uses [async_staging_uses]}}
  mettle.store %v1, %tile : i32, !mettle.ptr<i32, workgroup>
  mettle.barrier workgroup, acq_rel
  mettle.store %v1, %x : i32, !mettle.ptr<i32, global>

  %generic = mettle.space_cast %x : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
  %v2 = mettle.load %generic : !mettle.ptr<i32, generic> -> i32
  // expected-remark @below {{not known to be from global to workgroup memory [async_staging_space]}}
  mettle.store %v2, %tile : i32, !mettle.ptr<i32, workgroup>
  mettle.barrier workgroup, acq_rel

  %v3 = mettle.load %h : !mettle.ptr<i16, global> -> i16
  // expected-remark @below {{fewer than 4 bytes at once [async_staging_width]}}
  mettle.store %v3, %halves : i16, !mettle.ptr<i16, workgroup>
  mettle.barrier workgroup, acq_rel

  %v4 = mettle.load %h align 2 : !mettle.ptr<i16, global> -> vector<2xi16>
  // expected-remark @below {{both addresses are known as a multiple of less than 4 bytes [async_staging_alignment]}}
  mettle.store %v4, %halves : vector<2xi16>, !mettle.ptr<i16, workgroup>
  mettle.barrier workgroup, acq_rel

  %v5 = mettle.load %x : !mettle.ptr<i32, global> -> i32
  scf.if %c {
    // expected-remark @below {{no barrier in the same block}}
    mettle.store %v5, %tile : i32, !mettle.ptr<i32, workgroup>
  }
  mettle.barrier workgroup, acq_rel

  %v6 = mettle.load %x : !mettle.ptr<i32, global> -> i32
  // expected-remark @below {{memory that it touches may be touched before that barrier [async_staging_effects]}}
  mettle.store %v6, %tile : i32, !mettle.ptr<i32, workgroup>
  scf.if %c {
    %zero = arith.constant 0 : i32
    mettle.store %zero, %x : i32, !mettle.ptr<i32, global>
  // expected-note @-3 {{by this}}
  }
  mettle.barrier workgroup, acq_rel

  %v7 = mettle.load %x : !mettle.ptr<i32, global> -> i32
  // expected-remark @below {{[async_staging_effects]}}
  mettle.store %v7, %tile : i32, !mettle.ptr<i32, workgroup>
  %far = mettle.offset %tile[%n] : !mettle.ptr<i32, workgroup>
  // expected-note @below {{by this}}
  %seen = mettle.load %far : !mettle.ptr<i32, workgroup> -> i32
  mettle.barrier workgroup, acq_rel

  %v8 = mettle.load %x : !mettle.ptr<i32, global> -> i32
  %v9 = mettle.load %x : !mettle.ptr<i32, global> -> i32
  // expected-remark @+2 {{another store may be to the same place, and copies have no order [async_staging_overlap]}}
  // expected-note @+3 {{by this}}
  mettle.store %v8, %tile : i32, !mettle.ptr<i32, workgroup>
  // expected-remark @+1 {{another store may be to the same place, and copies have no order [async_staging_overlap]}}
  mettle.store %v9, %far : i32, !mettle.ptr<i32, workgroup>
  // expected-note @-3 {{by this}}
  mettle.barrier workgroup, acq_rel

  // What only releases shows nothing, and neither does a barrier of global memory.
  %v10 = mettle.load %x : !mettle.ptr<i32, global> -> i32
  // expected-remark @below {{no barrier in the same block that orders workgroup memory, acq_rel or seq_cst, shows it to others [async_staging_barrier]}}
  mettle.store %v10, %tile : i32, !mettle.ptr<i32, workgroup>
  mettle.barrier workgroup, release
  mettle.barrier global, seq_cst
  mettle.return
}

// CHECK-LABEL: @other_block(
mettle.kernel @other_block(%x: !mettle.ptr<i32, global>, %n: i32) {
  %tile = mettle.alloc[64] : !mettle.ptr<i32, workgroup>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = mettle.load %x : !mettle.ptr<i32, global> -> i32
  scf.for %i = %zero to %n step %one : i32 {
    // expected-remark @below {{the load stands in another block [async_staging_control]}}
    mettle.store %v, %tile : i32, !mettle.ptr<i32, workgroup>
    mettle.barrier workgroup, acq_rel
  }
  mettle.return
}

// CHECK-LABEL: @own(
mettle.kernel @own(%x: !mettle.ptr<i32, global>) {
  %tile = mettle.alloc[64] : !mettle.ptr<i32, workgroup>
  // CHECK: mettle.load
  %v = mettle.load %x : !mettle.ptr<i32, global> -> i32
  // expected-remark @below {{this function has asynchronous copies of its own, whose groups are counted by who wrote them [async_staging_explicit]}}
  mettle.store %v, %tile : i32, !mettle.ptr<i32, workgroup>
  mettle.async_wait 0
  mettle.barrier workgroup, acq_rel
  mettle.return
}
