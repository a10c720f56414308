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
