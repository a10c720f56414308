// One cp.async a transaction; only 16 bytes can pass by L1.
// RUN: mettle-opt %s --convert-mettle-to-ptx | FileCheck %s

// CHECK-LABEL: ptx.entry @copies
mettle.kernel @copies(%from: !mettle.ptr<f64, global>) {
  // CHECK-DAG: %[[TO:.*]] = ptx.shared
  %to = mettle.alloc[64] : !mettle.ptr<f64, workgroup>
  // CHECK: ptx.inst cp.async.ca.shared.global.b4 %[[TO]], 0, %[[FROM:.*]], 0
  // CHECK-NEXT: ptx.inst cp.async.ca.shared.global.b4 %[[TO]], 4, %[[FROM]], 4
  mettle.async_copy[1] %to, %from transaction 4 cache global : !mettle.ptr<f64, workgroup>, !mettle.ptr<f64, global>
  // CHECK-NEXT: ptx.inst cp.async.ca.shared.global.b8 %[[TO]], 0, %[[FROM]], 0
  mettle.async_copy[1] %to, %from transaction 8 cache global : !mettle.ptr<f64, workgroup>, !mettle.ptr<f64, global>
  // CHECK-NEXT: ptx.inst cp.async.ca.shared.global.b16 %[[TO]], 0, %[[FROM]], 0
  // CHECK-NEXT: ptx.inst cp.async.ca.shared.global.b16 %[[TO]], 16, %[[FROM]], 16
  mettle.async_copy[4] %to, %from transaction 16 : !mettle.ptr<f64, workgroup>, !mettle.ptr<f64, global>
  // CHECK-NEXT: ptx.inst cp.async.commit_group
  mettle.async_commit
  // CHECK-NEXT: ptx.inst cp.async.cg.shared.global %[[TO]], 0, %[[FROM]], 0
  mettle.async_copy[2] %to, %from transaction 16 cache global : !mettle.ptr<f64, workgroup>, !mettle.ptr<f64, global>
  // CHECK-NEXT: ptx.inst cp.async.commit_group
  mettle.async_commit
  // CHECK-NEXT: ptx.inst cp.async.wait_group 1
  mettle.async_wait 1
  // CHECK-NEXT: ptx.inst cp.async.wait_group 0
  mettle.async_wait 0
  mettle.return
}
