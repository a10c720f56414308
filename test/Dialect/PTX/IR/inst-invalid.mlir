// Every constraint of ptx.inst refuses what it names.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics

ptx.entry @unknown(%a: !ptx.b32) {
  // expected-error @below {{expected an instruction, got 'fma.rx.f32'}}
  %0 = ptx.inst fma.rx.f32 %a, %a, %a
  ptx.ret
}

// -----

ptx.entry @missing_modifier(%a: !ptx.b32) {
  // expected-error @below {{expected an instruction, got 'fma.f32'}}
  %0 = ptx.inst fma.f32 %a, %a, %a
  ptx.ret
}

// -----

ptx.entry @operand_count(%a: !ptx.b32) {
  // inst-c1
  // expected-error @below {{expected 2 operands of AndB32, got 1}}
  %0 = "ptx.inst"(%a) <{opcode = "AndB32"}> : (!ptx.b32) -> !ptx.b32
  ptx.ret
}

// -----

ptx.entry @operand_class(%a: !ptx.b32, %b: !ptx.b64) {
  // inst-c1
  // expected-error @below {{expected operand #1 of AndB32 to be '!ptx.b32', got '!ptx.b64'}}
  %0 = "ptx.inst"(%a, %b) <{opcode = "AndB32"}> : (!ptx.b32, !ptx.b64) -> !ptx.b32
  ptx.ret
}

// -----

ptx.entry @result_count(%a: !ptx.b32) {
  // inst-c2
  // expected-error @below {{expected 1 results of AndB32, got 0}}
  "ptx.inst"(%a, %a) <{opcode = "AndB32"}> : (!ptx.b32, !ptx.b32) -> ()
  ptx.ret
}

// -----

ptx.entry @result_class(%a: !ptx.b32) {
  // inst-c2
  // expected-error @below {{expected result #0 of AndB32 to be '!ptx.b32', got '!ptx.b64'}}
  %0 = "ptx.inst"(%a, %a) <{opcode = "AndB32"}> : (!ptx.b32, !ptx.b32) -> !ptx.b64
  ptx.ret
}

// -----

ptx.entry @immediate_count() {
  // inst-c3
  // expected-error @below {{expected 1 immediates of MovS32, got 2}}
  %0 = "ptx.inst"() <{opcode = "MovS32", immediates = array<i64: 1, 2>}> : () -> !ptx.b32
  ptx.ret
}

// -----

ptx.entry @immediate_range() {
  // inst-c3
  // expected-error @below {{expected immediate #0 of MovS32 to be from -2147483648 to 2147483647, got 2147483648}}
  %0 = ptx.inst mov.s32 2147483648
  ptx.ret
}

// -----

ptx.entry @modifier_missing(%a: !ptx.b32) {
  // inst-c4
  // expected-error @below {{expected modifier #0 of FmaF32 to be 1 to 4 (Rounding), got 0}}
  %0 = "ptx.inst"(%a, %a, %a) <{opcode = "FmaF32", modifiers = 0 : i32}> : (!ptx.b32, !ptx.b32, !ptx.b32) -> !ptx.b32
  ptx.ret
}

// -----

ptx.entry @modifier_range(%a: !ptx.b32) {
  // inst-c4
  // expected-error @below {{expected modifier #1 of FmaF32 to be 1 to 1 or 0 (FlushToZero), got 2}}
  %0 = "ptx.inst"(%a, %a, %a) <{opcode = "FmaF32", modifiers = 33 : i32}> : (!ptx.b32, !ptx.b32, !ptx.b32) -> !ptx.b32
  ptx.ret
}

// -----

ptx.entry @modifier_beyond(%a: !ptx.b32) {
  // inst-c4
  // expected-error @below {{expected 0 modifiers of AndB32, got the word 1}}
  %0 = "ptx.inst"(%a, %a) <{opcode = "AndB32", modifiers = 1 : i32}> : (!ptx.b32, !ptx.b32) -> !ptx.b32
  ptx.ret
}

// -----

ptx.entry @opcode(%a: !ptx.b32) {
  // expected-error @below {{expected the name of an instruction record as opcode, got "Fma"}}
  %0 = "ptx.inst"(%a) <{opcode = "Fma"}> : (!ptx.b32) -> !ptx.b32
  ptx.ret
}
