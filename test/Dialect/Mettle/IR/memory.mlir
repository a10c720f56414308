// Round trip of storage, addresses and accesses.
// RUN: mettle-opt %s | mettle-opt | FileCheck %s

// CHECK-LABEL: mettle.kernel @storage
mettle.kernel @storage() {
  // CHECK: mettle.alloc[256] : !mettle.ptr<f32, workgroup>
  %0 = mettle.alloc[256] : !mettle.ptr<f32, workgroup>
  // CHECK: mettle.alloc[1] : !mettle.ptr<i8, private>
  %1 = mettle.alloc[1] : !mettle.ptr<i8, private>
  // CHECK: mettle.dynamic_workgroup : !mettle.ptr<i64, workgroup>
  %2 = mettle.dynamic_workgroup : !mettle.ptr<i64, workgroup>
  mettle.return
}

// CHECK-LABEL: mettle.kernel @accesses
mettle.kernel @accesses(%p: !mettle.ptr<f32, global>, %i: i64) {
  // CHECK: %[[Q:.*]] = mettle.offset %{{.*}}[%{{.*}}] : !mettle.ptr<f32, global>
  %q = mettle.offset %p[%i] : !mettle.ptr<f32, global>
  // CHECK: mettle.load %[[Q]] : !mettle.ptr<f32, global> -> f32
  %a = mettle.load %q : !mettle.ptr<f32, global> -> f32
  // CHECK: mettle.load %[[Q]] align 8 : !mettle.ptr<f32, global> -> vector<4xf32>
  %b = mettle.load %q align 8 : !mettle.ptr<f32, global> -> vector<4xf32>
  // CHECK: mettle.load volatile %[[Q]] : !mettle.ptr<f32, global> -> vector<2xf32>
  %c = mettle.load volatile %q : !mettle.ptr<f32, global> -> vector<2xf32>
  // CHECK: mettle.store %{{.*}}, %[[Q]] : f32, !mettle.ptr<f32, global>
  mettle.store %a, %q : f32, !mettle.ptr<f32, global>
  // CHECK: mettle.store volatile %{{.*}}, %[[Q]] align 4 : vector<4xf32>, !mettle.ptr<f32, global>
  mettle.store volatile %b, %q align 4 : vector<4xf32>, !mettle.ptr<f32, global>
  // CHECK: mettle.ptr_cast %[[Q]] : !mettle.ptr<f32, global> to !mettle.ptr<i8, global>
  %d = mettle.ptr_cast %q : !mettle.ptr<f32, global> to !mettle.ptr<i8, global>
  // CHECK: mettle.space_cast %[[Q]] : !mettle.ptr<f32, global> to !mettle.ptr<f32, generic>
  %e = mettle.space_cast %q : !mettle.ptr<f32, global> to !mettle.ptr<f32, generic>
  // CHECK: mettle.space_cast %{{.*}} : !mettle.ptr<f32, generic> to !mettle.ptr<f32, workgroup>
  %f = mettle.space_cast %e : !mettle.ptr<f32, generic> to !mettle.ptr<f32, workgroup>
  mettle.return
}
