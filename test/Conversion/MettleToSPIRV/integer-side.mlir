// Integer operations whose instructions upstream's dialect lacks, and the carry of a sum.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s --no-upstream

// CHECK-LABEL: spirv.func @extended
mettle.kernel @extended(%a: i64, %b: i64, %out: !mettle.ptr<i64, global>) {
  // CHECK: %[[SL:.*]] = spirv.IMul
  // CHECK: %[[SH:.*]] = spirvx.CL.s_mul_hi
  %0:2 = arith.mulsi_extended %a, %b : i64
  // CHECK: %[[UL:.*]] = spirv.IMul %[[SL]], %[[SH]]
  // CHECK: %[[UH:.*]] = spirvx.CL.u_mul_hi %[[SL]], %[[SH]]
  %1:2 = arith.mului_extended %0#0, %0#1 : i64
  // CHECK: %[[SUM:.*]] = spirv.IAdd %[[UL]], %[[UH]]
  // CHECK: %[[OVER:.*]] = spirv.ULessThan %[[SUM]], %[[UL]]
  %2, %3 = arith.addui_extended %1#0, %1#1 : i64, i1
  // CHECK: spirv.Select %[[OVER]], %[[SUM]]
  %4 = arith.select %3, %2, %a : i64
  mettle.store %4, %out : i64, !mettle.ptr<i64, global>
  mettle.return
}
