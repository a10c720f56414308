// Round trip of mettle.pack and mettle.unpack.
// RUN: mettle-opt %s | mettle-opt | FileCheck %s

// CHECK-LABEL: func.func @halves
// CHECK-SAME: %[[V:.*]]: vector<4xf32>
func.func @halves(%v: vector<4xf32>) -> (vector<2xf32>, vector<2xf32>) {
  // CHECK: %[[E:.*]]:4 = mettle.unpack %[[V]] : vector<4xf32>
  %e:4 = mettle.unpack %v : vector<4xf32>
  // CHECK: mettle.pack %[[E]]#0, %[[E]]#1 : vector<2xf32>
  %low = mettle.pack %e#0, %e#1 : vector<2xf32>
  // CHECK: mettle.pack %[[E]]#2, %[[E]]#3 {tag} : vector<2xf32>
  %high = mettle.pack %e#2, %e#3 {tag} : vector<2xf32>
  return %low, %high : vector<2xf32>, vector<2xf32>
}
