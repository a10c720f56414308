// mettle.dot4 is four products, of bytes whose sign no shift makes.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @dots
mettle.kernel @dots(%p: !mettle.ptr<i32, global>, %a: i32, %b: i32) {
  // CHECK-NOT: ShiftRightArithmetic
  // CHECK: %[[LOW:.*]] = spirv.BitwiseAnd
  // CHECK: %[[FLIPPED:.*]] = spirv.BitwiseXor %[[LOW]]
  // CHECK: spirv.ISub %[[FLIPPED]]
  // CHECK-COUNT-4: spirv.IMul
  %s = mettle.dot4 %a, %b, %a : i32
  // CHECK-NOT: spirv.BitwiseXor
  // CHECK-COUNT-4: spirv.IMul
  // CHECK-NOT: spirv.ISub
  %u = mettle.dot4 unsigned %a, %b, %s : i32
  mettle.store %u, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}
