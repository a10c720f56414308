// Which instructions arithmetic becomes, where there is something to choose.
// RUN: mettle-opt %s --split-input-file --convert-mettle-to-ptx | FileCheck %s

// CHECK-LABEL: ptx.func @rounding
// CHECK: mul.rn.f32
// CHECK: add.rn.f32
// CHECK: div.rn.f64
// CHECK: fma.rn.f32
// CHECK: sqrt.rn.f32
func.func @rounding(%a: f32, %b: f32, %c: f64) -> (f32, f64) {
  %0 = arith.mulf %a, %b : f32
  %1 = arith.addf %0, %b : f32
  %2 = arith.divf %c, %c : f64
  %3 = math.fma %1, %a, %b : f32
  %4 = math.sqrt %3 : f32
  return %4, %2 : f32, f64
}

// -----

// An i8 is computed in 32 bits and extended only by who reads its upper bits.
// CHECK-LABEL: ptx.func @bytes
// CHECK-SAME: (%[[A:.*]]: !ptx.b32, %[[B:.*]]: !ptx.b32)
// CHECK-NEXT: %[[SUM:.*]] = ptx.inst add.s32 %[[A]], %[[B]]
// CHECK-NEXT: %[[MASK0:.*]] = ptx.inst mov.s32 255
// CHECK-NEXT: %[[SUM8:.*]] = ptx.inst and.b32 %[[SUM]], %[[MASK0]]
// CHECK-NEXT: %[[MASK1:.*]] = ptx.inst mov.s32 255
// CHECK-NEXT: %[[B8:.*]] = ptx.inst and.b32 %[[B]], %[[MASK1]]
// CHECK-NEXT: ptx.inst div.u32 %[[SUM8]], %[[B8]]
func.func @bytes(%a: i8, %b: i8) -> i8 {
  %0 = arith.addi %a, %b : i8
  %1 = arith.divui %0, %b : i8
  return %1 : i8
}

// -----

// The signed comparison of two i1 sees true as -1.
// CHECK-LABEL: ptx.func @signed_bits
// CHECK: %[[A:.*]] = ptx.inst setp.ne.b32
// CHECK: %[[B:.*]] = ptx.inst setp.ne.b32
// CHECK: ^bb1(%[[X:.*]]: !ptx.pred, %[[Y:.*]]: !ptx.pred):
// CHECK-NEXT: %[[NOT:.*]] = ptx.inst not.pred %[[Y]]
// CHECK-NEXT: ptx.inst and.pred %[[NOT]], %[[X]]
func.func @signed_bits(%a: i1, %b: i1) -> i1 {
  %0 = arith.cmpi slt, %a, %b : i1
  return %0 : i1
}

// -----

// A NaN operand wins, on targets whose min has no such form too.
// CHECK-LABEL: ptx.func @minimum
// CHECK-SAME: (%[[A:.*]]: !ptx.b32, %[[B:.*]]: !ptx.b32)
// CHECK-NEXT: %[[MIN:.*]] = ptx.inst min.f32 %[[A]], %[[B]]
// CHECK-NEXT: %[[NAN:.*]] = ptx.inst add.rn.f32 %[[A]], %[[B]]
// CHECK-NEXT: %[[IS:.*]] = ptx.inst setp.nan.f32 %[[A]], %[[B]]
// CHECK-NEXT: ptx.inst selp.b32 %[[NAN]], %[[MIN]], %[[IS]]
func.func @minimum(%a: f32, %b: f32) -> f32 {
  %0 = arith.minimumf %a, %b : f32
  return %0 : f32
}

// -----

// CHECK-LABEL: ptx.func @constants
// CHECK: mov.f32 2143289345
// CHECK: mov.f64 -9223372036854775808
// CHECK: mov.s64 -1
func.func @constants() -> (f32, f64, i64) {
  %0 = arith.constant 0x7fc00001 : f32
  %1 = arith.constant -0.0 : f64
  %2 = arith.constant -1 : i64
  return %0, %1, %2 : f32, f64, i64
}
