// A sign is changed in the bits, as two halves; Negation.cpp says why. FNegate is written nowhere.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s --implicit-check-not=FNegate
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @negative
mettle.kernel @negative(%p: !mettle.ptr<f64, global>, %d: f64, %s: f32, %h: f16) {
  // CHECK: %[[BITS:.*]] = spirv.Bitcast %{{.*}} : f64 to vector<2xi32>
  // CHECK: %[[SIGN:.*]] = spirv.Constant dense<[0, -2147483648]> : vector<2xi32>
  // CHECK: %[[XOR:.*]] = spirv.BitwiseXor %[[BITS]], %[[SIGN]] : vector<2xi32>
  // CHECK: spirv.Bitcast %[[XOR]] : vector<2xi32> to f64
  %0 = arith.negf %d : f64
  // CHECK: spirv.Constant dense<[0, -32768]> : vector<2xi16>
  %1 = arith.negf %s : f32
  // CHECK: spirv.Constant dense<[0, -128]> : vector<2xi8>
  %2 = arith.negf %h : f16
  %3 = arith.extf %1 : f32 to f64
  %4 = arith.extf %2 : f16 to f64
  %5 = arith.addf %0, %3 : f64
  %6 = arith.addf %5, %4 : f64
  mettle.store %6, %p : f64, !mettle.ptr<f64, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @vector
mettle.kernel @vector(%p: !mettle.ptr<f32, global>) {
  %a = mettle.load %p : !mettle.ptr<f32, global> -> vector<2xf32>
  // CHECK-COUNT-2: spirv.CompositeExtract
  // CHECK: spirv.CompositeConstruct
  %0 = arith.negf %a : vector<2xf32>
  mettle.store %0, %p : vector<2xf32>, !mettle.ptr<f32, global>
  mettle.return
}

// What else changes nothing but the sign.
// CHECK-LABEL: spirv.func @constants
// CHECK-COUNT-4: spirv.BitwiseXor
// CHECK-NOT: spirv.BitwiseXor
mettle.kernel @constants(%p: !mettle.ptr<f64, global>, %x: f64) {
  %one = arith.constant -1.0 : f64
  %zero = arith.constant -0.0 : f64
  %0 = arith.mulf %x, %one : f64
  %1 = arith.mulf %one, %0 : f64
  %2 = arith.divf %1, %one : f64
  %3 = arith.subf %zero, %2 : f64
  // Not these.
  // CHECK: spirv.FSub
  %4 = arith.subf %3, %zero : f64
  // CHECK: spirv.FDiv
  %5 = arith.divf %one, %4 : f64
  mettle.store %5, %p : f64, !mettle.ptr<f64, global>
  mettle.return
}
