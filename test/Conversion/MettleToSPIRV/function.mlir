// Helper functions: results, pointers, several results, and the host's, which are dropped.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-NOT: @host
func.func @host(%a: index) -> index {
  return %a : index
}
func.func private @external(i32)

// CHECK: spirv.func @none(%{{.*}}: !spirv.ptr<f32, Generic>) "None"
func.func @none(%p: !mettle.ptr<f32, generic>) {
  %0 = arith.constant 0.0 : f32
  mettle.store %0, %p : f32, !mettle.ptr<f32, generic>
  // CHECK: spirv.Return
  return
}

// CHECK: spirv.func @several(%[[A:.*]]: f32, %[[B:.*]]: i1) -> !spirv.struct<(f32, i1)> "None"
func.func @several(%a: f32, %b: i1) -> (f32, i1) {
  // CHECK: %[[R:.*]] = spirv.CompositeConstruct %[[A]], %[[B]]
  // CHECK: spirv.ReturnValue %[[R]]
  return %a, %b : f32, i1
}

// CHECK-LABEL: spirv.func @calls
mettle.kernel @calls(%p: !mettle.ptr<f32, global>) {
  %g = mettle.space_cast %p : !mettle.ptr<f32, global> to !mettle.ptr<f32, generic>
  // CHECK: spirv.FunctionCall @none
  func.call @none(%g) : (!mettle.ptr<f32, generic>) -> ()
  %v = mettle.load %p : !mettle.ptr<f32, global> -> f32
  %t = arith.constant true
  // CHECK: %[[PAIR:.*]] = spirv.FunctionCall @several
  // CHECK: spirv.CompositeExtract %[[PAIR]][0 : i32]
  // CHECK: spirv.CompositeExtract %[[PAIR]][1 : i32]
  %r:2 = func.call @several(%v, %t) : (f32, i1) -> (f32, i1)
  %s = arith.select %r#1, %r#0, %v : f32
  mettle.store %s, %p : f32, !mettle.ptr<f32, global>
  mettle.return
}
