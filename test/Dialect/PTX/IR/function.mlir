// Functions, calls, branches and storage read and print.
// RUN: mettle-opt %s | mettle-opt | FileCheck %s

// CHECK-LABEL: ptx.func @twice(%arg0: !ptx.b32) -> !ptx.b32
ptx.func @twice(%a: !ptx.b32) -> !ptx.b32 {
  %0 = ptx.inst add.s32 %a, %a
  // CHECK: ptx.ret %{{.*}} : !ptx.b32
  ptx.ret %0 : !ptx.b32
}

// CHECK-LABEL: ptx.entry @loop
// CHECK-SAME: {ptx.param = #ptx.param<pointer = global, align = 16>}
// CHECK-SAME: {ptx.param = #ptx.param<type = u8>}
ptx.entry @loop(%x: !ptx.b64 {ptx.param = #ptx.param<pointer = global, align = 16>},
                %n: !ptx.b32 {ptx.param = #ptx.param<type = u8>}) {
  // CHECK: ptx.shared 1024 align 16
  %s = ptx.shared 1024 align 16
  // CHECK: ptx.local 64 align 8
  %l = ptx.local 64 align 8
  // CHECK: ptx.dynamic_shared align 128
  %d = ptx.dynamic_shared align 128
  %zero = ptx.inst mov.s32 0
  // CHECK: ptx.bra ^bb1(%{{.*}} : !ptx.b32)
  ptx.bra ^head(%zero : !ptx.b32)
^head(%i: !ptx.b32):
  %more = ptx.inst setp.lt.s32 %i, %n
  // CHECK: ptx.cond_bra %{{.*}}, ^bb2, ^bb3(%{{.*}} : !ptx.b32)
  ptx.cond_bra %more, ^body, ^done(%i : !ptx.b32)
^body:
  // CHECK: ptx.call @twice(%{{.*}}) : (!ptx.b32) -> !ptx.b32
  %next = ptx.call @twice(%i) : (!ptx.b32) -> !ptx.b32
  ptx.bra ^head(%next : !ptx.b32)
^done(%last: !ptx.b32):
  ptx.inst st.global.b32 %x, 0, %last
  ptx.ret
}
