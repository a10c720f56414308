// Each order and memory of a barrier, bit by bit.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-LABEL: spirv.func @barriers
mettle.kernel @barriers() {
  // CHECK-NEXT: spirv.ControlBarrier <Workgroup>, <Workgroup>, <SequentiallyConsistent|WorkgroupMemory>
  mettle.barrier workgroup, seq_cst
  // CHECK-NEXT: spirv.ControlBarrier <Workgroup>, <Workgroup>, <Acquire|CrossWorkgroupMemory>
  mettle.barrier global, acquire
  // CHECK-NEXT: spirv.ControlBarrier <Workgroup>, <Workgroup>, <Release|WorkgroupMemory>
  mettle.barrier workgroup, release
  // CHECK-NEXT: spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory|CrossWorkgroupMemory>
  mettle.barrier workgroup | global, acq_rel
  mettle.return
}
