#!/usr/bin/env python3
"""Runs the listings of the language's description and compares bits.

    listings.py numpy|emulate|opencl|cuda BUILD

`numpy`: the interpreter against a model of each kernel (of `intrinsics`, whose functions have no model
here, that its results are near). The others: the interpreter against the device, with and without -O;
on OpenCL also in SPIR-V 1.0, but for the collectives. Prints a line a kernel; exit status 1 at a difference.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent / "Inputs"
F32, U32 = np.float32, np.uint32


def tree(values):
    """The sum of the balanced tree that pairs neighbours first."""
    while len(values) > 1:
        values = values[0::2] + values[1::2]
    return values[0]


def indices(n):
    group, item = np.divmod(np.arange(n), 24)
    return (group * 1000 + item).astype(np.int32)


def intrinsics(x, half):
    with np.errstate(all="ignore"):
        wide, size = x.astype(np.float64), np.abs(x.astype(np.float64))
        columns = [np.sqrt(size), 1 / np.sqrt(size), size, np.sin(wide), np.cos(wide), np.log(size), np.exp(wide),
                   half.view(np.float16).astype(np.float64)]
    return {"out": np.stack(columns, 1).astype(F32).ravel(), "packed": x.astype(np.float16).view(np.uint16)}


def collectives(x, y):
    words, sums = np.zeros((64, 10), U32), np.zeros((64, 4), F32)
    lane = np.arange(32)
    for first in (0, 32):
        part, floats, rows = x[first:first + 32], y[first:first + 32], slice(first, first + 32)
        source = (lane * 7 + 3) & 63
        columns = [lane, np.full(32, 32), part[5], part.sum(dtype=U32), part.min(), part.max(), np.cumsum(part, dtype=U32),
                   np.cumsum(part, dtype=U32) - part, part[np.where(source < 32, source, lane)],
                   np.sum((part & 1) << lane.astype(U32), dtype=U32)]
        for i, column in enumerate(columns):
            words[rows, i] = column
        # A prefix is the tree over the lanes up to it, in which an absent partner passes the other through.
        sums[rows, 0] = tree(floats)
        for i in range(32):
            present = [value for value in floats[:i + 1]]
            while len(present) > 1:
                present = [F32(sum(present[k:k + 2][1:], present[k])) for k in range(0, len(present), 2)]
            sums[first + i, 1] = present[0]
            if i < 31:
                sums[first + i + 1, 2] = present[0]
        sums[rows, 3] = 1 if (part > 5).any() else 0
    return {"words": words.ravel(), "sums": sums.ravel()}


# kernel -> (launch options, arguments, model of what it writes from the arrays that it is given).
KERNELS = {
    "vadd": ("--grid=4 --block=64", ["f32[250]=rand:1", "f32[250]=special:2", "f32[250]=zeros", "250"],
             lambda a, b: {"c": a + b}),
    "staged": ("--block=256", ["f32[200]=special:1", "f32[256]=ones", "200"],
               lambda x, out: {"out": np.append(x, out[200:])}),
    "dynamic_staged": ("--block=256 --shared=2048", ["f32[256]=special:1", "f32[256]=ones", "256"],
                       lambda x, out: {"out": x}),
    "stage": ("--block=32", ["u32[128]=rand:1", "u32[128]=zeros"],
              lambda src: {"out": np.where(np.arange(128) % 4 == 0, src, 0).astype(U32)}),
    "indices": ("--grid=2,3,2 --block=4,3,2", ["i32[288]=zeros"], lambda: {"out": indices(288)}),
    "intrinsics": ("--block=64", ["f32[64]=rand:1", "u16[64]=rand:2", "f32[512]=zeros", "u16[64]=zeros"], intrinsics),
    "helpers": ("--block=64", ["i32[65]=rand:1", "i32[64]=zeros"],
                lambda x: {"out": x[:64] * np.int32(3) + x[1:] * np.int32(3)}),
    "atomics": ("--grid=4 --block=64", ["u64[2]=zeros", "u32[256]=zeros", "u32[2]=zeros", "u32[1]=zeros"],
                lambda: {"queue_head": np.array([0, 256], np.uint64), "ready": np.ones(256, U32),
                         "state": np.array([0, 1], U32), "out": np.array([256], U32)}),
    "collectives": ("--block=64", ["u32[64]=rand:1", "f32[64]=rand:2", "u32[640]=zeros", "f32[256]=zeros"], collectives),
}
PARAMETERS = {"vadd": "a b c n", "staged": "x out n", "dynamic_staged": "x out n", "stage": "src out", "indices": "out",
              "intrinsics": "x half out packed", "helpers": "x out", "atomics": "queue_head ready state out",
              "collectives": "x y words sums"}


def run(build, kernel, *more):
    """Every array after a run by the parameter's name."""
    options, texts, _ = KERNELS[kernel]
    arrays = {name: text for name, text in zip(PARAMETERS[kernel].split(), texts) if "=" in text}
    source = HERE / f"{kernel}.mettle"
    if not source.exists():
        source = HERE / "document.mettle"
    with tempfile.TemporaryDirectory() as folder:
        command = [f"{build}/bin/mettle", "run", source, f"--kernel={kernel}", *options.split(), *more]
        command += [f"--arg={text}" for text in texts]
        command += [f"--save={name}={folder}/{name}.npy" for name in arrays]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{kernel} {' '.join(more)}: {result.stderr}")
        return {name: np.load(f"{folder}/{name}.npy") for name in arrays}


def differing(left, right):
    """How many words of two results differ; NaNs are equal."""
    count = 0
    for name in left:
        same = left[name] == right[name]
        if left[name].dtype == F32:
            same = (left[name].view(U32) == right[name].view(U32)) | (np.isnan(left[name]) & np.isnan(right[name]))
        count += int((~same).sum())
    return count


def modelled(kernel, after):
    """How many words differ from the model's, which takes the inputs after the run: they are not written."""
    expected = KERNELS[kernel][2]
    inputs = [after[name] if name in after else None for name in expected.__code__.co_varnames[:expected.__code__.co_argcount]]
    if kernel == "staged":
        inputs[1] = np.ones(256, F32)
    wanted = expected(*inputs)
    got = {name: after[name] for name in wanted}
    if kernel == "intrinsics":
        near = np.isclose(got["out"], wanted["out"], rtol=2e-7, atol=1e-45) | np.isnan(wanted["out"])
        return int((~near).sum()) + int((got["packed"] != wanted["packed"]).sum())
    return differing(wanted, got)


def main():
    judge, build = sys.argv[1:]
    total = 0
    for kernel in KERNELS:
        reference = run(build, kernel)
        if judge == "numpy":
            counts = {"model": modelled(kernel, reference), "-O": differing(reference, run(build, kernel, "-O"))}
        else:
            forms = [[], ["-O"]] + ([["--spirv-version=1.0"]] if judge == "opencl" and kernel != "collectives" else [])
            counts = {" ".join([judge, *form]): differing(reference, run(build, kernel, f"--device={judge}", *form))
                      for form in forms}
        words = sum(array.size for array in reference.values())
        print(f"{kernel}: {words} words; " + ", ".join(f"{form}: {count} differ" for form, count in counts.items()))
        total += sum(counts.values())
    print(f"{judge}: {len(KERNELS)} listings, {total} words differ")
    return total != 0


if __name__ == "__main__":
    sys.exit(main())
