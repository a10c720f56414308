// Floats that the target lacks, as the i16 of their bits: bf16, and f16 before SPIR-V 1.4.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: mettle-opt --convert-mettle-to-spirv=version=1.0 %s | FileCheck %s --check-prefix=OLD
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @arithmetic(%{{.*}}: !spirv.ptr<i16, CrossWorkgroup>, %{{.*}}: i16)
mettle.kernel @arithmetic(%p: !mettle.ptr<bf16, global>, %b: bf16) {
  // CHECK: %[[V:.*]] = spirv.Load "CrossWorkgroup" %{{.*}} ["Aligned", 2] : i16
  %a = mettle.load %p : !mettle.ptr<bf16, global> -> bf16
  // CHECK: %[[W:.*]] = spirv.UConvert %[[V]] : i16 to i32
  // CHECK: spirv.ShiftLeftLogical %[[W]]
  // CHECK: spirv.Bitcast %{{.*}} : i32 to f32
  // CHECK: spirv.FAdd %{{.*}} : f32
  // CHECK: spirv.ULessThan
  // CHECK: spirv.UConvert %{{.*}} : i32 to i16
  %0 = arith.addf %a, %b : bf16
  // CHECK: spirv.FSub %{{.*}} : f32
  %1 = arith.subf %0, %b : bf16
  // CHECK: spirv.FMul %{{.*}} : f32
  %2 = arith.mulf %1, %b : bf16
  // CHECK: spirv.FDiv %{{.*}} : f32
  %3 = arith.divf %2, %b : bf16
  // CHECK: spirv.CL.sqrt %{{.*}} : f32
  %4 = math.sqrt %3 : bf16
  // CHECK: spirv.BitwiseXor %{{.*}} : i16
  %5 = arith.negf %4 : bf16
  // CHECK: spirv.BitwiseAnd %{{.*}} : i16
  %6 = math.absf %5 : bf16
  // CHECK: spirv.FOrdGreaterThan %{{.*}} : f32
  %7 = arith.maximumf %6, %b : bf16
  // CHECK: spirv.FOrdLessThan %{{.*}} : f32
  %8 = arith.cmpf olt, %7, %b : bf16
  %9 = arith.select %8, %7, %b : bf16
  mettle.store %9, %p : bf16, !mettle.ptr<bf16, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @conversions
mettle.kernel @conversions(%d: f64, %s: f32, %w: bf16, %p: !mettle.ptr<bf16, global>, %q: !mettle.ptr<f64, global>) {
  // An f64 is rounded to odd first.
  // CHECK: spirv.FConvert %{{.*}} {fp_rounding_mode = #spirv.fp_rounding_mode<RTZ>} : f64 to f32
  // CHECK: spirv.FOrdNotEqual
  %0 = arith.truncf %d to_nearest_even : f64 to bf16
  // CHECK: spirv.ShiftRightLogical
  %1 = arith.truncf %s toward_zero : f32 to bf16
  %2 = arith.truncf %s upward : f32 to bf16
  %3 = arith.truncf %s downward : f32 to bf16
  // CHECK: spirv.FConvert %{{.*}} : f32 to f64
  %4 = arith.extf %w : bf16 to f64
  %5 = arith.fptosi %w : bf16 to i32
  %6 = arith.bitcast %0 : bf16 to i16
  %7 = arith.sitofp %5 : i32 to f64
  %8 = arith.addf %4, %7 : f64
  %9 = arith.addf %1, %2 : bf16
  %10 = arith.addf %9, %3 : bf16
  %11 = arith.bitcast %6 : i16 to bf16
  %12 = arith.addf %10, %11 : bf16
  mettle.store %12, %p : bf16, !mettle.ptr<bf16, global>
  mettle.store %8, %q : f64, !mettle.ptr<f64, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @half(%{{.*}}: !spirv.ptr<f16, CrossWorkgroup>)
// OLD-LABEL: spirv.func @half(%{{.*}}: !spirv.ptr<i16, CrossWorkgroup>)
mettle.kernel @half(%p: !mettle.ptr<f16, global>) {
  %a = mettle.load %p : !mettle.ptr<f16, global> -> f16
  // CHECK: spirv.FAdd %{{.*}} : f16
  // OLD: spirv.FAdd %{{.*}} : f32
  %0 = arith.addf %a, %a : f16
  // CHECK: spirv.FConvert %{{.*}} : f16 to f32
  // OLD-NOT: spirv.FConvert
  %1 = arith.extf %0 : f16 to f32
  // CHECK: spirv.FConvert %{{.*}} : f32 to f16
  %2 = arith.truncf %1 downward : f32 to f16
  // CHECK: spirv.ConvertSToF %{{.*}} : i32 to f16
  // OLD: spirv.ConvertSToF %{{.*}} : i32 to f64
  %i = arith.constant 7 : i32
  %3 = arith.sitofp %i : i32 to f16
  %4 = arith.maximumf %2, %3 : f16
  mettle.store %4, %p : f16, !mettle.ptr<f16, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @vector
mettle.kernel @vector(%p: !mettle.ptr<bf16, global>) {
  %a = mettle.load %p : !mettle.ptr<bf16, global> -> vector<4xbf16>
  // CHECK: spirv.FMul %{{.*}} : vector<4xf32>
  %0 = arith.mulf %a, %a : vector<4xbf16>
  // CHECK: spirv.CL.floor %{{.*}} : vector<4xf32>
  %1 = math.floor %0 : vector<4xbf16>
  mettle.store %1, %p : vector<4xbf16>, !mettle.ptr<bf16, global>
  mettle.return
}
