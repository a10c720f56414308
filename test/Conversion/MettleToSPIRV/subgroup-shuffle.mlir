// Shuffles, and a fixed size, which begin with 1.3 and 1.1.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s --only=1.4
// RUN: not mettle-translate --mettle-to-spirv --spirv-version=1.0 %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=OLD

// OLD: : error: 'spirv.GroupNonUniformShuffleXor' op needs SPIR-V v1.3 with the capability GroupNonUniformShuffle, the module is v1.0
// CHECK-LABEL: spirv.func @shuffles
mettle.kernel @shuffles(%w: i32, %h: f16) attributes {subgroup_size = 16 : i32} {
  %lane = mettle.subgroup_local_id
  // CHECK: %[[BITS:.*]] = spirv.Bitcast %{{.*}} : f16 to i16
  // CHECK: %[[MOVED:.*]] = spirv.GroupNonUniformShuffleXor <Subgroup> %[[BITS]], %{{.*}} : i16, i32
  // CHECK: spirv.Bitcast %[[MOVED]] : i16 to f16
  %1 = mettle.subgroup_shuffle xor %h, %lane present : f16
  // CHECK: spirv.GroupNonUniformShuffle <Subgroup> %{{.*}}, %{{.*}} : i32, i32
  %2 = mettle.subgroup_shuffle idx %w, %lane present : i32
  // CHECK: spirv.GroupNonUniformShuffleUp <Subgroup> %{{.*}}, %{{.*}} : i32, i32
  %3 = mettle.subgroup_shuffle up %w, %lane present : i32
  // CHECK: spirv.GroupNonUniformShuffleDown <Subgroup> %{{.*}}, %{{.*}} : i32, i32
  %4 = mettle.subgroup_shuffle down %w, %lane present : i32
  // CHECK: spirv.ExecutionMode @shuffles "SubgroupSize", 16
  mettle.return
}
