// Round trip and constraints of asynchronous copies.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | mettle-opt --split-input-file | FileCheck %s

// CHECK-LABEL: mettle.kernel @stage
mettle.kernel @stage(%from: !mettle.ptr<i32, global>, %wide: !mettle.ptr<f64, global>) {
  %to = mettle.alloc[128] : !mettle.ptr<i32, workgroup>
  %doubles = mettle.alloc[8192] : !mettle.ptr<f64, workgroup>
  // CHECK: mettle.async_copy[4] %{{.*}}, %{{.*}} transaction 16 cache global : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.async_copy[4] %to, %from transaction 16 cache global : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  // CHECK-NEXT: mettle.async_copy[3] %{{.*}}, %{{.*}} transaction 4 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.async_copy[3] %to, %from transaction 4 cache all : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  // CHECK-NEXT: mettle.async_copy[8192] %{{.*}} transaction 8
  mettle.async_copy[8192] %doubles, %wide transaction 8 : !mettle.ptr<f64, workgroup>, !mettle.ptr<f64, global>
  // CHECK-NEXT: mettle.async_commit
  mettle.async_commit
  // CHECK-NEXT: mettle.async_wait 7
  mettle.async_wait 7
  // CHECK-NEXT: mettle.async_wait 0
  mettle.async_wait 0
  mettle.return
}

// -----

mettle.kernel @from_workgroup() {
  %tile = mettle.alloc[8] : !mettle.ptr<i32, workgroup>
  // async_copy-c1
  // expected-error @below {{expected a copy from global to workgroup memory, got one from workgroup to workgroup}}
  mettle.async_copy[4] %tile, %tile transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, workgroup>
  mettle.return
}

// -----

mettle.kernel @to_private(%from: !mettle.ptr<i32, global>) {
  %own = mettle.alloc[8] : !mettle.ptr<i32, private>
  // async_copy-c1
  // expected-error @below {{expected a copy from global to workgroup memory, got one from global to private}}
  mettle.async_copy[4] %own, %from transaction 16 : !mettle.ptr<i32, private>, !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @other_element(%from: !mettle.ptr<f32, global>) {
  %tile = mettle.alloc[8] : !mettle.ptr<i32, workgroup>
  // async_copy-c2
  // expected-error @below {{expected pointers to the same elements, got 'i32' and 'f32'}}
  mettle.async_copy[4] %tile, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<f32, global>
  mettle.return
}

// -----

mettle.kernel @transaction_of_12(%from: !mettle.ptr<i32, global>) {
  %tile = mettle.alloc[8] : !mettle.ptr<i32, workgroup>
  // async_copy-c3
  // expected-error @below {{expected a transaction of 4, 8 or 16 bytes, got 12}}
  mettle.async_copy[6] %tile, %from transaction 12 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @uneven(%from: !mettle.ptr<i32, global>) {
  %tile = mettle.alloc[8] : !mettle.ptr<i32, workgroup>
  // async_copy-c4
  // expected-error @below {{expected a span of 1 to 65536 bytes that is a multiple of the transaction's 16, got 6 elements of 4 bytes}}
  mettle.async_copy[6] %tile, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @nothing(%from: !mettle.ptr<i32, global>) {
  %tile = mettle.alloc[8] : !mettle.ptr<i32, workgroup>
  // async_copy-c4
  // expected-error @below {{got 0 elements of 4 bytes}}
  mettle.async_copy[0] %tile, %from transaction 4 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @too_long(%from: !mettle.ptr<i32, global>) {
  %tile = mettle.alloc[20000] : !mettle.ptr<i32, workgroup>
  // async_copy-c4
  // expected-error @below {{got 16385 elements of 4 bytes}}
  mettle.async_copy[16385] %tile, %from transaction 4 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.return
}

// -----

mettle.kernel @leaves_8() {
  // async_wait-c1
  // expected-error @below {{expected to leave 0 to 7 groups, got 8}}
  mettle.async_wait 8
  mettle.return
}

// -----

mettle.kernel @leaves_less_than_none() {
  // async_wait-c1
  // expected-error @below {{expected to leave 0 to 7 groups, got -1}}
  mettle.async_wait -1
  mettle.return
}
