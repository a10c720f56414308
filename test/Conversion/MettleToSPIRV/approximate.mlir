// The approximate functions are the native ones of OpenCL.std.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s --no-upstream

// CHECK-LABEL: spirv.func @all
mettle.kernel @all(%x: f32, %p: !mettle.ptr<f32, global>) {
  // CHECK: spirvx.CL.native_exp %{{.*}} : f32
  %0 = mettle.approximate exp %x : f32
  // CHECK: spirvx.CL.native_log
  %1 = mettle.approximate log %0 : f32
  // CHECK: spirvx.CL.native_sin
  %2 = mettle.approximate sin %1 : f32
  // CHECK: spirvx.CL.native_cos
  %3 = mettle.approximate cos %2 : f32
  // CHECK: spirvx.CL.native_rsqrt
  %4 = mettle.approximate rsqrt %3 : f32
  mettle.store %4, %p : f32, !mettle.ptr<f32, global>
  mettle.return
}
