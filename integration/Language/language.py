#!/usr/bin/env python3
"""Runs kernels that use one part of the language each and compares bits.

    language.py model|emulate|opencl|cuda BUILD
    language.py ptxas|spirv-val BUILD

`model`: the interpreter, with and without -O, against a model of each kernel in numpy. `emulate`, `opencl` and `cuda`:
the device, with and without -O, against the interpreter. `ptxas` and `spirv-val` judge what is emitted for each target
and each SPIR-V version. Prints a line a kernel; exit status 1 at a difference or a refusal.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent / "Inputs"
TARGETS = ["sm_75", "sm_80", "sm_90a", "sm_100a", "sm_121a"]
F32, I64 = np.float32, np.int64


def records():
    n, i = 100, np.arange(100)
    data, plain = i.astype(F32), (i % 10).astype(F32)
    out = np.zeros(2 * n, F32)
    out[0::2] = (data * F32(F32(0.3) * F32(1.5)) + F32(-0.1)) + plain
    out[1::2] = F32(0.5) * F32(3.25)
    taps = np.array([1, -2, 300]) + (i[:, None] % 3 == np.arange(3))
    sums = (1 << 40) + taps @ np.array([1, 100, 10000])
    weights = np.dtype({"names": ["bias", "tap", "half", "d"], "formats": ["<i8", ("<i2", 3), "<f2", "<f8"],
                        "offsets": [0, 8, 14, 16], "itemsize": 24})
    last = np.zeros(2, weights)
    last[:] = [(1 << 40, (2, 7, 300), 0.5, 3.25)] * 2
    return {"out": out, "sums": sums, "last": last.view(np.int8)}


# kernel -> (launch options, arguments by parameter, model of what it writes).
KERNELS = {
    "records": ("--grid=4 --block=32",
                {"v": "{f32[100]=iota, 100, 1, {0.3, -0.1}}", "plain": "{f32[10]=iota, 10, 0, 9, 9}", "gain": "1.5",
                 "w": "{1099511627776, {1, -2, 300}, 0.5, 3.25}", "out": "f32[200]=zeros", "sums": "i64[100]=zeros",
                 "last": "i8[48]=zeros"}, records),
}


def command(build, kernel, *options):
    return [f"{build}/bin/mettle", *options, HERE / f"{kernel}.mettle"]


def run(build, kernel, *more):
    """What a run leaves in each array that the model knows."""
    options, arguments, model = KERNELS[kernel]
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([*command(build, kernel, "run"), f"--kernel={kernel}", *options.split(), *more,
                                 *(f"--arg={text}" for text in arguments.values()),
                                 *(f"--save={name}={folder}/{name}.npy" for name in model())],
                                capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{kernel} {' '.join(more)}: {result.stderr}")
        return {name: np.load(f"{folder}/{name}.npy") for name in model()}


def differing(left, right):
    """How many bytes of two results differ."""
    return sum(int((left[name].view(np.uint8) != right[name].view(np.uint8)).sum()) for name in left)


def compare(judge, build, kernel):
    model = KERNELS[kernel][2]
    reference = model() if judge == "model" else run(build, kernel)
    where = [] if judge == "model" else [f"--device={judge}"]
    counts = [differing(reference, run(build, kernel, *where, *optimize)) for optimize in ([], ["-O"])]
    size = sum(array.nbytes for array in reference.values())
    print(f"{kernel}: {size} bytes, {counts[0]} differ; -O: {counts[1]} differ")
    return sum(counts)


def judge_text(judge, build, kernel):
    """How many of the emitted modules the judge refuses, or spills a register of."""
    refused = 0
    with tempfile.TemporaryDirectory() as folder:
        made, ignored = f"{folder}/made", f"{folder}/cubin"
        for target in TARGETS if judge == "ptxas" else ["1.0", "1.4"]:
            for optimize in ([], ["-O"]):
                if judge == "ptxas":
                    form, check = ["--emit-ptx", f"--gpu-arch={target}"], ["ptxas", f"-arch={target}", "-v", made, "-o", ignored]
                else:
                    form = ["--emit-spirv", f"--spirv-version={target}"]
                    check = ["spirv-val", "--target-env", "opencl2.0" if target == "1.0" else "spv1.4", made]
                subprocess.run([*command(build, kernel, *form, *optimize), "-o", made], check=True)
                judged = subprocess.run(check, capture_output=True, text=True)
                said = judged.stdout + judged.stderr
                bad = judged.returncode != 0 or sum(map(int, re.findall(r"(\d+) bytes spill", said)))
                print(f"{kernel} {target} {' '.join(optimize)}: {said if bad else 'accepted'}")
                refused += bool(bad)
    return refused


def main():
    judge, build = sys.argv[1:]
    wrong = sum((judge_text if judge in ("ptxas", "spirv-val") else compare)(judge, build, kernel) for kernel in KERNELS)
    print(f"{judge}: {len(KERNELS)} kernels, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
