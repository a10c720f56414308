// Round trip and constraints of mettle.kernel and mettle.return.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | mettle-opt --split-input-file | FileCheck %s

// CHECK-LABEL: mettle.kernel @every_argument(
// CHECK-SAME: %{{.*}}: i8, %{{.*}}: i16, %{{.*}}: i32, %{{.*}}: i64, %{{.*}}: f16, %{{.*}}: bf16, %{{.*}}: f32, %{{.*}}: f64, %{{.*}}: !mettle.ptr<i8, global>)
mettle.kernel @every_argument(%a: i8, %b: i16, %c: i32, %d: i64, %e: f16, %f: bf16, %g: f32, %h: f64,
                              %p: !mettle.ptr<i8, global>) {
  // CHECK-NEXT: mettle.return
  mettle.return
}

// CHECK: mettle.kernel @attributes() attributes {note = "kept"} {
mettle.kernel @attributes() attributes {note = "kept"} {
  mettle.return
}

// -----

// kernel-c1: a pointer into another space
// expected-error @below {{expected argument #1 to be i8, i16, i32, i64, f16, bf16, f32, f64 or a pointer into global memory, got '!mettle.ptr<f32, workgroup>'}}
mettle.kernel @workgroup_argument(%n: i32, %p: !mettle.ptr<f32, workgroup>) {
  mettle.return
}

// -----

// kernel-c1: a type without a size in memory
// expected-error @below {{expected argument #0 to be i8, i16, i32, i64, f16, bf16, f32, f64 or a pointer into global memory, got 'i1'}}
mettle.kernel @bit_argument(%p: i1) {
  mettle.return
}

// -----

// kernel-c2: a result
// expected-error @below {{expected no results, got 1}}
"mettle.kernel"() <{sym_name = "result", function_type = () -> i32}> ({
  mettle.return
}) : () -> ()

// -----

// kernel-c3: a declaration
// expected-error @below {{expected a body, got a declaration}}
mettle.kernel @declaration(%n: i32)

// -----

func.func @helper() {
  // expected-error @below {{expects parent op 'mettle.kernel'}}
  mettle.return
}

// -----

// CHECK-LABEL: mettle.kernel @block
// CHECK-SAME: attributes {block_size = array<i32: 16, 8, 2>}
mettle.kernel @block() attributes {block_size = array<i32: 16, 8, 2>} {
  mettle.return
}

// -----

// kernel-c5
// expected-error @below {{expected a block size of three extents from 1 on, together at most 1024, got [32, 32]}}
mettle.kernel @two_extents() attributes {block_size = array<i32: 32, 32>} {
  mettle.return
}

// -----

// kernel-c5
// expected-error @below {{expected a block size of three extents from 1 on, together at most 1024, got [32, 32, 2]}}
mettle.kernel @too_large() attributes {block_size = array<i32: 32, 32, 2>} {
  mettle.return
}

// -----

// kernel-c5
// expected-error @below {{expected a block size of three extents from 1 on, together at most 1024, got [32, 0, 1]}}
mettle.kernel @empty() attributes {block_size = array<i32: 32, 0, 1>} {
  mettle.return
}
