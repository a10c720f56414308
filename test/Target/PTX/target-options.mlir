// What options leave open is as low as the instructions allow; what they fix holds, or is refused.
// RUN: mettle-translate --ptx-to-text %s | FileCheck %s --check-prefix=LOWEST
// RUN: mettle-translate --ptx-to-text --gpu-arch=sm_90a %s | FileCheck %s --check-prefix=ARCH
// RUN: mettle-translate --ptx-to-text --ptx-version=8.8 %s | FileCheck %s --check-prefix=VERSION
// RUN: mettle-translate --ptx-to-text --gpu-arch=gb10 %s | FileCheck %s --check-prefix=GB10
// RUN: not mettle-translate --ptx-to-text --gpu-arch=sm_75 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=LOW-ARCH
// RUN: not mettle-translate --ptx-to-text --ptx-version=6.5 %s 2>&1 | FileCheck %s --check-prefix=LOW-VERSION
// RUN: not mettle-translate --ptx-to-text --gpu-arch=sm_91 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not mettle-translate --ptx-to-text --gpu-arch=sm_90a --ptx-version=7.8 %s 2>&1 | FileCheck %s --check-prefix=PAIR

// LOWEST: .version 7.0
// LOWEST-NEXT: .target sm_80
// ARCH: .version 8.0
// ARCH-NEXT: .target sm_90a
// VERSION: .version 8.8
// VERSION-NEXT: .target sm_80
// GB10: .version 8.8
// GB10-NEXT: .target sm_121a
// LOW-ARCH: target-options.mlir:[[#@LINE+6]]:8: error: fma.rn.bf16 needs PTX 7.0 and sm_80, but the target is PTX 7.0 and sm_75
// LOW-VERSION: error: the module needs sm_80 and with it PTX 7.0, but the target is PTX 6.5
// UNKNOWN: error: expected a known architecture ({{.*}}sm_90, {{.*}}), got sm_91
// PAIR: error: expected PTX 8.0 or later for sm_90a, got 7.8

ptx.entry @needs_ampere(%a: !ptx.b16) {
  %0 = ptx.inst fma.rn.bf16 %a, %a, %a
  ptx.ret
}
