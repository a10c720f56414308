// What a record says of effects is what upstream passes see.
// RUN: mettle-opt %s --cse | FileCheck %s

// CHECK-LABEL: ptx.entry @arithmetic
ptx.entry @arithmetic(%p: !ptx.b64, %a: !ptx.b32) {
  // CHECK-COUNT-1: ptx.inst add.s32
  // CHECK-NOT: ptx.inst add.s32
  %0 = ptx.inst add.s32 %a, %a
  %1 = ptx.inst add.s32 %a, %a
  %unused = ptx.inst mul.lo.s32 %a, %a
  // CHECK-NOT: mul.lo
  ptx.inst st.global.b32 %p, 0, %0
  ptx.inst st.global.b32 %p, 4, %1
  ptx.ret
}

// CHECK-LABEL: ptx.entry @modifiers
ptx.entry @modifiers(%p: !ptx.b64, %a: !ptx.b32) {
  // CHECK: ptx.inst add.rn.f32
  // CHECK: ptx.inst add.rz.f32
  %0 = ptx.inst add.rn.f32 %a, %a
  %1 = ptx.inst add.rz.f32 %a, %a
  ptx.inst st.global.b32 %p, 0, %0
  ptx.inst st.global.b32 %p, 4, %1
  ptx.ret
}

// CHECK-LABEL: ptx.entry @loads
ptx.entry @loads(%p: !ptx.b64) {
  // CHECK-COUNT-1: ptx.inst ld.global.b32 %arg0, 0
  // CHECK-NOT: ptx.inst ld.global.b32 %arg0, 0
  // CHECK: ptx.inst st.global.b32
  %0 = ptx.inst ld.global.b32 %p, 0
  %1 = ptx.inst ld.global.b32 %p, 0
  %2 = ptx.inst add.s32 %0, %1
  ptx.inst st.global.b32 %p, 0, %2
  // A store is between: the load stays.
  // CHECK: ptx.inst ld.global.b32
  %3 = ptx.inst ld.global.b32 %p, 0
  ptx.inst st.global.b32 %p, 4, %3
  ptx.ret
}

// CHECK-LABEL: ptx.entry @storage
ptx.entry @storage() {
  // CHECK-COUNT-2: ptx.shared 16 align 4
  %0 = ptx.shared 16 align 4
  %1 = ptx.shared 16 align 4
  %a = ptx.inst mov.s32 1
  ptx.inst st.shared.b32 %0, 0, %a
  ptx.inst st.shared.b32 %1, 0, %a
  ptx.ret
}

// CHECK-LABEL: ptx.entry @barrier
ptx.entry @barrier(%p: !ptx.b64) {
  // A barrier keeps the loads on its sides apart, and stays.
  // CHECK: ptx.inst ld.shared.b32
  // CHECK: ptx.inst bar.sync 0
  // CHECK: ptx.inst ld.shared.b32
  %0 = ptx.inst ld.shared.b32 %p, 0
  ptx.inst bar.sync 0
  %1 = ptx.inst ld.shared.b32 %p, 0
  %2 = ptx.inst add.s32 %0, %1
  ptx.inst st.shared.b32 %p, 4, %2
  // So does a fence.
  // CHECK: ptx.inst fence.acq_rel.gpu
  ptx.inst fence.acq_rel.gpu
  // CHECK: ptx.inst bar.warp.sync
  %m = ptx.inst mov.s32 -1
  ptx.inst bar.warp.sync %m
  ptx.ret
}

// CHECK-LABEL: ptx.entry @convergent
ptx.entry @convergent(%p: !ptx.b64, %a: !ptx.b32) {
  // Which threads are together differs between blocks, and after threads met: nothing merges there.
  // CHECK-COUNT-3: ptx.inst activemask.b32
  // CHECK-NOT: activemask
  %m0 = ptx.inst activemask.b32
  %same = ptx.inst activemask.b32
  ptx.inst st.global.b32 %p, 0, %m0
  ptx.inst st.global.b32 %p, 4, %same
  ptx.inst bar.sync 0
  %m1 = ptx.inst activemask.b32
  ptx.inst st.global.b32 %p, 8, %m1
  // Dead.
  %dead = ptx.inst activemask.b32
  %q = ptx.inst setp.lt.s32 %m0, %a
  ptx.cond_bra %q, ^then, ^end
^then:
  %m2 = ptx.inst activemask.b32
  ptx.inst st.global.b32 %p, 12, %m2
  ptx.bra ^end
^end:
  ptx.ret
}

// CHECK-LABEL: ptx.entry @volatile
ptx.entry @volatile(%p: !ptx.b64) {
  // Every read of a clock and every volatile access is made.
  // CHECK-COUNT-2: ptx.inst mov.u64.clock64
  %c0 = ptx.inst mov.u64.clock64
  %c1 = ptx.inst mov.u64.clock64
  %d = ptx.inst sub.s64 %c1, %c0
  // CHECK-COUNT-2: ptx.inst ld.volatile.global.b32
  %v0 = ptx.inst ld.volatile.global.b32 %p, 0
  %v1 = ptx.inst ld.volatile.global.b32 %p, 0
  // A thread's own index does not change.
  // CHECK-COUNT-1: ptx.inst mov.u32.tid.x
  // CHECK-NOT: ptx.inst mov.u32.tid.x
  %t0 = ptx.inst mov.u32.tid.x
  ptx.inst bar.sync 0
  %t1 = ptx.inst mov.u32.tid.x
  %t = ptx.inst add.s32 %t0, %t1
  ptx.inst st.global.b32 %p, 8, %t
  ptx.inst st.global.b64 %p, 16, %d
  ptx.ret
}

// CHECK-LABEL: ptx.entry @warp
ptx.entry @warp(%p: !ptx.b64, %a: !ptx.b32, %n: !ptx.b32) {
  // The same exchange in another block is another exchange.
  // CHECK: ptx.inst shfl.sync.bfly.b32
  // CHECK: ptx.cond_bra
  // CHECK: ptx.inst shfl.sync.bfly.b32
  %mask = ptx.inst mov.s32 -1
  %clamp = ptx.inst mov.s32 31
  %one = ptx.inst mov.s32 1
  %0 = ptx.inst shfl.sync.bfly.b32 %a, %one, %clamp, %mask
  ptx.inst st.global.b32 %p, 0, %0
  %q = ptx.inst setp.lt.s32 %a, %n
  ptx.cond_bra %q, ^then, ^end
^then:
  %1 = ptx.inst shfl.sync.bfly.b32 %a, %one, %clamp, %mask
  ptx.inst st.global.b32 %p, 4, %1
  ptx.bra ^end
^end:
  ptx.ret
}

// CHECK-LABEL: ptx.entry @atomics
ptx.entry @atomics(%p: !ptx.b64, %s: !ptx.b64, %a: !ptx.b32) {
  // An atomic is made although no one reads its result, and may publish or await any memory.
  // CHECK: ptx.inst ld.shared.b32
  // CHECK: ptx.inst atom.acquire.gpu.global.add.u32
  // CHECK: ptx.inst ld.shared.b32
  %0 = ptx.inst ld.shared.b32 %s, 0
  %old = ptx.inst atom.acquire.gpu.global.add.u32 %p, 0, %a
  %1 = ptx.inst ld.shared.b32 %s, 0
  %2 = ptx.inst add.s32 %0, %1
  ptx.inst st.global.b32 %p, 4, %2
  ptx.ret
}
