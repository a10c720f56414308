// Every predicate of arith.cmpi and arith.cmpf, and selections.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @integers
mettle.kernel @integers(%a: i32, %b: i32, %out: !mettle.ptr<i8, global>) {
  // CHECK: spirv.IEqual %
  %p0 = arith.cmpi eq, %a, %b : i32
  // CHECK: spirv.INotEqual %
  %p1 = arith.cmpi ne, %a, %b : i32
  // CHECK: spirv.SLessThan %
  %p2 = arith.cmpi slt, %a, %b : i32
  // CHECK: spirv.SLessThanEqual %
  %p3 = arith.cmpi sle, %a, %b : i32
  // CHECK: spirv.SGreaterThan %
  %p4 = arith.cmpi sgt, %a, %b : i32
  // CHECK: spirv.SGreaterThanEqual %
  %p5 = arith.cmpi sge, %a, %b : i32
  // CHECK: spirv.ULessThan %
  %p6 = arith.cmpi ult, %a, %b : i32
  // CHECK: spirv.ULessThanEqual %
  %p7 = arith.cmpi ule, %a, %b : i32
  // CHECK: spirv.UGreaterThan %
  %p8 = arith.cmpi ugt, %a, %b : i32
  // CHECK: spirv.UGreaterThanEqual %
  %p9 = arith.cmpi uge, %a, %b : i32
  %r0 = arith.ori %p0, %p1 : i1
  %r1 = arith.xori %r0, %p2 : i1
  %r2 = arith.xori %r1, %p3 : i1
  %r3 = arith.xori %r2, %p4 : i1
  %r4 = arith.xori %r3, %p5 : i1
  %r5 = arith.xori %r4, %p6 : i1
  %r6 = arith.xori %r5, %p7 : i1
  %r7 = arith.xori %r6, %p8 : i1
  %r8 = arith.xori %r7, %p9 : i1
  %v = arith.extui %r8 : i1 to i8
  mettle.store %v, %out : i8, !mettle.ptr<i8, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @floats
mettle.kernel @floats(%a: f32, %b: f32, %out: !mettle.ptr<i8, global>) {
  // CHECK: spirv.FOrdEqual %
  %p0 = arith.cmpf oeq, %a, %b : f32
  // CHECK: spirv.FOrdGreaterThan %
  %p1 = arith.cmpf ogt, %a, %b : f32
  // CHECK: spirv.FOrdGreaterThanEqual %
  %p2 = arith.cmpf oge, %a, %b : f32
  // CHECK: spirv.FOrdLessThan %
  %p3 = arith.cmpf olt, %a, %b : f32
  // CHECK: spirv.FOrdLessThanEqual %
  %p4 = arith.cmpf ole, %a, %b : f32
  // CHECK: spirv.FOrdNotEqual %
  %p5 = arith.cmpf one, %a, %b : f32
  // CHECK: spirv.Ordered %
  %p6 = arith.cmpf ord, %a, %b : f32
  // CHECK: spirv.FUnordEqual %
  %p7 = arith.cmpf ueq, %a, %b : f32
  // CHECK: spirv.FUnordGreaterThan %
  %p8 = arith.cmpf ugt, %a, %b : f32
  // CHECK: spirv.FUnordGreaterThanEqual %
  %p9 = arith.cmpf uge, %a, %b : f32
  // CHECK: spirv.FUnordLessThan %
  %p10 = arith.cmpf ult, %a, %b : f32
  // CHECK: spirv.FUnordLessThanEqual %
  %p11 = arith.cmpf ule, %a, %b : f32
  // CHECK: spirv.FUnordNotEqual %
  %p12 = arith.cmpf une, %a, %b : f32
  // CHECK: spirv.Unordered %
  %p13 = arith.cmpf uno, %a, %b : f32
  %r0 = arith.ori %p0, %p1 : i1
  %r1 = arith.xori %r0, %p2 : i1
  %r2 = arith.xori %r1, %p3 : i1
  %r3 = arith.xori %r2, %p4 : i1
  %r4 = arith.xori %r3, %p5 : i1
  %r5 = arith.xori %r4, %p6 : i1
  %r6 = arith.xori %r5, %p7 : i1
  %r7 = arith.xori %r6, %p8 : i1
  %r8 = arith.xori %r7, %p9 : i1
  %r9 = arith.xori %r8, %p10 : i1
  %r10 = arith.xori %r9, %p11 : i1
  %r11 = arith.xori %r10, %p12 : i1
  %r12 = arith.xori %r11, %p13 : i1
  %v = arith.extui %r12 : i1 to i8
  mettle.store %v, %out : i8, !mettle.ptr<i8, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @constants
mettle.kernel @constants(%a: f64, %out: !mettle.ptr<i8, global>) {
  // CHECK: %[[F:.*]] = spirv.Constant false
  %0 = arith.cmpf false, %a, %a : f64
  // CHECK: %[[T:.*]] = spirv.Constant true
  %1 = arith.cmpf true, %a, %a : f64
  // CHECK: spirv.LogicalNotEqual %[[F]], %[[T]]
  %2 = arith.xori %0, %1 : i1
  %3 = arith.extui %2 : i1 to i8
  mettle.store %3, %out : i8, !mettle.ptr<i8, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @booleans
mettle.kernel @booleans(%x: i32, %y: i32, %out: !mettle.ptr<i8, global>) {
  %c0 = arith.constant 0 : i32
  %a = arith.cmpi ne, %x, %c0 : i32
  %b = arith.cmpi ne, %y, %c0 : i32
  // CHECK: spirv.LogicalEqual %
  %p0 = arith.cmpi eq, %a, %b : i1
  // CHECK: spirv.LogicalNotEqual %
  %p1 = arith.cmpi ne, %a, %b : i1
  // CHECK: spirv.LogicalNot
  // CHECK: spirv.LogicalAnd
  %p2 = arith.cmpi ugt, %a, %b : i1
  // CHECK: spirv.LogicalNot
  // CHECK: spirv.LogicalAnd
  %p3 = arith.cmpi slt, %a, %b : i1
  // CHECK: spirv.LogicalNot
  // CHECK: spirv.LogicalOr
  %p4 = arith.cmpi ule, %a, %b : i1
  // CHECK: spirv.LogicalNot
  // CHECK: spirv.LogicalOr
  %p5 = arith.cmpi sge, %a, %b : i1
  %r0 = arith.ori %p0, %p1 : i1
  %r1 = arith.xori %r0, %p2 : i1
  %r2 = arith.xori %r1, %p3 : i1
  %r3 = arith.xori %r2, %p4 : i1
  %r4 = arith.xori %r3, %p5 : i1
  %v = arith.extui %r4 : i1 to i8
  mettle.store %v, %out : i8, !mettle.ptr<i8, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @select
mettle.kernel @select(%x: i32, %p: !mettle.ptr<f32, global>, %q: !mettle.ptr<f32, global>) {
  %c0 = arith.constant 0 : i32
  // CHECK: %[[C:.*]] = spirv.INotEqual
  %c = arith.cmpi ne, %x, %c0 : i32
  // CHECK: spirv.Select %[[C]], %{{.*}} : i1, !spirv.ptr<f32, CrossWorkgroup>
  %r = arith.select %c, %p, %q : !mettle.ptr<f32, global>
  %a = mettle.load %r : !mettle.ptr<f32, global> -> vector<2xf32>
  %b = mettle.load %q : !mettle.ptr<f32, global> -> vector<2xf32>
  // CHECK: %[[ALL:.*]] = spirv.CompositeConstruct %[[C]], %[[C]] : (i1, i1) -> vector<2xi1>
  // CHECK: spirv.Select %[[ALL]], %{{.*}} : vector<2xi1>, vector<2xf32>
  %v = arith.select %c, %a, %b : vector<2xf32>
  // CHECK: %[[EACH:.*]] = spirv.FOrdLessThan %{{.*}} : vector<2xf32>
  %e = arith.cmpf olt, %a, %b : vector<2xf32>
  // CHECK: spirv.Select %[[EACH]], %{{.*}} : vector<2xi1>, vector<2xf32>
  %w = arith.select %e, %v, %b : vector<2xi1>, vector<2xf32>
  mettle.store %w, %p : vector<2xf32>, !mettle.ptr<f32, global>
  mettle.return
}
