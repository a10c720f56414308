// Storage, addresses, accesses and casts.
// RUN: mettle-opt --convert-mettle-to-spirv %s | FileCheck %s
// RUN: %python %S/../../Target/SPIRV/Inputs/judge.py %s

// CHECK: spirv.GlobalVariable @storage.alloc0 {spirvx.alignment = 32 : i32} : !spirv.ptr<!spirv.array<256 x f32>, Workgroup>
// CHECK: spirv.GlobalVariable @storage.alloc1 {spirvx.alignment = 32 : i32} : !spirv.ptr<!spirv.array<3 x i8>, Workgroup>
// CHECK-LABEL: spirv.func @storage
mettle.kernel @storage(%i: i64) {
  // CHECK: spirv.Variable {spirvx.alignment = 32 : i32} : !spirv.ptr<!spirv.array<5 x i16>, Function>
  // CHECK: %[[A:.*]] = spirv.mlir.addressof @storage.alloc0
  // CHECK: %[[Z:.*]] = spirv.Constant 0 : i32
  // CHECK: %[[T:.*]] = spirv.AccessChain %[[A]][%[[Z]]]
  %0 = mettle.alloc[256] : !mettle.ptr<f32, workgroup>
  %1 = mettle.alloc[3] : !mettle.ptr<i8, workgroup>
  %2 = mettle.alloc[5] : !mettle.ptr<bf16, private>
  // CHECK: spirv.PtrAccessChain %[[T]][%{{.*}}] : !spirv.ptr<f32, Workgroup>, i64
  %3 = mettle.offset %0[%i] : !mettle.ptr<f32, workgroup>
  %4 = arith.constant 1.0 : f32
  %5 = arith.constant 7 : i8
  %6 = arith.constant 2.0 : bf16
  // CHECK: spirv.Store "Workgroup" %{{.*}} ["Aligned", 4] : f32
  mettle.store %4, %3 : f32, !mettle.ptr<f32, workgroup>
  // CHECK: spirv.Store "Workgroup" %{{.*}} ["Aligned", 1] : i8
  mettle.store %5, %1 : i8, !mettle.ptr<i8, workgroup>
  // CHECK: spirv.Store "Function" %{{.*}} ["Volatile|Aligned", 2] : i16
  mettle.store %6, %2 : bf16, !mettle.ptr<bf16, private>
  mettle.return
}

// CHECK-LABEL: spirv.func @vectors
mettle.kernel @vectors(%p: !mettle.ptr<f32, global>) {
  // CHECK: %[[P:.*]] = spirv.Bitcast %{{.*}} : !spirv.ptr<f32, CrossWorkgroup> to !spirv.ptr<vector<4xf32>, CrossWorkgroup>
  // CHECK: spirv.Load "CrossWorkgroup" %[[P]] ["Aligned", 16] : vector<4xf32>
  %0 = mettle.load %p : !mettle.ptr<f32, global> -> vector<4xf32>
  // CHECK: spirv.Load "CrossWorkgroup" %{{.*}} ["Volatile|Aligned", 4] : vector<2xf32>
  %1 = mettle.load volatile %p align 4 : !mettle.ptr<f32, global> -> vector<2xf32>
  // CHECK: spirv.Store "CrossWorkgroup" %{{.*}} ["Aligned", 8] : vector<4xf32>
  mettle.store %0, %p align 8 : vector<4xf32>, !mettle.ptr<f32, global>
  // CHECK: spirv.Store "CrossWorkgroup" %{{.*}} ["Volatile|Aligned", 8] : vector<2xf32>
  mettle.store volatile %1, %p : vector<2xf32>, !mettle.ptr<f32, global>
  mettle.return
}

// CHECK-LABEL: spirv.func @casts
mettle.kernel @casts(%p: !mettle.ptr<f32, global>, %w: !mettle.ptr<bf16, global>) {
  // CHECK: spirv.Bitcast %{{.*}} : !spirv.ptr<f32, CrossWorkgroup> to !spirv.ptr<i8, CrossWorkgroup>
  %0 = mettle.ptr_cast %p : !mettle.ptr<f32, global> to !mettle.ptr<i8, global>
  // CHECK: spirv.PtrCastToGeneric
  %1 = mettle.space_cast %0 : !mettle.ptr<i8, global> to !mettle.ptr<i8, generic>
  // CHECK: spirv.Load "Generic"
  %2 = mettle.load %1 : !mettle.ptr<i8, generic> -> i8
  // CHECK: spirv.GenericCastToPtr
  %3 = mettle.space_cast %1 : !mettle.ptr<i8, generic> to !mettle.ptr<i8, global>
  mettle.store %2, %3 : i8, !mettle.ptr<i8, global>
  // bf16 is i16 already.
  // CHECK-NOT: spirv.Bitcast
  %4 = mettle.ptr_cast %w : !mettle.ptr<bf16, global> to !mettle.ptr<i16, global>
  %5 = mettle.load %4 : !mettle.ptr<i16, global> -> i16
  mettle.store %5, %4 : i16, !mettle.ptr<i16, global>
  mettle.return
}
