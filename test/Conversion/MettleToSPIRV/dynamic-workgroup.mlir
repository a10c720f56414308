// Views of dynamic workgroup memory share one argument, the last, of the strictest alignment.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @views(
// CHECK-SAME: %{{.*}}: !spirv.ptr<f32, CrossWorkgroup>, %{{.*}}: i32, %[[BASE:.*]]: !spirv.ptr<f64, Workgroup> {spirvx.hidden_workgroup})
mettle.kernel @views(%p: !mettle.ptr<f32, global>, %n: i32) {
  // CHECK: %[[F:.*]] = spirv.Bitcast %[[BASE]] : !spirv.ptr<f64, Workgroup> to !spirv.ptr<f32, Workgroup>
  %0 = mettle.dynamic_workgroup : !mettle.ptr<f32, workgroup>
  %1 = mettle.dynamic_workgroup : !mettle.ptr<f64, workgroup>
  // CHECK: spirv.Bitcast %[[BASE]] : !spirv.ptr<f64, Workgroup> to !spirv.ptr<i8, Workgroup>
  %2 = mettle.dynamic_workgroup : !mettle.ptr<i8, workgroup>
  // CHECK: spirv.Load "CrossWorkgroup"
  %v = mettle.load %p : !mettle.ptr<f32, global> -> f32
  // CHECK: spirv.Store "Workgroup" %[[F]]
  mettle.store %v, %0 : f32, !mettle.ptr<f32, workgroup>
  %d = arith.extf %v : f32 to f64
  // CHECK: spirv.Store "Workgroup" %[[BASE]]
  mettle.store %d, %1 : f64, !mettle.ptr<f64, workgroup>
  %b = arith.constant 1 : i8
  mettle.store %b, %2 : i8, !mettle.ptr<i8, workgroup>
  mettle.return
}

// A kernel without a view has no argument more.
// CHECK-LABEL: spirv.func @none(
// CHECK-SAME: %{{.*}}: i32) "None"
mettle.kernel @none(%n: i32) {
  mettle.return
}
