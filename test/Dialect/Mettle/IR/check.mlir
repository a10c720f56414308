// Round trip and constraints of mettle.assert and mettle.print.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | mettle-opt --split-input-file | FileCheck %s
// RUN: mettle-opt %s --split-input-file --verify-diagnostics --canonicalize --cse | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: mettle.kernel @checks
// KEPT-LABEL: mettle.kernel @checks
mettle.kernel @checks(%n: i32, %x: f64, %h: f16) {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi ne, %n, %zero : i32
  // CHECK: mettle.assert %{{.*}}, "n is not \220\22"
  // KEPT: mettle.assert
  mettle.assert %c, "n is not \"0\""
  // CHECK: mettle.assert %{{.*}}, ""
  // KEPT: mettle.assert
  mettle.assert %c, ""
  // CHECK: mettle.print "hello {{[{][{]}} {{[}][}]}}"
  // KEPT: mettle.print
  mettle.print "hello {{ }}"
  // CHECK: mettle.print "{} {{[{][{]}}{}{{[}][}]}} {} {} {}" ["i32", "u32", "bool", "f64", "f16"](%{{.*}} : i32, i32, i1, f64, f16)
  // KEPT: mettle.print
  mettle.print "{} {{{}}} {} {} {}" ["i32", "u32", "bool", "f64", "f16"](%n, %n, %c, %x, %h : i32, i32, i1, f64, f16)
  // KEPT: mettle.print
  mettle.print "{} {{{}}} {} {} {}" ["i32", "u32", "bool", "f64", "f16"](%n, %n, %c, %x, %h : i32, i32, i1, f64, f16)
  mettle.return
}

// -----

func.func @two_lines(%c: i1) {
  // assert-c1
  // expected-error @below {{expected a text of one line}}
  mettle.assert %c, "a\nb"
  return
}

// -----

func.func @places(%n: i32) {
  // print-c1
  // expected-error @below {{expected 2 values, one for each '{}', got 1}}
  mettle.print "{} {}" ["i32"](%n : i32)
  return
}

// -----

func.func @braces(%n: i32) {
  // print-c1
  // expected-error @below {{expected '{}', '{{' or '}}' where a brace stands}}
  mettle.print "{n} {}" ["i32"](%n : i32)
  return
}

// -----

func.func @kinds(%n: i32, %m: i32) {
  // print-c2
  // expected-error @below {{expected a kind for each of 2 values, got 1}}
  mettle.print "{} {}" ["i32"](%n, %m : i32, i32)
  return
}

// -----

func.func @other_kind(%n: i32) {
  // print-c2
  // expected-error @below {{expected value #0 of kind 'f32' to be 'f32', got 'i32'}}
  mettle.print "{}" ["f32"](%n : i32)
  return
}

// -----

func.func @no_kind(%n: i32) {
  // print-c2
  // expected-error @below {{expected value #0 of kind 'i24' to have one of the kinds bool, i8 to i64, u8 to u64 and f16 to f64}}
  mettle.print "{}" ["i24"](%n : i32)
  return
}
