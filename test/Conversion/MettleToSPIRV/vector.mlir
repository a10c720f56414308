// Elements of a vector are extracted, and a vector is constructed of them.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @swap
mettle.kernel @swap(%p: !mettle.ptr<f32, global>, %h: !mettle.ptr<f16, global>) {
  // CHECK: %[[A:.*]] = spirv.CompositeExtract %[[V:.*]][0 : i32]
  // CHECK: %[[B:.*]] = spirv.CompositeExtract %[[V]][1 : i32]
  %v = mettle.load %p : !mettle.ptr<f32, global> -> vector<2xf32>
  %e:2 = mettle.unpack %v : vector<2xf32>
  // CHECK: spirv.CompositeConstruct %[[B]], %[[A]]
  %w = mettle.pack %e#1, %e#0 : vector<2xf32>
  mettle.store %w, %p : vector<2xf32>, !mettle.ptr<f32, global>
  %x = mettle.load %h : !mettle.ptr<f16, global> -> vector<4xf16>
  %f:4 = mettle.unpack %x : vector<4xf16>
  %y = mettle.pack %f#3, %f#1, %f#2, %f#0 : vector<4xf16>
  mettle.store %y, %h : vector<4xf16>, !mettle.ptr<f16, global>
  mettle.return
}
