// Integer arithmetic, on a scalar, a vector and booleans.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @scalar
mettle.kernel @scalar(%a: i32, %b: i32, %out: !mettle.ptr<i32, global>) {
  // CHECK: spirv.IAdd
  %0 = arith.addi %a, %b : i32
  // CHECK: spirv.ISub
  %1 = arith.subi %0, %b : i32
  // CHECK: spirv.IMul
  %2 = arith.muli %1, %b : i32
  // CHECK: spirv.SDiv
  %3 = arith.divsi %2, %b : i32
  // CHECK: spirv.UDiv
  %4 = arith.divui %3, %b : i32
  // CHECK: spirv.SRem
  %5 = arith.remsi %4, %b : i32
  // CHECK: spirv.UMod
  %6 = arith.remui %5, %b : i32
  // CHECK: spirv.BitwiseAnd
  %7 = arith.andi %6, %b : i32
  // CHECK: spirv.BitwiseOr
  %8 = arith.ori %7, %b : i32
  // CHECK: spirv.BitwiseXor
  %9 = arith.xori %8, %b : i32
  // CHECK: spirv.ShiftLeftLogical
  %10 = arith.shli %9, %b : i32
  // CHECK: spirv.ShiftRightArithmetic
  %11 = arith.shrsi %10, %b : i32
  // CHECK: spirv.ShiftRightLogical
  %12 = arith.shrui %11, %b : i32
  // CHECK: spirv.CL.s_max
  %13 = arith.maxsi %12, %b : i32
  // CHECK: spirv.CL.u_max
  %14 = arith.maxui %13, %b : i32
  // CHECK: spirv.CL.s_min
  %15 = arith.minsi %14, %b : i32
  // CHECK: spirv.CL.u_min
  %16 = arith.minui %15, %b : i32
  mettle.store %16, %out : i32, !mettle.ptr<i32, global>
  mettle.return
}

// Widths below 32 need their capabilities and nothing else.
// CHECK-LABEL: spirv.func @narrow
mettle.kernel @narrow(%a: i8, %b: i8, %c: i16, %d: i16, %x: !mettle.ptr<i8, global>, %y: !mettle.ptr<i16, global>) {
  // CHECK: spirv.IAdd %{{.*}} : i8
  %0 = arith.addi %a, %b : i8
  // CHECK: spirv.ShiftRightLogical %{{.*}} : i8
  %1 = arith.shrui %0, %b : i8
  // CHECK: spirv.SDiv %{{.*}} : i16
  %2 = arith.divsi %c, %d : i16
  mettle.store %1, %x : i8, !mettle.ptr<i8, global>
  mettle.store %2, %y : i16, !mettle.ptr<i16, global>
  mettle.return
}

// Modulo 2; true is the greatest unsigned and the least signed value.
// CHECK-LABEL: spirv.func @booleans
mettle.kernel @booleans(%a: i32, %b: i32, %out: !mettle.ptr<i8, global>) {
  %c0 = arith.constant 0 : i32
  %p = arith.cmpi ne, %a, %c0 : i32
  %q = arith.cmpi ne, %b, %c0 : i32
  // CHECK: spirv.LogicalNotEqual
  %0 = arith.addi %p, %q : i1
  // CHECK: spirv.LogicalNotEqual
  %1 = arith.subi %0, %q : i1
  // CHECK: spirv.LogicalAnd
  %2 = arith.muli %1, %q : i1
  // CHECK: spirv.LogicalAnd
  %3 = arith.andi %2, %p : i1
  // CHECK: spirv.LogicalOr
  %4 = arith.ori %3, %q : i1
  // CHECK: spirv.LogicalNotEqual
  %5 = arith.xori %4, %p : i1
  // CHECK: spirv.LogicalAnd
  %6 = arith.maxsi %5, %q : i1
  // CHECK: spirv.LogicalOr
  %7 = arith.maxui %6, %p : i1
  // CHECK: spirv.LogicalOr
  %8 = arith.minsi %7, %q : i1
  // CHECK: spirv.LogicalAnd
  %9 = arith.minui %8, %p : i1
  %10 = arith.extui %9 : i1 to i8
  mettle.store %10, %out : i8, !mettle.ptr<i8, global>
  mettle.return
}
