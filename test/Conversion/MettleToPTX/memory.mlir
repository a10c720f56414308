// Addresses and accesses: constant offsets go into the access, vectors into as few as their
// alignment allows.
// RUN: mettle-opt %s --split-input-file --convert-mettle-to-ptx | FileCheck %s

// CHECK-LABEL: ptx.func @constant_offset
// CHECK-SAME: (%[[P:.*]]: !ptx.b64)
// CHECK-NEXT: ptx.inst ld.global.b32 %[[P]], -20
func.func @constant_offset(%p: !mettle.ptr<f32, global>) -> f32 {
  %c = arith.constant -5 : i64
  %q = mettle.offset %p[%c] : !mettle.ptr<f32, global>
  %v = mettle.load %q : !mettle.ptr<f32, global> -> f32
  return %v : f32
}

// -----

// Element 600,000,000 is 2,400,000,000 bytes away, more than an access can add.
// CHECK-LABEL: ptx.func @far_offset
// CHECK-SAME: (%[[P:.*]]: !ptx.b64)
// CHECK: %[[BYTES:.*]] = ptx.inst mov.s64 2400000000
// CHECK-NEXT: %[[Q:.*]] = ptx.inst add.s64 %[[P]], %[[BYTES]]
// CHECK-NEXT: ptx.inst ld.global.b32 %[[Q]], 0
func.func @far_offset(%p: !mettle.ptr<f32, global>) -> f32 {
  %c = arith.constant 600000000 : i64
  %q = mettle.offset %p[%c] : !mettle.ptr<f32, global>
  %v = mettle.load %q : !mettle.ptr<f32, global> -> f32
  return %v : f32
}

// -----

// An index widened from 32 bits is scaled by one multiplication, whose product has 64.
// CHECK-LABEL: ptx.func @widened_index
// CHECK-SAME: (%[[P:.*]]: !ptx.b64, %[[I:.*]]: !ptx.b32)
// CHECK-NEXT: %[[FOUR:.*]] = ptx.inst mov.s32 4
// CHECK-NEXT: %[[Q:.*]] = ptx.inst mad.wide.s32 %[[I]], %[[FOUR]], %[[P]]
// CHECK-NEXT: ptx.inst ld.global.b32 %[[Q]], 0
func.func @widened_index(%p: !mettle.ptr<f32, global>, %i: i32) -> f32 {
  %c = arith.extsi %i : i32 to i64
  %q = mettle.offset %p[%c] : !mettle.ptr<f32, global>
  %v = mettle.load %q : !mettle.ptr<f32, global> -> f32
  return %v : f32
}

// -----

// CHECK-LABEL: ptx.func @spaces
// CHECK: ld.shared.b32
// CHECK: ld.local.b32
// CHECK: ld.b32
// CHECK: ld.volatile.shared.b32
func.func @spaces(%w: !mettle.ptr<i32, workgroup>, %p: !mettle.ptr<i32, private>,
                  %g: !mettle.ptr<i32, generic>) -> (i32, i32, i32) {
  %0 = mettle.load %w : !mettle.ptr<i32, workgroup> -> i32
  %1 = mettle.load %p : !mettle.ptr<i32, private> -> i32
  %2 = mettle.load %g : !mettle.ptr<i32, generic> -> i32
  %3 = mettle.load volatile %w : !mettle.ptr<i32, workgroup> -> i32
  return %0, %1, %2 : i32, i32, i32
}

// -----

// CHECK-LABEL: ptx.func @vector_alignment
// CHECK: ld.global.v4.b32 %{{.*}}, 0
// CHECK: ld.global.v2.b32 %{{.*}}, 0
// CHECK: ld.global.v2.b32 %{{.*}}, 8
// CHECK: ld.global.b32 %{{.*}}, 0
// CHECK: ld.global.b32 %{{.*}}, 4
// CHECK: ld.global.b32 %{{.*}}, 8
// CHECK: ld.global.b32 %{{.*}}, 12
func.func @vector_alignment(%p: !mettle.ptr<f32, global>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %0 = mettle.load %p : !mettle.ptr<f32, global> -> vector<4xf32>
  %1 = mettle.load %p align 8 : !mettle.ptr<f32, global> -> vector<4xf32>
  %2 = mettle.load %p align 4 : !mettle.ptr<f32, global> -> vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// -----

// Small elements travel in words and are taken apart, and put together, in registers.
// CHECK-LABEL: ptx.func @small_elements
// CHECK-SAME: (%[[P:.*]]: !ptx.b64, %[[Q:.*]]: !ptx.b64)
// CHECK: %[[WORD:.*]] = ptx.inst ld.global.b32 %[[P]], 0
// CHECK-COUNT-3: ptx.inst shr.u32 %[[WORD]]
// CHECK: %[[HALVES:.*]]:2 = ptx.inst ld.global.v2.b32 %[[Q]], 0
// CHECK: mov.unpack.v2.b32 %[[HALVES]]#0
// CHECK: mov.unpack.v2.b32 %[[HALVES]]#1
// CHECK-COUNT-3: ptx.inst prmt.b32
// CHECK: ptx.inst st.global.b32 %[[P]], 4
// CHECK-COUNT-2: mov.pack.v2.b32
// CHECK: ptx.inst st.global.v2.b32 %[[Q]], 8
func.func @small_elements(%p: !mettle.ptr<i8, global>, %q: !mettle.ptr<f16, global>) {
  %c = arith.constant 4 : i64
  %0 = mettle.load %p : !mettle.ptr<i8, global> -> vector<4xi8>
  %1 = mettle.load %q : !mettle.ptr<f16, global> -> vector<4xf16>
  %p4 = mettle.offset %p[%c] : !mettle.ptr<i8, global>
  %q4 = mettle.offset %q[%c] : !mettle.ptr<f16, global>
  mettle.store %0, %p4 : vector<4xi8>, !mettle.ptr<i8, global>
  mettle.store %1, %q4 : vector<4xf16>, !mettle.ptr<f16, global>
  return
}

// -----

// CHECK-LABEL: ptx.entry @storage
// CHECK: ptx.shared 1024 align 32
// CHECK: ptx.local 12 align 32
// CHECK: ptx.dynamic_shared align 32
// CHECK: cvta.shared.u64
// CHECK: st.b32
mettle.kernel @storage(%v: f32) {
  %0 = mettle.alloc[256] : !mettle.ptr<f32, workgroup>
  %1 = mettle.alloc[3] : !mettle.ptr<f32, private>
  %2 = mettle.dynamic_workgroup : !mettle.ptr<f32, workgroup>
  %3 = mettle.space_cast %0 : !mettle.ptr<f32, workgroup> to !mettle.ptr<f32, generic>
  mettle.store %v, %1 : f32, !mettle.ptr<f32, private>
  mettle.store %v, %2 : f32, !mettle.ptr<f32, workgroup>
  mettle.store %v, %3 : f32, !mettle.ptr<f32, generic>
  mettle.return
}
