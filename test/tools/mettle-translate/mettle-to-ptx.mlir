// Neutral kernels to PTX text in one step: what the driver does without -O.
// RUN: mettle-translate --mettle-to-ptx --gpu-arch=sm_90 %s | FileCheck %s
// RUN: mettle --emit-ptx --gpu-arch=sm_90 %s -o %t.ptx
// RUN: mettle-translate --mettle-to-ptx --gpu-arch=sm_90 %s | diff - %t.ptx

// CHECK: .entry scale(
// CHECK: mul.rn.f32
mettle.kernel @scale(%x: !mettle.ptr<f32, global>, %s: f32, %n: i32) {
  %i = mettle.thread_id x
  %inside = arith.cmpi slt, %i, %n : i32
  scf.if %inside {
    %j = arith.extsi %i : i32 to i64
    %p = mettle.offset %x[%j] : !mettle.ptr<f32, global>
    %v = mettle.load %p : !mettle.ptr<f32, global> -> f32
    %r = arith.mulf %v, %s : f32
    mettle.store %r, %p : f32, !mettle.ptr<f32, global>
  }
  mettle.return
}
