// Elements of a vector are registers of it: no instruction packs or unpacks them.
// RUN: mettle-opt --convert-mettle-to-ptx %s | FileCheck %s

// CHECK-LABEL: ptx.entry @swap
mettle.kernel @swap(%p: !mettle.ptr<f32, global>) {
  // CHECK: %[[V:.*]]:4 = ptx.inst ld.global.v4.b32
  %v = mettle.load %p : !mettle.ptr<f32, global> -> vector<4xf32>
  %e:4 = mettle.unpack %v : vector<4xf32>
  %w = mettle.pack %e#1, %e#0, %e#3, %e#2 : vector<4xf32>
  // CHECK-NEXT: ptx.inst st.global.v4.b32 %{{.*}}, %[[V]]#1, %[[V]]#0, %[[V]]#3, %[[V]]#2
  mettle.store %w, %p : vector<4xf32>, !mettle.ptr<f32, global>
  mettle.return
}
