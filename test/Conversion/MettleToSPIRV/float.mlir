// Float arithmetic; which zero and which NaN rule the extrema follow.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @arithmetic
mettle.kernel @arithmetic(%a: f32, %b: f32, %h: f16, %d: f64, %x: !mettle.ptr<f32, global>, %y: !mettle.ptr<f16, global>,
                          %z: !mettle.ptr<f64, global>) {
  // CHECK: spirv.FAdd
  %0 = arith.addf %a, %b : f32
  // CHECK: spirv.FSub
  %1 = arith.subf %0, %b : f32
  // CHECK: spirv.FMul
  %2 = arith.mulf %1, %b : f32
  // CHECK: spirv.FDiv
  %3 = arith.divf %2, %b : f32
  %4 = arith.negf %3 : f32
  // CHECK: spirv.FMul %{{.*}} : f16
  %5 = arith.mulf %h, %h : f16
  // CHECK: spirv.FDiv %{{.*}} : f64
  %6 = arith.divf %d, %d : f64
  mettle.store %4, %x : f32, !mettle.ptr<f32, global>
  mettle.store %5, %y : f16, !mettle.ptr<f16, global>
  mettle.store %6, %z : f64, !mettle.ptr<f64, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @maximum(%{{.*}}: f32, %{{.*}}: f32
mettle.kernel @maximum(%a: f32, %b: f32, %x: !mettle.ptr<f32, global>) {
  // CHECK: %[[A:.*]] = spirv.Bitcast %[[FA:.*]] : f32 to i32
  // CHECK: %[[B:.*]] = spirv.Bitcast %[[FB:.*]] : f32 to i32
  // CHECK: %[[AND:.*]] = spirv.BitwiseAnd %[[A]], %[[B]]
  // CHECK: %[[ZERO:.*]] = spirv.Bitcast %[[AND]] : i32 to f32
  // CHECK: %[[NAN:.*]] = spirv.Constant 0x7FC00000 : f32
  // CHECK: %[[GT:.*]] = spirv.FOrdGreaterThan %[[FA]], %[[FB]]
  // CHECK: %[[R0:.*]] = spirv.Select %[[GT]], %[[FA]], %[[FB]]
  // CHECK: %[[EQ:.*]] = spirv.FOrdEqual %[[FA]], %[[FB]]
  // CHECK: %[[R1:.*]] = spirv.Select %[[EQ]], %[[ZERO]], %[[R0]]
  // CHECK: %[[UN:.*]] = spirv.Unordered %[[FA]], %[[FB]]
  // CHECK: spirv.Select %[[UN]], %[[NAN]], %[[R1]]
  %0 = arith.maximumf %a, %b : f32
  mettle.store %0, %x : f32, !mettle.ptr<f32, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @minimum
mettle.kernel @minimum(%p: !mettle.ptr<f16, global>) {
  %a = mettle.load %p : !mettle.ptr<f16, global> -> vector<4xf16>
  // CHECK: spirv.BitwiseOr %{{.*}} : vector<4xi16>
  // CHECK: spirv.FOrdLessThan %{{.*}} : vector<4xf16>
  %0 = arith.minimumf %a, %a : vector<4xf16>
  mettle.store %0, %p : vector<4xf16>, !mettle.ptr<f16, global>
  mettle.return
}
