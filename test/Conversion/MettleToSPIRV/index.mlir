// Ids and extents: built-ins of 64 bits, cut to 32.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK-DAG: spirv.GlobalVariable @builtin.LocalInvocationId built_in("LocalInvocationId") : !spirv.ptr<vector<3xi64>, Input>
// CHECK-DAG: spirv.GlobalVariable @builtin.WorkgroupId built_in("WorkgroupId")
// CHECK-DAG: spirv.GlobalVariable @builtin.WorkgroupSize built_in("WorkgroupSize")
// CHECK-DAG: spirv.GlobalVariable @builtin.NumWorkgroups built_in("NumWorkgroups")

// CHECK-LABEL: spirv.func @ids
mettle.kernel @ids(%p: !mettle.ptr<i32, global>) {
  // CHECK: %[[A:.*]] = spirv.mlir.addressof @builtin.LocalInvocationId
  // CHECK: %[[V:.*]] = spirv.Load "Input" %[[A]] : vector<3xi64>
  // CHECK: %[[Y:.*]] = spirv.CompositeExtract %[[V]][1 : i32]
  // CHECK: spirv.UConvert %[[Y]] : i64 to i32
  %0 = mettle.thread_id y
  // CHECK: spirv.mlir.addressof @builtin.WorkgroupId
  // CHECK: spirv.CompositeExtract %{{.*}}[2 : i32]
  %1 = mettle.block_id z
  // CHECK: spirv.mlir.addressof @builtin.WorkgroupSize
  // CHECK: spirv.CompositeExtract %{{.*}}[0 : i32]
  %2 = mettle.block_dim x
  // CHECK: spirv.mlir.addressof @builtin.NumWorkgroups
  %3 = mettle.grid_dim x
  %4 = func.call @sum(%0, %1) : (i32, i32) -> i32
  %5 = func.call @sum(%2, %3) : (i32, i32) -> i32
  %6 = func.call @sum(%4, %5) : (i32, i32) -> i32
  mettle.store %6, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}

// CHECK: spirv.EntryPoint "Kernel" @ids, @builtin.LocalInvocationId, @builtin.WorkgroupId, @builtin.WorkgroupSize, @builtin.NumWorkgroups

func.func @sum(%a: i32, %b: i32) -> i32 {
  %0 = mettle.thread_id x
  %1 = arith.addi %a, %b : i32
  %2 = arith.addi %1, %0 : i32
  return %2 : i32
}

// CHECK-LABEL: spirv.func @indirect
mettle.kernel @indirect(%p: !mettle.ptr<i32, global>, %n: i32) {
  %0 = func.call @sum(%n, %n) : (i32, i32) -> i32
  mettle.store %0, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}
// The interface holds what callees reach, too.
// CHECK: spirv.EntryPoint "Kernel" @indirect, @builtin.LocalInvocationId{{$}}
