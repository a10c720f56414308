// Every constraint of functions, calls, branches and storage refuses what it names.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics

// entry-c1
// expected-error @below {{expected argument #0 to be !ptx.b16, !ptx.b32 or !ptx.b64, got '!ptx.pred'}}
ptx.entry @predicate(%a: !ptx.pred) {
  ptx.ret
}

// -----

// entry-c2
// expected-error @below {{expected no results, got 1}}
ptx.entry @result(%a: !ptx.b32) -> !ptx.b32 {
  ptx.ret %a : !ptx.b32
}

// -----

// entry-c3
// expected-error @below {{expected a body, got a declaration}}
ptx.entry @declaration(!ptx.b32)

// -----

// entry-c4
// expected-error @below {{expected argument #0 to be the register that u8 loads into, got '!ptx.b16'}}
ptx.entry @narrow(%a: !ptx.b16 {ptx.param = #ptx.param<type = u8>}) {
  ptx.ret
}

// -----

// entry-c5
// expected-error @below {{expected argument #0 to be !ptx.b64, since it is a pointer, got '!ptx.b32'}}
ptx.entry @pointer(%a: !ptx.b32 {ptx.param = #ptx.param<pointer = global>}) {
  ptx.ret
}

// -----

// entry-c6
// expected-error @below {{expected a name that is an identifier of PTX, got 'a.b'}}
ptx.entry @a.b() {
  ptx.ret
}

// -----

// entry-c6
// expected-error @below {{expected a name that is an identifier of PTX, got 'WARP_SZ'}}
ptx.entry @WARP_SZ() {
  ptx.ret
}

// -----

// func-c3
// expected-error @below {{expected a name that is an identifier of PTX, got '1st'}}
ptx.func @"1st"() {
  ptx.ret
}

// -----

// param-c1
// expected-error @below {{expected an alignment with a pointer only}}
ptx.entry @alignment(%a: !ptx.b32 {ptx.param = #ptx.param<align = 4>}) {
  ptx.ret
}

// -----

// param-c2
// expected-error @below {{expected a power of two as alignment, got 12}}
ptx.entry @odd_alignment(%a: !ptx.b64 {ptx.param = #ptx.param<pointer = global, align = 12>}) {
  ptx.ret
}

// -----

// param-c3
// expected-error @below {{expected argument #0 to have no attribute of ptx but a #ptx.param as ptx.param, and that in a ptx.entry, got "ptx.param" = "u8"}}
ptx.entry @string(%a: !ptx.b32 {ptx.param = "u8"}) {
  ptx.ret
}

// -----

// param-c3
// expected-error @below {{got "ptx.params" = #ptx.param<type = u8>}}
ptx.entry @name(%a: !ptx.b32 {ptx.params = #ptx.param<type = u8>}) {
  ptx.ret
}

// -----

// param-c3
// expected-error @below {{got "ptx.param" = #ptx.param<type = u8>}}
ptx.func @function(%a: !ptx.b32 {ptx.param = #ptx.param<type = u8>}) {
  ptx.ret
}

// -----

// func-c1
// expected-error @below {{expected argument #1 to be !ptx.b32 or !ptx.b64, got '!ptx.b16'}}
ptx.func @narrow(%a: !ptx.b32, %b: !ptx.b16) {
  ptx.ret
}

// -----

// func-c1
// expected-error @below {{expected result #0 to be !ptx.b32 or !ptx.b64, got '!ptx.pred'}}
ptx.func @predicate() -> !ptx.pred {
  %0 = ptx.inst mov.pred.imm 1
  ptx.ret %0 : !ptx.pred
}

// -----

// func-c2
// expected-error @below {{expected a body, got a declaration}}
ptx.func @declaration(!ptx.b32)

// -----

ptx.entry @callee() {
  // call-c1
  // expected-error @below {{expected a ptx.func of the module as callee, got @callee}}
  ptx.call @callee() : () -> ()
  ptx.ret
}

// -----

// expected-note @below {{the callee is here}}
ptx.func @callee(%a: !ptx.b32) {
  ptx.ret
}
ptx.entry @types(%a: !ptx.b64) {
  // call-c2
  // expected-error @below {{expected the callee's type '(!ptx.b32) -> ()', got '(!ptx.b64) -> ()'}}
  ptx.call @callee(%a) : (!ptx.b64) -> ()
  ptx.ret
}

// -----

ptx.func @returns(%a: !ptx.b32) -> !ptx.b32 {
  // ret-c1
  // expected-error @below {{expected the function's 1 results and their types ('!ptx.b32'), got ()}}
  ptx.ret
}

// -----

ptx.entry @condition(%a: !ptx.b32) {
  // cond_bra-c1
  // expected-error @below {{operand #0 must be a .pred register, but got '!ptx.b32'}}
  "ptx.cond_bra"(%a)[^end, ^end] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!ptx.b32) -> ()
^end:
  ptx.ret
}

// -----

ptx.entry @shared_size() {
  // shared-c1
  // expected-error @below {{expected a size above zero, got 0}}
  %0 = ptx.shared 0 align 4
  ptx.ret
}

// -----

ptx.entry @shared_alignment() {
  // shared-c2
  // expected-error @below {{expected the alignment to be a power of two up to 1024, got 12}}
  %0 = ptx.shared 12 align 12
  ptx.ret
}

// -----

ptx.entry @local_size() {
  // local-c1
  // expected-error @below {{expected a size above zero, got -4}}
  %0 = ptx.local -4 align 4
  ptx.ret
}

// -----

ptx.entry @local_alignment() {
  // local-c2
  // expected-error @below {{expected the alignment to be a power of two up to 1024, got 2048}}
  %0 = ptx.local 4 align 2048
  ptx.ret
}

// -----

ptx.entry @dynamic_alignment() {
  // dynamic_shared-c1
  // expected-error @below {{expected the alignment to be a power of two up to 1024, got 0}}
  %0 = ptx.dynamic_shared align 0
  ptx.ret
}

// -----

// A helper for pointers into workgroup memory is called like this; a `$` in front is the emitter's.
ptx.func @sum$wg() {
  ptx.ret
}

// func-c3
// expected-error @below {{expected a name that is an identifier of PTX, got '$sum'}}
ptx.func @"$sum"() {
  ptx.ret
}

// -----

// entry-c7
// expected-error @below {{expected three numbers of required threads, each at least 1, got [128]}}
ptx.entry @threads() attributes {required_threads = array<i32: 128>} {
  ptx.ret
}
