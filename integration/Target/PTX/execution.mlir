// What the emitter makes of calls, recursion, storage, parameters and block arguments runs as meant on a GPU.
// REQUIRES: cuda
// RUN: mettle-translate --ptx-to-text %s -o %t.ptx
// RUN: %python %S/Inputs/launch.py %t.ptx

ptx.func @fact(%n: !ptx.b32) -> !ptx.b32 {
  %one = ptx.inst mov.s32 1
  %q = ptx.inst setp.le.s32 %n, %one
  ptx.cond_bra %q, ^base, ^rec
^base:
  ptx.ret %one : !ptx.b32
^rec:
  %m = ptx.inst sub.s32 %n, %one
  %f = ptx.call @fact(%m) : (!ptx.b32) -> !ptx.b32
  %r = ptx.inst mul.lo.s32 %n, %f
  ptx.ret %r : !ptx.b32
}
ptx.func @divmod(%a: !ptx.b64, %b: !ptx.b32) -> (!ptx.b32, !ptx.b64) {
  %w = ptx.inst cvt.u64.u32 %b
  %d = ptx.inst div.u64 %a, %w
  %m = ptx.inst rem.u64 %a, %w
  %r = ptx.inst cvt.u32.u64 %m
  ptx.ret %r, %d : !ptx.b32, !ptx.b64
}
ptx.entry @k(%out: !ptx.b64 {ptx.param = #ptx.param<pointer = global, align = 16>},
             %c: !ptx.b32 {ptx.param = #ptx.param<type = u8>},
             %s: !ptx.b32 {ptx.param = #ptx.param<type = s16>}, %h: !ptx.b16, %n: !ptx.b32, %big: !ptx.b64) {
  %tid = ptx.inst mov.u32.tid.x
  %eight = ptx.inst mov.s32 64
  %off = ptx.inst mul.wide.u32 %tid, %eight
  %p = ptx.inst add.s64 %out, %off
  %f = ptx.call @fact(%n) : (!ptx.b32) -> !ptx.b32
  ptx.inst st.global.b32 %p, 0, %f
  %dm:2 = ptx.call @divmod(%big, %n) : (!ptx.b64, !ptx.b32) -> (!ptx.b32, !ptx.b64)
  ptx.inst st.global.b32 %p, 4, %dm#0
  ptx.inst st.global.b64 %p, 8, %dm#1
  ptx.inst st.global.b32 %p, 16, %c
  ptx.inst st.global.b32 %p, 20, %s
  ptx.inst st.global.b16 %p, 24, %h
  // Shared: each thread writes its number, reads its neighbour's.
  %sh = ptx.shared 128 align 16
  %dy = ptx.dynamic_shared align 16
  %lo = ptx.local 16 align 8
  %four = ptx.inst mov.s32 4
  %one = ptx.inst mov.s32 1
  %so = ptx.inst mul.wide.u32 %tid, %four
  %sp = ptx.inst add.s64 %sh, %so
  %dp = ptx.inst add.s64 %dy, %so
  ptx.inst st.shared.b32 %sp, 0, %tid
  %t2 = ptx.inst mul.lo.s32 %tid, %eight
  ptx.inst st.shared.b32 %dp, 0, %t2
  ptx.inst st.local.b32 %lo, 4, %t2
  ptx.inst bar.sync 0
  %x1 = ptx.inst xor.b32 %tid, %one
  %xo = ptx.inst mul.wide.u32 %x1, %four
  %sq = ptx.inst add.s64 %sh, %xo
  %dq = ptx.inst add.s64 %dy, %xo
  %v = ptx.inst ld.shared.b32 %sq, 0
  %w = ptx.inst ld.shared.b32 %dq, 0
  %l = ptx.inst ld.local.b32 %lo, 4
  ptx.inst st.global.b32 %p, 28, %v
  ptx.inst st.global.b32 %p, 32, %w
  ptx.inst st.global.b32 %p, 36, %l
  // Swap tid times.
  %zero = ptx.inst mov.s32 0
  ptx.bra ^head(%zero, %one, %tid : !ptx.b32, !ptx.b32, !ptx.b32)
^head(%a: !ptx.b32, %b: !ptx.b32, %i: !ptx.b32):
  %done = ptx.inst setp.eq.s32 %i, %zero
  %j = ptx.inst sub.s32 %i, %one
  ptx.cond_bra %done, ^end, ^head(%b, %a, %j : !ptx.b32, !ptx.b32, !ptx.b32)
^end:
  ptx.inst st.global.b32 %p, 40, %a
  %fl = ptx.inst mov.f32 0x3F800000
  %g = ptx.inst fma.rn.f32 %fl, %fl, %fl
  ptx.inst st.global.b32 %p, 44, %g
  ptx.ret
}
