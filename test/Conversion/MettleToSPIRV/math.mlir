// Operations of math with one exact result.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @floats
mettle.kernel @floats(%a: f32, %b: f32, %x: !mettle.ptr<f32, global>) {
  // CHECK: spirv.CL.fabs
  %0 = math.absf %a : f32
  // CHECK: spirv.CL.ceil
  %1 = math.ceil %0 : f32
  // CHECK: spirv.CL.floor
  %2 = math.floor %1 : f32
  // CHECK: spirv.CL.fma
  %3 = math.fma %2, %a, %b : f32
  // CHECK: spirv.CL.rint
  %4 = math.roundeven %3 : f32
  // CHECK: spirv.CL.sqrt
  %5 = math.sqrt %4 : f32
  mettle.store %5, %x : f32, !mettle.ptr<f32, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @integers
mettle.kernel @integers(%a: i64, %x: !mettle.ptr<i64, global>) {
  // CHECK: spirv.CL.s_abs
  %0 = math.absi %a : i64
  // CHECK: spirv.BitCount
  %1 = math.ctpop %0 : i64
  mettle.store %1, %x : i64, !mettle.ptr<i64, global>
  mettle.return
}
