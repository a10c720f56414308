// What no target defines is an error, where the frontend would have guarded it.
//
// RUN: not mettle run %s --kernel=divide --arg=i32[1]=iota --arg=0 2>&1 | FileCheck %s --check-prefix=DIVIDE -DFILE=%s
// RUN: not mettle run %s --kernel=shift --arg=i32[1]=iota --arg=32 2>&1 | FileCheck %s --check-prefix=SHIFT -DFILE=%s
// RUN: not mettle run %s --kernel=convert --arg=i32[1]=iota --arg=3e9 2>&1 | FileCheck %s --check-prefix=CONVERT -DFILE=%s
// RUN: not mettle run %s --kernel=space --arg=i32[1]=iota 2>&1 | FileCheck %s --check-prefix=SPACE -DFILE=%s
// RUN: not mettle run %s --kernel=misaligned --arg=i32[4]=iota 2>&1 | FileCheck %s --check-prefix=MISALIGNED -DFILE=%s

mettle.kernel @divide(%x: !mettle.ptr<i32, global>, %n: i32) {
  %one = arith.constant 1 : i32
  // DIVIDE: [[FILE]]:[[#@LINE+1]]:8: error: work-item (0, 0, 0) of workgroup (0, 0, 0) divides by zero
  %q = arith.divsi %one, %n : i32
  mettle.store %q, %x : i32, !mettle.ptr<i32, global>
  mettle.return
}

mettle.kernel @shift(%x: !mettle.ptr<i32, global>, %n: i32) {
  %one = arith.constant 1 : i32
  // SHIFT: [[FILE]]:[[#@LINE+1]]:8: error: work-item (0, 0, 0) of workgroup (0, 0, 0) shifts an i32 by 32
  %q = arith.shli %one, %n : i32
  mettle.store %q, %x : i32, !mettle.ptr<i32, global>
  mettle.return
}

mettle.kernel @convert(%x: !mettle.ptr<i32, global>, %v: f32) {
  // CONVERT: [[FILE]]:[[#@LINE+1]]:8: error: work-item (0, 0, 0) of workgroup (0, 0, 0) converts 3{{.*}} to a signed i32, which cannot hold it
  %q = arith.fptosi %v : f32 to i32
  mettle.store %q, %x : i32, !mettle.ptr<i32, global>
  mettle.return
}

mettle.kernel @space(%x: !mettle.ptr<i32, global>) {
  %g = mettle.space_cast %x : !mettle.ptr<i32, global> to !mettle.ptr<i32, generic>
  // SPACE: [[FILE]]:[[#@LINE+1]]:8: error: work-item (0, 0, 0) of workgroup (0, 0, 0) casts a pointer to workgroup memory that points into '{{.*}}' in global memory
  %w = mettle.space_cast %g : !mettle.ptr<i32, generic> to !mettle.ptr<i32, workgroup>
  mettle.return
}

mettle.kernel @misaligned(%x: !mettle.ptr<i32, global>) {
  %one = arith.constant 1 : i64
  %p = mettle.offset %x[%one] : !mettle.ptr<i32, global>
  // MISALIGNED: [[FILE]]:[[#@LINE+1]]:8: error: work-item (0, 0, 0) of workgroup (0, 0, 0) reads 8 bytes at byte 4 of '{{.*}}', which is not a multiple of 8
  %v = mettle.load %p : !mettle.ptr<i32, global> -> vector<2xi32>
  mettle.return
}
