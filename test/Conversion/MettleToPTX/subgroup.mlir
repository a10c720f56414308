// A warp's instructions, each for all 32 lanes.
// RUN: mettle-opt %s --convert-mettle-to-ptx --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: ptx.entry @collectives
mettle.kernel @collectives(%w: i32, %d: f64, %h: f16, %o: !mettle.ptr<i32, global>, %od: !mettle.ptr<f64, global>, %oh: !mettle.ptr<f16, global>) {
  // CHECK: ptx.inst mov.u32.laneid
  %lane = mettle.subgroup_local_id
  // CHECK: ptx.inst mov.s32 32
  %size = mettle.subgroup_size
  // CHECK: %[[HALVES:.*]]:2 = ptx.inst mov.unpack.v2.b64
  // CHECK: %[[LOW:.*]] = ptx.inst shfl.sync.idx.b32 %[[HALVES]]#0
  // CHECK: %[[HIGH:.*]] = ptx.inst shfl.sync.idx.b32 %[[HALVES]]#1
  // CHECK: ptx.inst mov.pack.v2.b64 %[[LOW]], %[[HIGH]]
  %0 = mettle.subgroup_broadcast %d, %size : f64
  mettle.store %0, %od : f64, !mettle.ptr<f64, global>
  // CHECK: ptx.inst cvt.u32.u16
  // CHECK: ptx.inst shfl.sync.bfly.b32
  // CHECK: ptx.inst cvt.u16.u32
  %1 = mettle.subgroup_shuffle xor %h, %lane present : f16
  mettle.store %1, %oh : f16, !mettle.ptr<f16, global>
  // The bound of `up` is the first lane.
  // CHECK: %[[FIRST:.*]] = ptx.inst mov.s32 0
  // CHECK: %[[ALL:.*]] = ptx.inst mov.s32 -1
  // CHECK: ptx.inst shfl.sync.up.b32 %{{.*}}, %{{.*}}, %[[FIRST]], %[[ALL]]
  %2 = mettle.subgroup_shuffle up %w, %lane present : i32
  mettle.store %2, %o : i32, !mettle.ptr<i32, global>
  // CHECK: %[[LAST:.*]] = ptx.inst mov.s32 31
  // CHECK: ptx.inst shfl.sync.down.b32 %{{.*}}, %{{.*}}, %[[LAST]]
  %3 = mettle.subgroup_shuffle down %w, %lane present : i32
  mettle.store %3, %o : i32, !mettle.ptr<i32, global>
  %p = arith.cmpi eq, %w, %lane : i32
  // CHECK: %[[BITS:.*]] = ptx.inst vote.sync.ballot.b32
  // CHECK: %[[IS:.*]] = ptx.inst setp.eq.u32
  // CHECK: ptx.inst selp.b32 %[[BITS]], %{{.*}}, %[[IS]]
  %4 = mettle.subgroup_ballot %p, %w
  mettle.store %4, %o : i32, !mettle.ptr<i32, global>
  // CHECK: ptx.inst vote.sync.any.pred
  %5 = mettle.subgroup_any %p
  // CHECK: ptx.inst vote.sync.all.pred
  %6 = mettle.subgroup_all %p
  %7 = arith.andi %5, %6 : i1
  %8 = arith.extui %7 : i1 to i32
  mettle.store %8, %o : i32, !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @may_miss(%w: i32) {
  // expected-error @below {{failed to legalize operation 'mettle.subgroup_shuffle'}}
  %0 = mettle.subgroup_shuffle idx %w, %w : i32
  mettle.return
}
