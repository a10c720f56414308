// The strict-float check stands before every lowering.
// RUN: not mettle-translate --mettle-to-ptx --gpu-arch=sm_90 %s 2>&1 | FileCheck %s

func.func @contracted(%a: f32) -> f32 {
  // CHECK: mettle-to-ptx-invalid.mlir:[[#@LINE+1]]:8: error: {{.*}}expected no fastmath flag, got contract
  %0 = arith.mulf %a, %a fastmath<contract> : f32
  return %0 : f32
}
