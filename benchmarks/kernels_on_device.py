#!/usr/bin/env python3
"""Times kernels beside the same kernels compiled by nvcc, on the first NVIDIA GPU.

    kernels_on_device.py METTLE [--nvcc NVCC] [--rounds N]

Both compilers write for the GPU at hand; nvcc with -O3 -fmad=false, since Mettle contracts nothing, so that results
can be compared bit for bit, which they are. Kernels run in turn, timed by the GPU's events; printed are the medians,
nvcc's time over Mettle's (above 1: Mettle is faster), and the bytes that a kernel must move by the time, as a share
of what the driver's own copy reaches in the same run. softmax is also compared with one by the hardware's exp. Needs
nvcc, the CUDA driver and numpy.
"""

import argparse
import ctypes
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "integration" / "Emulator"))
from record_on_device import Driver  # noqa: E402

GIB = 1 << 30
N = 1 << 28  # floats of a vector: 1 GiB
SIDE = 1 << 14
I32, F32 = ctypes.c_int32, ctypes.c_float
IN, OUT = "in", "out"

# kernel -> source, grid, block, arguments (IN and OUT: arrays of 1 GiB; OUT's prefix of so many words is compared),
# words of OUT, bytes that it must move.
KERNELS = {
    "copy": ("benchmarks/Inputs/kernels.mettle", (N // 256, 1), (256, 1), [IN, OUT, I32(N)], N, 8 * N),
    "copy4": ("benchmarks/Inputs/kernels.mettle", (N // 1024, 1), (256, 1), [IN, OUT, I32(N // 4)], N, 8 * N),
    "add4": ("benchmarks/Inputs/kernels.mettle", (N // 1024, 1), (256, 1), [IN, OUT, I32(N // 4)], N, 12 * N),
    "saxpy": ("examples/saxpy.mettle", (N // 256, 1), (256, 1), [F32(1.1), IN, OUT, I32(N)], N, 12 * N),
    "transpose": ("examples/transpose.mettle", (SIDE // 32, SIDE // 32), (32, 8), [IN, OUT, I32(SIDE), I32(SIDE)], N, 8 * N),
    "row_sum": ("examples/row_sum.mettle", (4096, 1), (256, 1), [IN, OUT, I32(4096), I32(N // 4096)], 4096, 4 * N),
    "histogram": ("benchmarks/Inputs/kernels.mettle", (2112, 1), (256, 1), [IN, OUT, I32(N)], 256, 4 * N),
    "stencil2d": ("examples/stencil2d.mettle", (SIDE // 32, SIDE // 8), (32, 8),
                  [IN, OUT, I32(SIDE), I32(SIDE), F32(0.3)], N, 8 * N),
    "softmax": ("examples/softmax.mettle", (SIDE // 8, 1), (256, 1),
                [IN, OUT, I32(SIDE), I32(SIDE), I32(SIDE), I32(SIDE)], N, 8 * N),
}


class Bench:
    def __init__(self, driver, rounds):
        self.driver, self.rounds = driver, rounds
        self.input, self.output = ctypes.c_uint64(), ctypes.c_uint64()
        for pointer in (self.input, self.output):
            driver.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(GIB))
        random = np.random.default_rng(1)
        values = random.standard_normal(N // 16, dtype=np.float32)
        for part in range(16):
            driver.call("cuMemcpyHtoD_v2", ctypes.c_uint64(self.input.value + part * values.nbytes), values.ctypes.data_as(ctypes.c_void_p),
                        ctypes.c_size_t(values.nbytes))
        self.start, self.stop = ctypes.c_void_p(), ctypes.c_void_p()
        for event in (self.start, self.stop):
            driver.call("cuEventCreate", ctypes.byref(event), 0)

    def milliseconds(self, launch):
        self.driver.call("cuEventRecord", self.start, None)
        launch()
        self.driver.call("cuEventRecord", self.stop, None)
        self.driver.call("cuEventSynchronize", self.stop)
        time = ctypes.c_float()
        self.driver.call("cuEventElapsedTime", ctypes.byref(time), self.start, self.stop)
        return time.value

    def launcher(self, function, grid, block, arguments):
        held = [self.input if a is IN else self.output if a is OUT else a for a in arguments]
        pointers = (ctypes.c_void_p * len(held))(*[ctypes.cast(ctypes.pointer(h), ctypes.c_void_p) for h in held])
        return lambda: self.driver.call("cuLaunchKernel", function, *grid, 1, *block, 1, 0, None, pointers, None)

    def result(self, launch, words):
        """The words that a launch leaves, from zeros on."""
        self.driver.call("cuMemsetD32_v2", self.output, 0, ctypes.c_size_t(N))
        launch()
        out = np.empty(words, np.uint32)
        self.driver.call("cuMemcpyDtoH_v2", out.ctypes.data_as(ctypes.c_void_p), self.output, ctypes.c_size_t(out.nbytes))
        return out

    def medians(self, launches):
        times = [[] for _ in launches]
        for _ in range(self.rounds + 3):
            for launch, found in zip(launches, times):
                found.append(self.milliseconds(launch))
        return [float(np.median(found[3:])) for found in times]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mettle")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--rounds", type=int, default=31)
    args = parser.parse_args()
    driver = Driver()
    with tempfile.TemporaryDirectory() as folder:
        cubin = f"{folder}/kernels.cubin"
        subprocess.run([args.nvcc, "-cubin", "-arch=native", "-O3", "-fmad=false", HERE / "Inputs" / "kernels.cu", "-o", cubin],
                       check=True)
        binary = pathlib.Path(cubin).read_bytes()
    bench = Bench(driver, args.rounds)
    [copy] = bench.medians([lambda: driver.call("cuMemcpyDtoDAsync_v2", bench.output, bench.input, ctypes.c_size_t(GIB), None)])
    bandwidth = 2 * GIB / copy
    print(f"{driver.name}: medians of {args.rounds} runs in turn; the driver's copy: {bandwidth / 1e6:.0f} GB/s")
    print(f"{'kernel':20} {'Mettle ms':>10} {'nvcc ms':>10} {'ratio':>6} {'of copy':>8}  results")
    for name, (source, grid, block, arguments, words, moved) in KERNELS.items():
        ptx = subprocess.run([args.mettle, "-O", "--emit-ptx", HERE.parent / source, "-o", "-"], stdout=subprocess.PIPE,
                             check=True).stdout
        launches = [bench.launcher(driver.load(code, name, 0), grid, block, arguments) for code in (ptx, binary)]
        if name == "softmax":
            launches.append(bench.launcher(driver.load(binary, "softmax_hardware", 0), grid, block, arguments))
        ours, theirs = (bench.result(launch, words) for launch in launches[:2])
        different = int((ours != theirs).sum())
        times = bench.medians(launches)
        print(f"{name:20} {times[0]:10.4f} {times[1]:10.4f} {times[1] / times[0]:6.3f} {moved / times[0] / bandwidth:8.1%}  "
              f"{'equal' if not different else f'{different} of {words} words differ'}", flush=True)
        if name == "softmax":
            print(f"{'  by hardware exp':20} {times[0]:10.4f} {times[2]:10.4f} {times[2] / times[0]:6.3f}")


if __name__ == "__main__":
    main()
