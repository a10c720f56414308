// A kernel that fixes another subgroup size than the target's.
// RUN: mettle-opt %s --mettle-expand-subgroup=size=4 --verify-diagnostics

// expand_subgroup-c1
// expected-error @below {{expected a subgroup size of 4, which the target has, got 16}}
mettle.kernel @another_size() attributes {subgroup_size = 16 : i32} {
  mettle.return
}
