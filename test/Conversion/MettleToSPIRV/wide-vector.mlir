// Vectors of 8 and 16, which upstream's parser refuses inside a pointer.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s --no-upstream

// CHECK-LABEL: spirv.func @vector
mettle.kernel @vector(%p: !mettle.ptr<i16, global>) {
  %0 = mettle.load %p : !mettle.ptr<i16, global> -> vector<8xi16>
  // CHECK: spirv.IMul %{{.*}} : vector<8xi16>
  %1 = arith.muli %0, %0 : vector<8xi16>
  // CHECK: spirv.CL.u_max %{{.*}} : vector<8xi16>
  %2 = arith.maxui %0, %1 : vector<8xi16>
  mettle.store %2, %p : vector<8xi16>, !mettle.ptr<i16, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @bytes
mettle.kernel @bytes(%p: !mettle.ptr<i8, global>) {
  // CHECK: spirv.Load "CrossWorkgroup" %{{.*}} ["Aligned", 16] : vector<16xi8>
  %0 = mettle.load %p : !mettle.ptr<i8, global> -> vector<16xi8>
  // CHECK: spirv.Store "CrossWorkgroup" %{{.*}} ["Aligned", 4] : vector<16xi8>
  mettle.store %0, %p align 4 : vector<16xi8>, !mettle.ptr<i8, global>
  mettle.return
}
