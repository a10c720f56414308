// What the approximate functions are on PTX.
// RUN: mettle-opt %s --convert-mettle-to-ptx | FileCheck %s

// CHECK-LABEL: ptx.func @all
func.func @all(%x: f32) -> f32 {
  // CHECK: %[[E:.*]] = ptx.inst mov.f32 1069066811
  // CHECK: %[[P:.*]] = ptx.inst mul.rn.f32 %{{.*}}, %[[E]]
  // CHECK: ptx.inst ex2.approx.f32 %[[P]]
  %0 = mettle.approximate exp %x : f32
  // CHECK: %[[L:.*]] = ptx.inst lg2.approx.f32
  // CHECK: %[[N:.*]] = ptx.inst mov.f32 1060205080
  // CHECK: ptx.inst mul.rn.f32 %[[L]], %[[N]]
  %1 = mettle.approximate log %0 : f32
  // CHECK: ptx.inst sin.approx.f32
  %2 = mettle.approximate sin %1 : f32
  // CHECK: ptx.inst cos.approx.f32
  %3 = mettle.approximate cos %2 : f32
  // CHECK: ptx.inst rsqrt.approx.f32
  %4 = mettle.approximate rsqrt %3 : f32
  return %4 : f32
}
