// Free branches, phis, and several edges to one block.
// RUN: mettle-opt --flatten-scf --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @loop
mettle.kernel @loop(%p: !mettle.ptr<f32, global>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = arith.constant 1.0 : f32
  %b = arith.constant 2.0 : f32
  // Two values that swap: phis are parallel.
  // CHECK: spirv.Branch ^[[HEAD:.*]](%{{.*}}, %{{.*}}, %{{.*}} : i32, f32, f32)
  // CHECK: ^[[HEAD]](%[[I:.*]]: i32, %[[X:.*]]: f32, %[[Y:.*]]: f32):
  // CHECK: spirv.BranchConditional
  // CHECK: spirv.Branch ^[[HEAD]](%{{.*}}, %[[Y]], %[[X]] : i32, f32, f32)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (f32, f32) : i32 {
    scf.yield %y, %x : f32, f32
  }
  %s = arith.subf %r#0, %r#1 : f32
  mettle.store %s, %p : f32, !mettle.ptr<f32, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @same_target
mettle.kernel @same_target(%p: !mettle.ptr<i32, global>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %c0 : i32
  // CHECK: spirv.BranchConditional %{{.*}}, ^[[END:.*]](%{{.*}} : i32), ^[[DETOUR:.*]]{{$}}
  // CHECK: ^[[DETOUR]]:
  // CHECK-NEXT: spirv.Branch ^[[END]](
  cf.cond_br %c, ^end(%n : i32), ^end(%c0 : i32)
^end(%v: i32):
  mettle.store %v, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @switch
mettle.kernel @switch(%p: !mettle.ptr<i32, global>, %n: i32) {
  %c10 = arith.constant 10 : i32
  // CHECK: spirv.Constant 3 : i32
  // CHECK: spirv.IEqual
  // CHECK: spirv.BranchConditional
  // CHECK: spirv.Constant 5 : i32
  // CHECK: spirv.IEqual
  // CHECK: spirv.BranchConditional
  // CHECK: spirv.Branch ^
  cf.switch %n : i32, [default: ^end(%n : i32), 3: ^end(%c10 : i32), 5: ^other]
^other:
  // CHECK: spirv.Unreachable
  ub.unreachable
^end(%v: i32):
  mettle.store %v, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}

// A block that stands before one that dominates it, and a phi on a constant that comes later.
// CHECK-LABEL: spirv.func @order
mettle.kernel @order(%p: !mettle.ptr<i32, global>, %n: i32) {
  cf.br ^b
^a(%v: i32):
  mettle.store %v, %p : i32, !mettle.ptr<i32, global>
  mettle.return
^b:
  %c7 = arith.constant 7 : i32
  %c = arith.cmpi slt, %n, %c7 : i32
  cf.cond_br %c, ^a(%c7 : i32), ^b
}
