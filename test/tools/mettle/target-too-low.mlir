// A target too low for an instruction is an error at the place it comes from, with the reason.
// RUN: mettle --emit-ptx --gpu-arch=sm_80 %s | FileCheck %s
// RUN: not mettle --emit-ptx --gpu-arch=sm_75 %s 2>&1 | FileCheck %s --check-prefix=LOW

// CHECK: fma.rn.bf16
mettle.kernel @fused(%p: !mettle.ptr<bf16, global>) {
  %v = mettle.load %p : !mettle.ptr<bf16, global> -> bf16
  // LOW: target-too-low.mlir:[[#@LINE+1]]:8: error: {{.*}}fma.rn.bf16{{.*}}sm_80{{.*}}sm_75
  %r = math.fma %v, %v, %v : bf16
  mettle.store %r, %p : bf16, !mettle.ptr<bf16, global>
  mettle.return
}
