// Round trip and constraints of spirvx.module and of the dialect's attributes.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | mettle-opt --split-input-file | FileCheck %s

// CHECK: spirvx.module v1.0 {
// CHECK-NEXT: spirv.GlobalVariable @tile {spirvx.alignment = 32 : i32}
// CHECK: spirvx.hidden_workgroup
spirvx.module v1.0 {
  spirv.GlobalVariable @tile {spirvx.alignment = 32 : i32} : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
  spirv.func @f(%p: !spirv.ptr<f32, Workgroup> {spirvx.hidden_workgroup}) "None" {
    spirv.Return
  }
}

// -----

// CHECK: spirvx.module v1.4 attributes {note = "kept"} {
spirvx.module v1.4 attributes {note = "kept"} {
}

// -----

// module-c1: a version that Mettle does not write
// expected-error @below {{expected the version v1.0 or v1.4, got v1.3}}
spirvx.module v1.3 {
}

// -----

// module-c1: no version at all
// expected-error @below {{expected a version of SPIR-V such as v1.4, got 'v2'}}
spirvx.module v2 {
}

// -----

// expected-note @below {{the module is here}}
spirvx.module v1.4 {
  // module-c2
  // expected-error @below {{expected an operation of the dialect spirv or spirvx}}
  func.func @f() {
    return
  }
}

// -----

// expected-error @below {{expected 'spirvx.alignment' to be an i32 that is a power of two, got 24 : i32}}
spirv.GlobalVariable @tile {spirvx.alignment = 24 : i32} : !spirv.ptr<f32, Workgroup>

// -----

// expected-error @below {{expected 'spirvx.alignment' on a spirv.GlobalVariable or a spirv.Variable}}
module attributes {spirvx.alignment = 32 : i32} {
}

// -----

// expected-error @below {{expected no attribute 'spirvx.other'}}
module attributes {spirvx.other} {
}

// -----

// expected-error @below {{expected 'spirvx.hidden_workgroup' on a pointer into workgroup memory of a spirv.func, got 'i32'}}
spirv.func @f(%n: i32 {spirvx.hidden_workgroup}) "None" {
  spirv.Return
}

// -----

// expected-error @below {{expected no attribute 'spirvx.other' on an argument}}
spirv.func @f(%n: i32 {spirvx.other}) "None" {
  spirv.Return
}
