// What stays a fold in 1.0, for want of a shuffle.
// RUN: mettle-opt --convert-mettle-to-spirv=version=1.0 %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s --only=1.0

// CHECK-LABEL: spirv.func @folds
mettle.kernel @folds(%w: i32, %f: f32) {
  // CHECK: spirv.GroupIAdd <Subgroup> <Reduce> %{{.*}} : i32
  %0 = mettle.subgroup_reduce add %w : i32
  // CHECK: spirv.GroupSMin <Subgroup> <Reduce> %{{.*}} : i32
  %1 = mettle.subgroup_reduce smin %w : i32
  // CHECK: spirv.GroupSMax <Subgroup> <Reduce> %{{.*}} : i32
  %2 = mettle.subgroup_reduce smax %w : i32
  // CHECK: spirv.GroupUMin <Subgroup> <Reduce> %{{.*}} : i32
  %3 = mettle.subgroup_reduce umin %w : i32
  // CHECK: spirv.GroupUMax <Subgroup> <Reduce> %{{.*}} : i32
  %4 = mettle.subgroup_reduce umax %w : i32
  // CHECK: spirv.GroupFAdd <Subgroup> <Reduce> %{{.*}} : f32
  %5 = mettle.subgroup_reduce add unordered %f : f32
  // CHECK: spirv.GroupIAdd <Subgroup> <InclusiveScan> %{{.*}} : i32
  %6 = mettle.subgroup_scan inclusive %w : i32
  // CHECK: spirv.GroupFAdd <Subgroup> <ExclusiveScan> %{{.*}} : f32
  %7 = mettle.subgroup_scan exclusive unordered %f : f32
  mettle.return
}
