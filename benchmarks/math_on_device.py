#!/usr/bin/env python3
"""Times the reproducible elementary functions beside the approximate ones of an NVIDIA GPU.

    math_on_device.py METTLE

compiles, for each function, a kernel that calls it 256 times a work-item, once as it is and once with
--approx-math, runs both in turn on 2^20 work-items and prints the times of a call and their ratio. Needs the
CUDA driver and numpy. `range` says which arguments: `small` ones, or `large` ones that sinf and cosf reduce the
long way.
"""

import ctypes
import pathlib
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration" / "Emulator"))
from record_on_device import Driver  # noqa: E402

ITEMS, CALLS, ROUNDS = 1 << 20, 256, 15
KERNEL = """kernel run(x: float32*, out: float32*) {{
  var i: int32 = block.x * block_dim.x + thread.x;
  var v: float32 = x[i];
  var sum: float32 = 0.0;
  for (var k: int32 = 0; k < {calls}; k += 1) {{
    sum += {function}(v);
    v += 0.001;
  }}
  out[i] = sum;
}}
"""
APPROXIMATE = ("expf", "logf", "sinf", "cosf", "rsqrtf")
FUNCTIONS = APPROXIMATE + ("exp2f", "log2f", "tanhf", "erff")


def compiled(mettle, function, *options):
    source = KERNEL.format(calls=CALLS, function=function)
    return subprocess.run([mettle, "--emit-ptx", "--gpu-arch=sm_90a", "-O", *options, "-"], input=source.encode(),
                          stdout=subprocess.PIPE, check=True).stdout


class Timed:
    """A kernel ready to run on arrays that stay on the device."""

    def __init__(self, driver, ptx, start):
        self.driver = driver
        self.function = driver.load(ptx, "run", 0)
        x = (np.linspace(0, 1, ITEMS, dtype=np.float32) + np.float32(start)).tobytes()
        self.arguments = [ctypes.c_uint64(), ctypes.c_uint64()]
        for pointer in self.arguments:
            driver.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(len(x)))
        driver.call("cuMemcpyHtoD_v2", self.arguments[0], x, ctypes.c_size_t(len(x)))

    def seconds(self):
        pointers = (ctypes.c_void_p * 2)(*[ctypes.cast(ctypes.pointer(a), ctypes.c_void_p) for a in self.arguments])
        start = time.perf_counter()
        self.driver.call("cuLaunchKernel", self.function, ITEMS // 256, 1, 1, 256, 1, 1, 0, None, pointers, None)
        self.driver.call("cuCtxSynchronize")
        return time.perf_counter() - start


def main():
    mettle = sys.argv[1]
    driver = Driver()
    print(f"{driver.name}: picoseconds a call, medians of {ROUNDS} runs in turn")
    print(f"{'function':8} {'range':6} {'exact':>8} {'approx':>8} {'ratio':>6}")
    for function in FUNCTIONS:
        for name, start in (("small", 0.5), ("large", 1e6)) if function in ("sinf", "cosf") else (("small", 0.5),):
            kernels = [Timed(driver, compiled(mettle, function), start)]
            if function in APPROXIMATE:
                kernels.append(Timed(driver, compiled(mettle, function, "--approx-math"), start))
            times = [[] for _ in kernels]
            for _ in range(ROUNDS + 2):
                for kernel, found in zip(kernels, times):
                    found.append(kernel.seconds())
            medians = [float(np.median(found[2:])) / (ITEMS * CALLS) * 1e12 for found in times]
            row = f"{function:8} {name:6} {medians[0]:8.2f}"
            if len(medians) > 1:
                row += f" {medians[1]:8.2f} {medians[0] / medians[1]:6.2f}"
            print(row, flush=True)


if __name__ == "__main__":
    main()
