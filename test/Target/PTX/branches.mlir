// Block arguments become moves that cannot disturb each other, and blocks follow without a branch where they can.
// RUN: mettle-translate --ptx-to-text %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: ptxas -arch=sm_75 %t.ptx -o %t.cubin

// A swap takes one register more; what no one else reads is written first.
// CHECK-LABEL: .visible .entry swap(
// CHECK: $L2:
// CHECK-NEXT: mov.b32 %{{r[0-9]+}}, %{{r[0-9]+}};
// CHECK-NEXT: mov.b32 %[[T:r[0-9]+]], %[[X:r[0-9]+]];
// CHECK-NEXT: mov.b32 %[[X]], %[[Y:r[0-9]+]];
// CHECK-NEXT: mov.b32 %[[Y]], %[[T]];
// CHECK-NEXT: bra $L1;
ptx.entry @swap(%p: !ptx.b64, %n: !ptx.b32) {
  %zero = ptx.inst mov.s32 0
  %one = ptx.inst mov.s32 1
  ptx.bra ^head(%zero, %one, %zero : !ptx.b32, !ptx.b32, !ptx.b32)
^head(%a: !ptx.b32, %b: !ptx.b32, %i: !ptx.b32):
  %next = ptx.inst add.s32 %i, %one
  %more = ptx.inst setp.lt.s32 %next, %n
  ptx.cond_bra %more, ^swap, ^done
^swap:
  ptx.bra ^head(%b, %a, %next : !ptx.b32, !ptx.b32, !ptx.b32)
^done:
  ptx.inst st.global.b32 %p, 0, %a
  ptx.inst st.global.b32 %p, 4, %b
  ptx.ret
}

// Every class of register moves.
// CHECK-LABEL: .visible .entry classes(
// CHECK: mov.pred
// CHECK: mov.b16
// CHECK: mov.b64
ptx.entry @classes(%p: !ptx.b64, %h: !ptx.b16) {
  %true = ptx.inst mov.pred.imm 1
  ptx.bra ^next(%true, %h, %p : !ptx.pred, !ptx.b16, !ptx.b64)
^next(%q: !ptx.pred, %g: !ptx.b16, %r: !ptx.b64):
  %x = ptx.inst selp.b16 %g, %h, %q
  ptx.inst st.global.b16 %r, 0, %x
  ptx.ret
}

// An argument that no one reads takes no move, and a move to itself is none.
// CHECK-LABEL: .visible .entry no_moves(
// CHECK: $L1:
// CHECK-NOT: mov.b32
// CHECK: bra $L1;
ptx.entry @no_moves(%p: !ptx.b64, %n: !ptx.b32) {
  %zero = ptx.inst mov.s32 0
  ptx.bra ^head(%n, %zero : !ptx.b32, !ptx.b32)
^head(%a: !ptx.b32, %unused: !ptx.b32):
  ptx.inst st.global.b32 %p, 0, %a
  ptx.bra ^head(%a, %n : !ptx.b32, !ptx.b32)
}

// Both edges with moves: the one that leaves gets a place of its own.
// CHECK-LABEL: .visible .entry both(
// CHECK: @!%p0 bra $E0;
// CHECK-NEXT: mov.b32 %[[A:r[0-9]+]], %r0;
// CHECK-NEXT: bra $L1;
// CHECK-NEXT: $E0:
// CHECK-NEXT: mov.b32 %[[A]], %r1;
// CHECK-NEXT: $L1:
ptx.entry @both(%p: !ptx.b64, %a: !ptx.b32, %b: !ptx.b32) {
  %less = ptx.inst setp.lt.s32 %a, %b
  ptx.cond_bra %less, ^end(%a : !ptx.b32), ^end(%b : !ptx.b32)
^end(%x: !ptx.b32):
  ptx.inst st.global.b32 %p, 0, %x
  ptx.ret
}

// Only the edge that is taken, only the other, and neither.
// CHECK-LABEL: .visible .entry one(
// CHECK: @!%p0 bra $L2;
// CHECK-NEXT: mov.b32 %[[A:r[0-9]+]], %r0;
// CHECK-NEXT: bra $L4;
// CHECK-NEXT: $L1:
// CHECK-NEXT: @%p0 bra $L3;
// CHECK-NEXT: mov.b32 %[[A]], %r1;
// CHECK-NEXT: bra $L4;
// CHECK-NEXT: $L2:
// CHECK-NEXT: @!%p0 bra $L1;
// CHECK-NEXT: $L3:
// CHECK-NEXT: ret;
ptx.entry @one(%p: !ptx.b64, %a: !ptx.b32, %b: !ptx.b32) {
  %less = ptx.inst setp.lt.s32 %a, %b
  ptx.cond_bra %less, ^end(%a : !ptx.b32), ^other
^again:
  ptx.cond_bra %less, ^stop, ^end(%b : !ptx.b32)
^other:
  ptx.cond_bra %less, ^stop, ^again
^stop:
  ptx.ret
^end(%x: !ptx.b32):
  ptx.inst st.global.b32 %p, 0, %x
  ptx.ret
}
