// Names and lines, when asked for.
// RUN: mettle-translate --mettle-to-spirv --spirv-debug-info %s | spirv-dis --no-color - | FileCheck %s
// RUN: mettle-translate --mettle-to-spirv %s | spirv-dis --no-color - | FileCheck %s --check-prefix=PLAIN

// PLAIN-NOT: OpLine
// PLAIN-NOT: OpName
// PLAIN-NOT: OpString

// CHECK: %[[FILE:.*]] = OpString "k.mettle"
// CHECK: OpName %{{.*}} "add"
// CHECK: OpLine %[[FILE]] 3 1
// CHECK-NEXT: %{{.*}} = OpFunction
// CHECK: OpLine %[[FILE]] 4 9
// CHECK-NEXT: OpIAdd
// One line serves all that follow it in the block.
// CHECK-NEXT: OpStore
// CHECK-NEXT: OpLine %[[FILE]] 5 1
// CHECK-NEXT: OpReturn
mettle.kernel @add(%a: i32, %p: !mettle.ptr<i32, global>) {
  %0 = arith.addi %a, %a : i32 loc("k.mettle":4:9)
  mettle.store %0, %p : i32, !mettle.ptr<i32, global> loc("k.mettle":4:9)
  mettle.return loc("k.mettle":5:1)
} loc("k.mettle":3:1)
