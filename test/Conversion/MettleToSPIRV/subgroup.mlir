// Collectives in 1.4 and in 1.0, which has no shuffle.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: mettle-opt --convert-mettle-to-spirv=version=1.0 %s | FileCheck %s --check-prefix=OLD
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s --no-upstream

// CHECK: spirv.GlobalVariable @builtin.SubgroupMaxSize built_in("SubgroupMaxSize") : !spirv.ptr<i32, Input>
// CHECK: spirv.GlobalVariable @builtin.SubgroupLocalInvocationId built_in("SubgroupLocalInvocationId") : !spirv.ptr<i32, Input>
// CHECK-LABEL: spirv.func @collectives
// OLD-LABEL: spirv.func @collectives
mettle.kernel @collectives(%w: i32, %d: f64) {
  %lane = mettle.subgroup_local_id
  %size = mettle.subgroup_size
  // CHECK: spirv.GroupNonUniformShuffle <Subgroup> %{{.*}}, %{{.*}} : f64, i32
  // OLD: spirv.GroupBroadcast <Subgroup> %{{.*}}, %{{.*}} : f64, i32
  %0 = mettle.subgroup_broadcast %d, %size : f64
  %p = arith.cmpi eq, %w, %lane : i32
  // CHECK: %[[WORDS:.*]] = spirv.GroupNonUniformBallot <Subgroup> %{{.*}} : vector<4xi32>
  // OLD: %[[WORDS:.*]] = spirv.KHR.SubgroupBallot %{{.*}} : vector<4xi32>
  // CHECK: %[[IS:.*]] = spirv.ULessThan %{{.*}}, %{{.*}} : i32
  // CHECK: %[[SAFE:.*]] = spirv.Select %[[IS]]
  // CHECK: %[[BITS:.*]] = spirv.VectorExtractDynamic %[[WORDS]][%[[SAFE]]]
  // CHECK: spirv.Select %[[IS]], %[[BITS]]
  %4 = mettle.subgroup_ballot %p, %w
  %one = arith.constant 1 : i32
  // CHECK: spirv.CompositeExtract %{{.*}}[1 : i32]
  %5 = mettle.subgroup_ballot %p, %one
  // CHECK: spirv.GroupNonUniformAny <Subgroup> %{{.*}} : i1
  // OLD: spirvx.GroupAny <Subgroup> %{{.*}} : i1
  %6 = mettle.subgroup_any %p
  // CHECK: spirv.GroupNonUniformAll <Subgroup> %{{.*}} : i1
  // OLD: spirvx.GroupAll <Subgroup> %{{.*}} : i1
  %7 = mettle.subgroup_all %p
  mettle.return
}
