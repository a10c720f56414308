// The layout of a binary, with everything that has a section of its own.
// RUN: mettle-translate --mettle-to-spirv %s | spirv-dis --raw-id --no-color - | FileCheck %s
// RUN: mettle-translate --mettle-to-spirv --spirv-version=1.0 %s | spirv-dis --raw-id --no-color - | FileCheck %s --check-prefix=OLD

// CHECK: ; Version: 1.4
// OLD: ; Version: 1.0
// CHECK: OpCapability Addresses
// CHECK-NEXT: OpCapability Kernel
// CHECK-NEXT: OpCapability Int64
// CHECK-NEXT: %[[CL:.*]] = OpExtInstImport "OpenCL.std"
// CHECK-NEXT: OpMemoryModel Physical64 OpenCL
// CHECK-NEXT: OpEntryPoint Kernel %[[F:.*]] "root" %[[TILE:.*]] %[[ID:.*]]{{$}}
// OLD: OpEntryPoint Kernel %{{[0-9]+}} "root" %{{[0-9]+}}{{$}}
// CHECK-NEXT: OpExecutionMode %[[F]] ContractionOff
// CHECK-DAG: OpDecorate %[[ID]] BuiltIn LocalInvocationId
// CHECK-DAG: OpDecorate %[[TILE]] Alignment 32
// CHECK: %[[F]] = OpFunction
// CHECK: OpControlBarrier %[[TWO:.*]] %[[TWO]] %{{.*}}
// CHECK: OpExtInst %{{.*}} %[[CL]] sqrt
mettle.kernel @root(%p: !mettle.ptr<f32, global>) {
  %tile = mettle.alloc[4] : !mettle.ptr<f32, workgroup>
  %t = mettle.thread_id x
  %i = arith.extui %t : i32 to i64
  %a = mettle.offset %tile[%i] : !mettle.ptr<f32, workgroup>
  mettle.barrier workgroup, acq_rel
  %v = mettle.load %a : !mettle.ptr<f32, workgroup> -> f32
  %r = math.sqrt %v : f32
  mettle.store %r, %p : f32, !mettle.ptr<f32, global>
  mettle.return
}
