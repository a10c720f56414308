#!/usr/bin/env python3
"""Runs kernels that use one part of the language each and compares bits.

    language.py model|emulate|opencl|cuda BUILD

`model`: the interpreter, with and without -O, against a model of each kernel in numpy. `emulate`, `opencl` and `cuda`:
the device, with and without -O, against the interpreter. Prints a line a kernel; exit status 1 at a difference.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent / "Inputs"
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


def dot4(a, b, c, byte):
    """Modulo 2^32."""
    a, b = (np.atleast_1d(np.asarray(word, np.uint32)).view(byte).reshape(-1, 4).astype(np.int64) for word in (a, b))
    return (np.asarray(c, np.int64) + (a * b).sum(axis=1)).astype(np.uint32)


def dots(a, b):
    i = np.arange(256)
    fixed = np.uint32(0x01020380)
    both = dot4(a, fixed, i, np.int8) ^ dot4(fixed, a, i, np.uint8)
    mixed = both + dot4(0xffffffff, 0x7f80ff01, 7, np.int8) + i.astype(np.uint32)
    return {"signed": dot4(a, b, i, np.int8).view(np.int32), "unsigned": dot4(a, b, 0xffffffff, np.uint8),
            "mixed": mixed.view(np.int32)}


def vectors():
    n = 14
    i = np.arange(n)
    # Bytes counted up: no four of the first 224 are a NaN.
    raw = np.arange(16 * n, dtype=np.int64).astype(np.uint8)
    four = raw.view(F32).reshape(n, 4)[i ^ 1].copy()
    four[:, 0] = four[:, 1] + four[:, 3]
    four[:, 2] *= F32(0.5)
    record = np.dtype("<u1,<u1,<u1,<u1,<i2,<i2,<u8")
    rows = raw.view(record).copy()
    rows["f3"] = rows["f0"]
    rows["f5"] = rows["f4"]
    rows["f6"] += rows["f1"]
    return {"data": four.ravel().view(np.uint8), "bytes": rows.view(np.uint8)}


# kernel -> (launch options, arguments by parameter, model of what it writes from the arrays that it names).
KERNELS = {
    "records": ("--grid=4 --block=32",
                {"v": "{f32[100]=iota, 100, 1, {0.3, -0.1}}", "plain": "{f32[10]=iota, 10, 0, 9, 9}", "gain": "1.5",
                 "w": "{1099511627776, {1, -2, 300}, 0.5, 3.25}", "out": "f32[200]=zeros", "sums": "i64[100]=zeros",
                 "last": "i8[48]=zeros"}, records),
    "dots": ("--grid=4 --block=64", {"a": "u32[256]=rand:1", "b": "u32[256]=rand:2", "signed": "i32[256]=zeros",
                                     "unsigned": "u32[256]=zeros", "mixed": "i32[256]=zeros"}, dots),
    "vectors": ("--block=32", {"data": "u8[224]=iota", "bytes": "u8[224]=iota", "n": "14"}, vectors),
}


def run(build, kernel, *more):
    """What a run leaves in each array."""
    options, arguments, _ = KERNELS[kernel]
    arrays = [name for name, text in arguments.items() if "=" in text and text[0] != "{"]
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([f"{build}/bin/mettle", "run", HERE / f"{kernel}.mettle", f"--kernel={kernel}", *options.split(), *more,
                                 *(f"--arg={text}" for text in arguments.values()),
                                 *(f"--save={name}={folder}/{name}.npy" for name in arrays)],
                                capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{kernel} {' '.join(more)}: {result.stderr}")
        return {name: np.load(f"{folder}/{name}.npy") for name in arrays}


def differing(left, right):
    """How many bytes of two results differ."""
    return sum(int((left[name].view(np.uint8) != right[name].view(np.uint8)).sum()) for name in left)


def compare(judge, build, kernel):
    model = KERNELS[kernel][2]
    reference = run(build, kernel)
    if judge == "model":
        reference = model(*(reference[name] for name in model.__code__.co_varnames[:model.__code__.co_argcount]))
    where = [] if judge == "model" else [f"--device={judge}"]
    counts = [differing(reference, run(build, kernel, *where, *optimize)) for optimize in ([], ["-O"])]
    size = sum(array.nbytes for array in reference.values())
    print(f"{kernel}: {size} bytes, {counts[0]} differ; -O: {counts[1]} differ")
    return sum(counts)


def main():
    judge, build = sys.argv[1:]
    wrong = sum(compare(judge, build, kernel) for kernel in KERNELS)
    print(f"{judge}: {len(KERNELS)} kernels, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
