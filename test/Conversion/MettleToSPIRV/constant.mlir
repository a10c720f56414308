// Constants of every type, and poison.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @constants
mettle.kernel @constants(%b: !mettle.ptr<i8, global>, %s: !mettle.ptr<i16, global>, %l: !mettle.ptr<i64, global>,
                         %h: !mettle.ptr<f16, global>, %f: !mettle.ptr<f32, global>, %d: !mettle.ptr<f64, global>,
                         %w: !mettle.ptr<bf16, global>) {
  // CHECK: spirv.Constant -1 : i8
  %0 = arith.constant -1 : i8
  // CHECK: spirv.Constant 32767 : i16
  %1 = arith.constant 32767 : i16
  // CHECK: spirv.Constant -9223372036854775808 : i64
  %2 = arith.constant 0x8000000000000000 : i64
  // CHECK: spirv.Constant -0.000000e+00 : f16
  %3 = arith.constant -0.0 : f16
  // CHECK: spirv.Constant 0x7F800000 : f32
  %4 = arith.constant 0x7F800000 : f32
  // CHECK: spirv.Constant 4.940660e-324 : f64
  %5 = arith.constant 0x1 : f64
  // CHECK: spirv.Constant 16256 : i16
  %6 = arith.constant 1.0 : bf16
  // CHECK: spirv.Constant dense<[1.000000e+00, 2.000000e+00]> : vector<2xf32>
  %7 = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  // CHECK: spirv.Constant dense<16256> : vector<2xi16>
  %8 = arith.constant dense<1.0> : vector<2xbf16>
  mettle.store %0, %b : i8, !mettle.ptr<i8, global>
  mettle.store %1, %s : i16, !mettle.ptr<i16, global>
  mettle.store %2, %l : i64, !mettle.ptr<i64, global>
  mettle.store %3, %h : f16, !mettle.ptr<f16, global>
  mettle.store %4, %f : f32, !mettle.ptr<f32, global>
  mettle.store %5, %d : f64, !mettle.ptr<f64, global>
  mettle.store %6, %w : bf16, !mettle.ptr<bf16, global>
  mettle.store %7, %f : vector<2xf32>, !mettle.ptr<f32, global>
  mettle.store %8, %w : vector<2xbf16>, !mettle.ptr<bf16, global>
  mettle.return
}

// Zero, not an undefined value: that may differ from use to use.
// CHECK-LABEL: spirv.func @poison
mettle.kernel @poison(%f: !mettle.ptr<f32, global>) {
  // CHECK: spirv.Constant 0.000000e+00 : f32
  %0 = ub.poison : f32
  // CHECK: %[[NULL:.*]] = spirv.Constant 0 : i64
  // CHECK: spirv.ConvertUToPtr %[[NULL]]
  %1 = ub.poison : !mettle.ptr<f32, global>
  %2 = arith.constant true
  %3 = arith.select %2, %f, %1 : !mettle.ptr<f32, global>
  mettle.store %0, %3 : f32, !mettle.ptr<f32, global>
  mettle.return
}
