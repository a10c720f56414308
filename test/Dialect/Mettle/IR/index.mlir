// Round trip of ids and extents, and what their value ranges let upstream decide.
// RUN: mettle-opt %s | mettle-opt | FileCheck %s
// RUN: mettle-opt %s --int-range-optimizations | FileCheck %s --check-prefix=RANGE

// CHECK-LABEL: mettle.kernel @ids
mettle.kernel @ids(%out: !mettle.ptr<i32, global>) {
  // CHECK-NEXT: mettle.thread_id x
  %0 = mettle.thread_id x
  // CHECK-NEXT: mettle.thread_id y
  %1 = mettle.thread_id y
  // CHECK-NEXT: mettle.thread_id z
  %2 = mettle.thread_id z
  // CHECK-NEXT: mettle.block_id x
  %3 = mettle.block_id x
  // CHECK-NEXT: mettle.block_dim y
  %4 = mettle.block_dim y
  // CHECK-NEXT: mettle.grid_dim z
  %5 = mettle.grid_dim z
  mettle.return
}

// RANGE-LABEL: mettle.kernel @ranges
mettle.kernel @ranges(%out: !mettle.ptr<i8, global>) {
  %zero = arith.constant 0 : i32
  %thread = mettle.thread_id x
  %block = mettle.block_id y
  %extent = mettle.block_dim z
  %grid = mettle.grid_dim x
  %limit = arith.constant 1024 : i32
  %a = arith.cmpi slt, %thread, %limit : i32
  %b = arith.cmpi sge, %block, %zero : i32
  %c = arith.cmpi sle, %extent, %limit : i32
  %d = arith.cmpi sgt, %grid, %zero : i32
  %ab = arith.andi %a, %b : i1
  %cd = arith.andi %c, %d : i1
  %all = arith.andi %ab, %cd : i1
  %byte = arith.extui %all : i1 to i8
  // RANGE: %[[ONE:.*]] = arith.constant 1 : i8
  // RANGE: mettle.store %[[ONE]]
  mettle.store %byte, %out : i8, !mettle.ptr<i8, global>
  mettle.return
}
