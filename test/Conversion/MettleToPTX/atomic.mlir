// The instruction of each operation, and the fence of a sequentially consistent one. Every order, scope
// and memory is in integration/Atomic.
// RUN: mettle-opt %s --convert-mettle-to-ptx | FileCheck %s

// CHECK-LABEL: ptx.entry @atomics
mettle.kernel @atomics(%p: !mettle.ptr<i32, global>, %q: !mettle.ptr<i64, global>, %v: i32, %w: i64) {
  %s = mettle.alloc[4] : !mettle.ptr<i64, workgroup>
  %g = mettle.space_cast %p : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
  // CHECK-NOT: fence
  // CHECK: ptx.inst ld.acquire.gpu.global.b32
  %0 = mettle.atomic_load acquire device %p : !mettle.ptr<i32, global>
  // CHECK: ptx.inst st.release.cta.shared.b64
  mettle.atomic_store release workgroup %w, %s : !mettle.ptr<i64, workgroup>
  // CHECK: ptx.inst atom.relaxed.cta.max.u32
  %1 = mettle.atomic_rmw umax relaxed workgroup %g, %v : !mettle.ptr<i32, generic>
  // CHECK: ptx.inst fence.sc.gpu
  // CHECK-NEXT: ptx.inst ld.acquire.gpu.global.b64
  %2 = mettle.atomic_load seq_cst device %q : !mettle.ptr<i64, global>
  // CHECK-NEXT: ptx.inst fence.sc.cta
  // CHECK-NEXT: ptx.inst st.release.cta.global.b64
  mettle.atomic_store seq_cst workgroup %w, %q : !mettle.ptr<i64, global>
  // CHECK: %[[MINUS:.*]] = ptx.inst neg.s64
  // CHECK-NEXT: ptx.inst fence.sc.gpu
  // CHECK-NEXT: ptx.inst atom.acq_rel.gpu.global.add.u64 %{{.*}}, %[[MINUS]]
  %3 = mettle.atomic_rmw sub seq_cst device %q, %w : !mettle.ptr<i64, global>
  // CHECK: ptx.inst atom.release.gpu.global.cas.b32
  %4 = mettle.atomic_cmpxchg release relaxed device %p, %v, %0 : !mettle.ptr<i32, global>
  mettle.return
}
