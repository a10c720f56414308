// Long copies become loops; with replay, all become loads and stores.
// RUN: mettle-opt %s --mettle-expand-async-copies | FileCheck %s --check-prefix=NATIVE
// RUN: mettle-opt %s --mettle-expand-async-copies=replay=true | FileCheck %s --check-prefix=REPLAY

// NATIVE-LABEL: @short
// REPLAY-LABEL: @short
mettle.kernel @short(%from: !mettle.ptr<f16, global>) {
  // NATIVE: %[[TO:.*]] = mettle.alloc
  // REPLAY: %[[TO:.*]] = mettle.alloc
  %to = mettle.alloc[128] : !mettle.ptr<f16, workgroup>
  // NATIVE-NEXT: mettle.async_copy[16] %[[TO]], %arg0 transaction 16 cache global :
  // NATIVE-NEXT: mettle.async_commit
  // NATIVE-NEXT: mettle.async_wait 0
  // REPLAY: %[[FIRST:.*]] = mettle.load %arg0 : !mettle.ptr<f16, global> -> vector<8xf16>
  // REPLAY-NEXT: mettle.store %[[FIRST]], %[[TO]] : vector<8xf16>
  // REPLAY: %[[EIGHT:.*]] = arith.constant 8 : i64
  // REPLAY-NEXT: %[[SOURCE:.*]] = mettle.offset %arg0[%[[EIGHT]]]
  // REPLAY-NEXT: %[[SECOND:.*]] = mettle.load %[[SOURCE]]
  // REPLAY-NEXT: %[[TARGET:.*]] = mettle.offset %[[TO]][%[[EIGHT]]]
  // REPLAY-NEXT: mettle.store %[[SECOND]], %[[TARGET]]
  // REPLAY-NEXT: mettle.return
  mettle.async_copy[16] %to, %from transaction 16 cache global : !mettle.ptr<f16, workgroup>, !mettle.ptr<f16, global>
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}

// A piece is an element where that is larger than a transaction.
// NATIVE-LABEL: @long
// REPLAY-LABEL: @long
mettle.kernel @long(%from: !mettle.ptr<f64, global>) {
  %to = mettle.alloc[8192] : !mettle.ptr<f64, workgroup>
  // NATIVE-DAG: %[[BEGIN:.*]] = arith.constant 0 : i32
  // NATIVE-DAG: %[[END:.*]] = arith.constant 8192 : i32
  // NATIVE-DAG: %[[STEP:.*]] = arith.constant 1 : i32
  // NATIVE: scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step %[[STEP]]
  // NATIVE-NEXT: %[[WIDE:.*]] = arith.extsi %[[I]] : i32 to i64
  // NATIVE-NEXT: %[[TARGET:.*]] = mettle.offset %{{.*}}[%[[WIDE]]] : !mettle.ptr<f64, workgroup>
  // NATIVE-NEXT: %[[SOURCE:.*]] = mettle.offset %arg0[%[[WIDE]]]
  // NATIVE-NEXT: mettle.async_copy[1] %[[TARGET]], %[[SOURCE]] transaction 4 :
  // NATIVE: mettle.async_commit
  // REPLAY: scf.for
  // REPLAY: %[[V:.*]] = mettle.load %{{.*}} : !mettle.ptr<f64, global> -> f64
  // REPLAY: mettle.store %[[V]], %{{.*}} : f64, !mettle.ptr<f64, workgroup>
  // REPLAY-NOT: async
  mettle.async_copy[8192] %to, %from transaction 4 : !mettle.ptr<f64, workgroup>, !mettle.ptr<f64, global>
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}

// NATIVE-LABEL: @sixteen
// REPLAY-LABEL: @sixteen
mettle.kernel @sixteen(%from: !mettle.ptr<i32, global>) {
  %to = mettle.alloc[64] : !mettle.ptr<i32, workgroup>
  // NATIVE-NOT: scf.for
  // NATIVE: mettle.async_copy[64]
  // REPLAY-DAG: %[[END:.*]] = arith.constant 64 : i32
  // REPLAY-DAG: %[[STEP:.*]] = arith.constant 4 : i32
  // REPLAY: scf.for %{{.*}} to %[[END]] step %[[STEP]]
  // REPLAY: mettle.load %{{.*}} -> vector<4xi32>
  mettle.async_copy[64] %to, %from transaction 16 : !mettle.ptr<i32, workgroup>, !mettle.ptr<i32, global>
  mettle.async_commit
  mettle.async_wait 0
  mettle.return
}
