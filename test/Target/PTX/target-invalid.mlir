// A target below what an instruction needs is an error at the instruction, one for each of them.
// RUN: mettle-translate --ptx-to-text --split-input-file --verify-diagnostics --gpu-arch=portable %s

ptx.entry @architecture(%a: !ptx.b16) {
  // expected-error @below {{fma.rn.bf16 needs PTX 7.0 and sm_80, but the target is PTX 6.4 and compute_75}}
  %0 = ptx.inst fma.rn.bf16 %a, %a, %a
  %1 = ptx.inst mov.s32 1
  // expected-error @below {{bmsk.wrap.b32 needs PTX 7.6 and sm_70, but the target is PTX 6.4 and compute_75}}
  %2 = ptx.inst bmsk.wrap.b32 %1, %1
  // A second use says nothing new.
  %3 = ptx.inst fma.rn.bf16 %0, %a, %a
  ptx.ret
}

// -----

// expected-error @below {{expected ptx.entry or ptx.func, got func.func}}
func.func @foreign() {
  return
}

// -----

ptx.entry @foreign(%a: !ptx.b32) {
  // expected-error @below {{expected an operation of the ptx dialect, got arith.constant}}
  %0 = arith.constant 1 : i32
  ptx.ret
}
