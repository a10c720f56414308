// Operations of math whose instruction upstream's dialect lacks.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s --no-upstream

// CHECK-LABEL: spirv.func @floats
mettle.kernel @floats(%a: f64, %b: f64, %x: !mettle.ptr<f64, global>) {
  // CHECK: spirvx.CL.trunc %{{.*}} : f64
  %0 = math.trunc %a : f64
  // CHECK: spirvx.CL.copysign %{{.*}}, %{{.*}} : f64
  %1 = math.copysign %0, %b : f64
  mettle.store %1, %x : f64, !mettle.ptr<f64, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @integers
mettle.kernel @integers(%a: i16, %x: !mettle.ptr<i16, global>) {
  // CHECK: spirvx.CL.clz %{{.*}} : i16
  %0 = math.ctlz %a : i16
  // CHECK: spirvx.CL.ctz %{{.*}} : i16
  %1 = math.cttz %0 : i16
  mettle.store %1, %x : i16, !mettle.ptr<i16, global>
  mettle.return
}
