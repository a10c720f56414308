// How instructions print: mnemonic with modifiers, registers and immediates.
// RUN: mettle-opt %s | mettle-opt | FileCheck %s
// RUN: mettle-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: ptx.entry @inst
ptx.entry @inst(%p: !ptx.b64, %a: !ptx.b32) {
  // CHECK: %[[V:.*]]:4 = ptx.inst ld.global.cs.v4.b32 %{{.*}}, -16
  %v:4 = ptx.inst ld.global.cs.v4.b32 %p, -16
  // Three modifiers of four bits: rounding to nearest, flush, no saturation.
  // CHECK: %[[S:.*]] = ptx.inst fma.rn.ftz.f32 %[[V]]#0, %[[V]]#1, %{{.*}}
  // GENERIC: <{modifiers = 17 : i32, opcode = "FmaF32"}>
  %s = ptx.inst fma.rn.ftz.f32 %v#0, %v#1, %a
  // CHECK: ptx.inst setp.geu.f32 %[[S]], %[[V]]#2
  %q = ptx.inst setp.geu.f32 %s, %v#2
  // CHECK: ptx.inst mov.f32 1065353216
  // GENERIC: <{immediates = array<i64: 1065353216>, modifiers = 0 : i32, opcode = "MovF32"}>
  %one = ptx.inst mov.f32 0x3F800000
  // CHECK: ptx.inst selp.b32 {{.*}} {note = "kept"}
  %r = ptx.inst selp.b32 %s, %one, %q {note = "kept"}
  ptx.inst st.global.b32 %p, 0, %r
  ptx.ret
}
