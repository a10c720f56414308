// A module as text: header, parameters, storage, functions, calls, loops; and ptxas takes it on every target.
// RUN: mettle-translate --ptx-to-text %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: mettle-translate --ptx-to-text %s --gpu-arch=sm_75 | ptxas -arch=sm_75 - -o %t.cubin
// RUN: mettle-translate --ptx-to-text %s --gpu-arch=sm_80 | ptxas -arch=sm_80 - -o %t.cubin
// RUN: mettle-translate --ptx-to-text %s --gpu-arch=sm_90a | ptxas -arch=sm_90a - -o %t.cubin
// RUN: mettle-translate --ptx-to-text %s --gpu-arch=sm_100a | ptxas -arch=sm_100a - -o %t.cubin
// RUN: mettle-translate --ptx-to-text %s --gpu-arch=gb10 | ptxas -arch=sm_121a - -o %t.cubin
// RUN: mettle-translate --ptx-to-text %s --gpu-arch=portable | ptxas -arch=sm_75 - -o %t.cubin

// CHECK: .version 6.3
// CHECK-NEXT: .target sm_75
// CHECK-NEXT: .address_size 64
// The strictest alignment of all uses.
// CHECK: .extern .shared .align 128 .b8 $dynamic_shared[];
// Declarations before any call.
// CHECK: .func (.reg .b32 %result) twice(.reg .b32 %ra0);
// CHECK: .func (.param .align 8 .b8 results[16]) split(.reg .b64 %rda0, .reg .b32 %ra1);
// CHECK: .func nothing();

// CHECK-LABEL: .visible .entry params(
// CHECK-NEXT: .param .b64 .ptr .global .align 16 params_param_0,
// CHECK-NEXT: .param .u8 params_param_1,
// CHECK-NEXT: .param .s16 params_param_2,
// CHECK-NEXT: .param .b16 params_param_3,
// CHECK-NEXT: .param .b64 params_param_4
// CHECK: ld.param.b64 %rd0, [params_param_0];
// CHECK-NEXT: ld.param.u8 %r0, [params_param_1];
// CHECK-NEXT: ld.param.s16 %r1, [params_param_2];
// CHECK-NEXT: ld.param.b16 %h0, [params_param_3];
// The last is not read.
// CHECK-NOT: params_param_4]
ptx.entry @params(%p: !ptx.b64 {ptx.param = #ptx.param<pointer = global, align = 16>},
                  %a: !ptx.b32 {ptx.param = #ptx.param<type = u8>},
                  %b: !ptx.b32 {ptx.param = #ptx.param<type = s16>}, %h: !ptx.b16, %unused: !ptx.b64) {
  ptx.inst st.global.b32 %p, 0, %a
  ptx.inst st.global.b32 %p, 4, %b
  ptx.inst st.global.b16 %p, 8, %h
  ptx.ret
}

// CHECK-LABEL: .visible .entry storage()
// CHECK-DAG: .shared .align 16 .b8 $shared0[1024];
// CHECK-DAG: .local .align 8 .b8 $local1[64];
// CHECK: mov.b64 %rd0, $shared0;
// CHECK: mov.b64 %rd1, $local1;
// CHECK: mov.b64 %rd2, $dynamic_shared;
ptx.entry @storage() {
  %s = ptx.shared 1024 align 16
  %l = ptx.local 64 align 8
  %d = ptx.dynamic_shared align 128
  %e = ptx.dynamic_shared align 4
  %x = ptx.inst mov.s32 7
  ptx.inst st.shared.b32 %s, 0, %x
  ptx.inst st.local.b32 %l, 0, %x
  ptx.inst bar.sync 0
  %y = ptx.inst ld.local.b32 %l, 0
  ptx.inst st.shared.b32 %d, -4, %y
  ptx.inst st.shared.b32 %e, 0, %y
  ptx.ret
}

// CHECK-LABEL: .func (.reg .b32 %result) twice(.reg .b32 %ra0)
// CHECK: add.s32 %r0, %ra0, %ra0;
// CHECK-NEXT: mov.b32 %result, %r0;
// CHECK-NEXT: ret;
ptx.func @twice(%a: !ptx.b32) -> !ptx.b32 {
  %0 = ptx.inst add.s32 %a, %a
  ptx.ret %0 : !ptx.b32
}

// CHECK-LABEL: .func (.param .align 8 .b8 results[16]) split(.reg .b64 %rda0, .reg .b32 %ra1)
// CHECK: st.param.b32 [results+0], %ra1;
// CHECK-NEXT: st.param.b64 [results+8], %rda0;
ptx.func @split(%a: !ptx.b64, %b: !ptx.b32) -> (!ptx.b32, !ptx.b64) {
  ptx.ret %b, %a : !ptx.b32, !ptx.b64
}

ptx.func @nothing() {
  ptx.ret
}

// CHECK-LABEL: .visible .entry calls(
// CHECK: call (%r[[T:[0-9]+]]), twice, (%r0);
// CHECK: .param .align 8 .b8 results[16];
// CHECK-NEXT: call (results), split, (%rd0, %r[[T]]);
// CHECK-NEXT: ld.param.b32 %r[[#]], [results+0];
// CHECK-NEXT: ld.param.b64 %rd[[#]], [results+8];
// CHECK: call nothing;
ptx.entry @calls(%p: !ptx.b64, %a: !ptx.b32) {
  %0 = ptx.call @twice(%a) : (!ptx.b32) -> !ptx.b32
  %1:2 = ptx.call @split(%p, %0) : (!ptx.b64, !ptx.b32) -> (!ptx.b32, !ptx.b64)
  ptx.call @nothing() : () -> ()
  ptx.inst st.global.b32 %1#1, 0, %1#0
  ptx.ret
}

// Floats are their bits.
// CHECK-LABEL: .visible .entry constants(
// CHECK: mov.f32 %r{{[0-9]+}}, 0f3F800000;
// CHECK: mov.f64 %rd{{[0-9]+}}, 0d8000000000000000;
// CHECK: mov.b16 %h{{[0-9]+}}, 0x3C00;
// CHECK: mov.s64 %rd{{[0-9]+}}, -9223372036854775808;
// CHECK: mov.pred %p{{[0-9]+}}, 1;
ptx.entry @constants() {
  %0 = ptx.inst mov.f32 0x3F800000
  %1 = ptx.inst mov.f64 -9223372036854775808
  %2 = ptx.inst mov.f16 0x3C00
  %3 = ptx.inst mov.s64 -9223372036854775808
  %4 = ptx.inst mov.pred.imm 1
  ptx.ret
}
