// Round trip of the instructions of OpenCL.std that upstream lacks.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | mettle-opt --split-input-file | FileCheck %s

// CHECK-LABEL: spirv.func @all
spirv.func @all(%x: f32, %v: vector<2xf16>, %i: i32) "None" {
  // CHECK: spirvx.CL.trunc %{{.*}} : f32
  %0 = spirvx.CL.trunc %x : f32
  // CHECK: spirvx.CL.copysign %{{.*}}, %{{.*}} : vector<2xf16>
  %1 = spirvx.CL.copysign %v, %v : vector<2xf16>
  // CHECK: spirvx.CL.clz %{{.*}} : i32
  %2 = spirvx.CL.clz %i : i32
  // CHECK: spirvx.CL.ctz %{{.*}} : i32
  %3 = spirvx.CL.ctz %i : i32
  // CHECK: spirvx.CL.s_mul_hi %{{.*}}, %{{.*}} : i32
  %4 = spirvx.CL.s_mul_hi %i, %i : i32
  // CHECK: spirvx.CL.u_mul_hi %{{.*}}, %{{.*}} : i32
  %5 = spirvx.CL.u_mul_hi %i, %i : i32
  spirv.Return
}

// -----

spirv.func @integer(%i: i32) "None" {
  // expected-error @below {{must be 16/32/64-bit float}}
  %0 = "spirvx.CL.trunc"(%i) : (i32) -> i32
  spirv.Return
}
