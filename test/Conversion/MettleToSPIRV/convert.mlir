// Conversions between numbers, with their rounding modes.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @integers
mettle.kernel @integers(%a: i8, %b: i64, %x: !mettle.ptr<i32, global>, %y: !mettle.ptr<i64, global>) {
  // CHECK: spirv.UConvert %{{.*}} : i8 to i32
  %0 = arith.extui %a : i8 to i32
  // CHECK: spirv.SConvert %{{.*}} : i8 to i32
  %1 = arith.extsi %a : i8 to i32
  // CHECK: spirv.UConvert %{{.*}} : i64 to i32
  %2 = arith.trunci %b : i64 to i32
  // CHECK: %[[ONE:.*]] = spirv.Constant 1 : i64
  // CHECK: %[[LOW:.*]] = spirv.BitwiseAnd %{{.*}}, %[[ONE]]
  // CHECK: %[[BIT:.*]] = spirv.INotEqual %[[LOW]]
  %3 = arith.trunci %b : i64 to i1
  // CHECK: %[[ONE32:.*]] = spirv.Constant 1 : i32
  // CHECK: %[[ALL:.*]] = spirv.Load "Input"
  // CHECK: %[[GROUPS:.*]] = spirv.CompositeExtract %[[ALL]][0 : i32]
  // CHECK: %[[HIGH:.*]] = spirv.ShiftRightLogical %[[GROUPS]]
  // CHECK: %[[ZERO:.*]] = spirv.UConvert %[[HIGH]] : i64 to i32
  // CHECK: spirv.Select %[[BIT]], %[[ONE32]], %[[ZERO]]
  %4 = arith.extui %3 : i1 to i32
  // CHECK: spirv.Constant -1 : i32
  // CHECK: spirv.Select %[[BIT]]
  %5 = arith.extsi %3 : i1 to i32
  // CHECK: spirv.SConvert %{{.*}} : i32 to i64
  %6 = arith.index_cast %2 : i32 to index
  // CHECK-NOT: Convert
  %7 = arith.index_cast %6 : index to i64
  // CHECK: spirv.UConvert %{{.*}} : i32 to i64
  %8 = arith.index_castui %2 : i32 to index
  // CHECK: spirv.UConvert %{{.*}} : i64 to i32
  %9 = arith.index_castui %8 : index to i32
  %10 = arith.addi %0, %1 : i32
  %11 = arith.addi %4, %5 : i32
  %12 = arith.addi %10, %11 : i32
  %13 = arith.addi %12, %9 : i32
  mettle.store %13, %x : i32, !mettle.ptr<i32, global>
  mettle.store %7, %y : i64, !mettle.ptr<i64, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @floats
mettle.kernel @floats(%h: f16, %s: f32, %d: f64, %x: !mettle.ptr<f16, global>, %y: !mettle.ptr<f32, global>,
                      %z: !mettle.ptr<f64, global>) {
  // CHECK: spirv.FConvert %{{.*}} : f16 to f64
  %0 = arith.extf %h : f16 to f64
  // CHECK: spirv.FConvert %{{.*}} : f32 to f64
  %1 = arith.extf %s : f32 to f64
  // CHECK: spirv.FConvert %{{.*}} {fp_rounding_mode = #spirv.fp_rounding_mode<RTE>} : f64 to f32
  %2 = arith.truncf %d to_nearest_even : f64 to f32
  // CHECK: spirv.FConvert %{{.*}} {fp_rounding_mode = #spirv.fp_rounding_mode<RTZ>} : f64 to f16
  %3 = arith.truncf %d toward_zero : f64 to f16
  // CHECK: spirv.FConvert %{{.*}} {fp_rounding_mode = #spirv.fp_rounding_mode<RTP>} : f32 to f16
  %4 = arith.truncf %s upward : f32 to f16
  // CHECK: spirv.FConvert %{{.*}} {fp_rounding_mode = #spirv.fp_rounding_mode<RTN>} : f32 to f16
  %5 = arith.truncf %s downward : f32 to f16
  %6 = arith.addf %0, %1 : f64
  %7 = arith.addf %3, %4 : f16
  %8 = arith.addf %7, %5 : f16
  mettle.store %8, %x : f16, !mettle.ptr<f16, global>
  mettle.store %2, %y : f32, !mettle.ptr<f32, global>
  mettle.store %6, %z : f64, !mettle.ptr<f64, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @between
mettle.kernel @between(%i: i32, %b: i64, %s: f32, %x: !mettle.ptr<f32, global>, %y: !mettle.ptr<i32, global>) {
  // CHECK: spirv.ConvertSToF %{{.*}} {fp_rounding_mode = #spirv.fp_rounding_mode<RTE>} : i32 to f32
  %0 = arith.sitofp %i : i32 to f32
  // CHECK: spirv.ConvertUToF %{{.*}} {fp_rounding_mode = #spirv.fp_rounding_mode<RTE>} : i64 to f32
  %1 = arith.uitofp %b : i64 to f32
  // CHECK: spirv.ConvertFToS %{{.*}} : f32 to i32
  %2 = arith.fptosi %s : f32 to i32
  // CHECK: spirv.ConvertFToU %{{.*}} : f32 to i32
  %3 = arith.fptoui %s : f32 to i32
  // CHECK: spirv.Bitcast %{{.*}} : f32 to i32
  %4 = arith.bitcast %s : f32 to i32
  %c0 = arith.constant 0 : i32
  %p = arith.cmpi ne, %i, %c0 : i32
  // CHECK: spirv.Constant 1.000000e+00 : f32
  // CHECK: spirv.Select
  %5 = arith.uitofp %p : i1 to f32
  // CHECK: spirv.Constant -1.000000e+00 : f32
  // CHECK: spirv.Select
  %6 = arith.sitofp %p : i1 to f32
  %7 = arith.addf %0, %1 : f32
  %8 = arith.addf %5, %6 : f32
  %9 = arith.addf %7, %8 : f32
  %10 = arith.addi %2, %3 : i32
  %11 = arith.addi %10, %4 : i32
  mettle.store %9, %x : f32, !mettle.ptr<f32, global>
  mettle.store %11, %y : i32, !mettle.ptr<i32, global>
  mettle.return
}
