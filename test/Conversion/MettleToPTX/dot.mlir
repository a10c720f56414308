// mettle.dot4 is dp4a.
// RUN: mettle-opt --convert-mettle-to-ptx %s | FileCheck %s

// CHECK-LABEL: ptx.entry @dots
mettle.kernel @dots(%p: !mettle.ptr<i32, global>, %a: i32, %b: i32) {
  // CHECK: %[[S:.*]] = ptx.inst dp4a.s32.s32 %{{.*}}, %{{.*}}, %{{.*}}
  %s = mettle.dot4 %a, %b, %a : i32
  // CHECK: ptx.inst dp4a.u32.u32 %{{.*}}, %{{.*}}, %[[S]]
  %u = mettle.dot4 unsigned %a, %b, %s : i32
  mettle.store %u, %p : i32, !mettle.ptr<i32, global>
  mettle.return
}
