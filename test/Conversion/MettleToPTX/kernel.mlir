// Kernels, helpers, control flow and barriers.
// RUN: mettle-opt %s --split-input-file --convert-scf-to-cf --convert-mettle-to-ptx | FileCheck %s

// CHECK-LABEL: ptx.entry @parameters
// CHECK-SAME: %{{.*}}: !ptx.b64 {ptx.param = #ptx.param<type = b64, pointer = global, align = 4>}
// CHECK-SAME: %{{.*}}: !ptx.b32 {ptx.param = #ptx.param<type = u8>}, %{{.*}}: !ptx.b16, %{{.*}}: !ptx.b64
mettle.kernel @parameters(%p: !mettle.ptr<f32, global>, %b: i8, %h: f16, %d: f64) {
  // CHECK-NEXT: ptx.ret
  mettle.return
}

// -----

// CHECK-LABEL: ptx.entry @ids
mettle.kernel @ids(%p: !mettle.ptr<i32, global>) {
  // CHECK: mov.u32.tid.x
  %0 = mettle.thread_id x
  // CHECK: mov.u32.ctaid.y
  %1 = mettle.block_id y
  // CHECK: mov.u32.ntid.z
  %2 = mettle.block_dim z
  // CHECK: mov.u32.nctaid.x
  %3 = mettle.grid_dim x
  %4 = arith.addi %0, %1 : i32
  %5 = arith.addi %2, %3 : i32
  %6 = arith.addi %4, %5 : i32
  // CHECK: ptx.inst bar.sync 0
  mettle.barrier workgroup, acquire
  mettle.store %6, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}

// -----

// Predicates and 16-bit registers cross a call in 32 bits.
// CHECK-LABEL: ptx.func @callee
// CHECK-SAME: (%[[P:.*]]: !ptx.b32, %[[H:.*]]: !ptx.b32) -> (!ptx.b32, !ptx.b32)
// CHECK: %[[IS:.*]] = ptx.inst setp.ne.b32 %[[P]]
// CHECK-NEXT: %[[HALF:.*]] = ptx.inst cvt.u16.u32 %[[H]]
// CHECK-NEXT: ptx.bra ^bb1(%[[IS]], %[[HALF]] : !ptx.pred, !ptx.b16)
func.func @callee(%p: i1, %h: f16) -> (i1, f16) {
  return %p, %h : i1, f16
}
// CHECK-LABEL: ptx.entry @caller
mettle.kernel @caller(%out: !mettle.ptr<f16, global>, %h: f16) {
  %c = arith.cmpf olt, %h, %h : f16
  // CHECK: %[[P:.*]] = ptx.inst selp.b32
  // CHECK-NEXT: %[[H:.*]] = ptx.inst cvt.u32.u16
  // CHECK-NEXT: %[[R:.*]]:2 = ptx.call @callee(%[[P]], %[[H]])
  // CHECK: ptx.inst cvt.u16.u32 %[[R]]#1
  %0:2 = func.call @callee(%c, %h) : (i1, f16) -> (i1, f16)
  mettle.store %0#1, %out : f16, !mettle.ptr<f16, global>
  mettle.return
}

// -----

// What a loop carries is a block argument a register.
// CHECK-LABEL: ptx.func @loop
// CHECK: ptx.bra ^bb1(%{{.*}}, %{{.*}}#0, %{{.*}}#1 : !ptx.b32, !ptx.b32, !ptx.b32)
// CHECK: ^bb1(%{{.*}}: !ptx.b32, %{{.*}}: !ptx.b32, %{{.*}}: !ptx.b32):
// CHECK: ptx.cond_bra
func.func @loop(%p: !mettle.ptr<f32, global>, %n: i32) -> vector<2xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %v = mettle.load %p : !mettle.ptr<f32, global> -> vector<2xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %v) -> vector<2xf32> : i32 {
    %t = arith.addf %s, %v : vector<2xf32>
    scf.yield %t : vector<2xf32>
  }
  return %r : vector<2xf32>
}

// -----

// CHECK-LABEL: ptx.func @switch
// CHECK-SAME: (%[[F:.*]]: !ptx.b32, %[[A:.*]]: !ptx.b32)
// CHECK: %[[C:.*]] = ptx.inst mov.s32 -7
// CHECK-NEXT: %[[IS:.*]] = ptx.inst setp.eq.b32 %[[F]], %[[C]]
// CHECK-NEXT: ptx.cond_bra %[[IS]], ^[[ONE:.*]](%[[A]] : !ptx.b32), ^[[NEXT:.*]]
func.func @switch(%flag: i32, %a: i32) -> i32 {
  cf.switch %flag : i32, [default: ^bb1(%flag : i32), -7: ^bb1(%a : i32), 9: ^bb2]
^bb1(%r: i32):
  return %r : i32
^bb2:
  return %flag : i32
}
