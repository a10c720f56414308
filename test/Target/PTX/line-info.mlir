// Source lines travel to .loc with -g, once for each change, and not without.
// RUN: mettle-translate --ptx-to-text -g %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: ptxas -arch=sm_75 -lineinfo %t.ptx -o %t.cubin
// RUN: mettle-translate --ptx-to-text %s | FileCheck %s --check-prefix=WITHOUT

// WITHOUT-NOT: .loc
// WITHOUT-NOT: .file

#first = loc("k.mettle":3:5)
#second = loc("lib/helper.mettle":10:1)
#called = loc(callsite(#second at #first))

ptx.entry @k(%p: !ptx.b64, %a: !ptx.b32) {
  // CHECK: .loc 1 3 5
  // CHECK-NEXT: add.s32
  %0 = ptx.inst add.s32 %a, %a loc(#first)
  // CHECK-NEXT: sub.s32
  %1 = ptx.inst sub.s32 %0, %a loc(#first)
  // CHECK-NEXT: .loc 2 10 1
  // CHECK-NEXT: and.b32
  %2 = ptx.inst and.b32 %1, %0 loc(#called)
  // CHECK-NEXT: .loc 1 3 5
  // CHECK-NEXT: or.b32
  %3 = ptx.inst or.b32 %2, %0 loc(#first)
  // No position at all changes nothing.
  // CHECK-NEXT: st.global.b32
  ptx.inst st.global.b32 %p, 0, %3 loc(unknown)
  // CHECK-NEXT: ret
  ptx.ret loc(unknown)
}
// CHECK: .file 1 "k.mettle"
// CHECK-NEXT: .file 2 "lib/helper.mettle"
