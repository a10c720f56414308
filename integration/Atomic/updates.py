#!/usr/bin/env python3
"""Atomic updates whose outcome no order of arrival changes: a numpy model and a judge return the same bits.

    updates.py JUDGE BUILD

JUDGE is `interp`, `emulate`, `opencl` (the first OpenCL device, SPIR-V 1.4 and 1.0) or `cuda` (the first
NVIDIA GPU); devices run with and without -O. Elements are int32, uint32, int64, uint64, and float32 and
float64 for sums; the last workgroup is partial.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SOURCE = (Path(__file__).parent / "Inputs" / "updates.mettle").read_text()
GROUPS, BLOCK, COUNT = 5, 64, 300
TYPES = {"int32": ("i32", np.int32), "uint32": ("u32", np.uint32), "int64": ("i64", np.int64),
         "uint64": ("u64", np.uint64)}
OPTIONS = {"interp": [[]], "emulate": [["--device=emulate"], ["--device=emulate", "-O"]],
           "opencl": [["--device=opencl"], ["--device=opencl", "-O"], ["--device=opencl", "--spirv-version=1.0"]],
           "cuda": [["--device=cuda"], ["--device=cuda", "-O"]]}


def combined(start, x):
    """What the seven updates make of `start` with all of x."""
    kind = start.dtype.type
    results = [start[0] + x.sum(dtype=start.dtype), start[1] - x.sum(dtype=start.dtype), min(start[2], x.min()),
               max(start[3], x.max()), start[4] & np.bitwise_and.reduce(x),
               start[5] | (np.bitwise_or.reduce(x) & kind(0x5a5a)), start[6] ^ np.bitwise_xor.reduce(x)]
    return np.array(results, start.dtype)


def expected(x, before):
    everything, kind = before.copy(), x.dtype.type
    everything[:7] = combined(before[:7], x)
    everything[7], everything[16], everything[17] = 1, before[16] + kind(1), len(x)
    tickets = np.arange(len(x)).astype(x.dtype)
    everything[18] = (tickets * tickets).sum(dtype=x.dtype)
    for group in range(GROUPS):
        part = x[group * BLOCK:(group + 1) * BLOCK]
        everything[24 + 8 * group:31 + 8 * group] = combined(before[8:15], part)
    seen = np.stack([x + kind(2), x - (x + kind(1)), x + kind(1), x + kind(2)], axis=1)
    return everything, seen.ravel()


def run(mettle, folder, source, kernel, arguments, saved, options):
    command = [mettle, "run", source, f"--kernel={kernel}", f"--grid={GROUPS}", f"--block={BLOCK}", *options]
    command += [f"--arg={argument}" for argument in arguments]
    command += [f"--save={name}={folder}/{name}.npy" for name in saved]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return [np.load(f"{folder}/{name}.npy") for name in saved]


def compare(what, got, wanted):
    wrong = np.flatnonzero(got.view(np.uint8) != wanted.view(np.uint8)) // got.itemsize
    for place in sorted(set(wrong))[:5]:
        print(f"{what}[{place}] is {got[place]}, expected {wanted[place]}")
    return len(set(wrong)), got.size


def main():
    judge, mettle = sys.argv[1], Path(sys.argv[2]) / "bin" / "mettle"
    words = wrong = 0
    rng = np.random.default_rng(9)
    with tempfile.TemporaryDirectory() as name, np.errstate(over="ignore"):
        folder = Path(name)
        for spelling, (spec, kind) in TYPES.items():
            source = folder / f"{spelling}.mettle"
            source.write_text(SOURCE.replace("TYPE*", f"{spelling}*").replace("TYPE", spelling))
            x = rng.integers(0, 2**64, COUNT, np.uint64).astype(kind)
            before = rng.integers(0, 2**64, 24 + 8 * GROUPS, np.uint64).astype(kind)
            before[[7, 17, 18]] = 0
            before[[4, 12]] = ~kind(0)
            before[[0, 2, 10]] = np.iinfo(kind).max
            before[[3, 11]] = np.iinfo(kind).min
            np.save(folder / "in_x.npy", x)
            np.save(folder / "in_all.npy", before)
            arguments = [f"{spec}[{COUNT}]=@{folder}/in_x.npy", f"{spec}[{len(before)}]=@{folder}/in_all.npy",
                         f"{spec}[{4 * COUNT}]=zeros", str(COUNT)]
            for options in OPTIONS[judge]:
                got = run(mettle, folder, source, "updates", arguments, ["all", "seen"], options)
                for what, array, wanted in zip(["all", "seen"], got, expected(x, before)):
                    different, count = compare(f"{spelling} {options} {what}", array, wanted)
                    wrong, words = wrong + different, words + count
        x = rng.integers(-1000, 1000, COUNT).astype(np.float32)
        np.save(folder / "in_x.npy", x)
        arguments = [f"f32[{COUNT}]=@{folder}/in_x.npy", f"f32[{1 + GROUPS}]=zeros", "f64[1]=zeros", str(COUNT)]
        parts = [x[group * BLOCK:(group + 1) * BLOCK].sum() for group in range(GROUPS)]
        wanted = [np.array([x.sum(), *parts], np.float32), np.array([x.sum() / 1024.0], np.float64)]
        for options in OPTIONS[judge]:
            for what, array, right in zip("fd", run(mettle, folder, source, "sums", arguments, ["f", "d"], options),
                                          wanted):
                different, count = compare(f"sums {options} {what}", array, right)
                wrong, words = wrong + different, words + count
    print(f"{judge}: {words} words, {wrong} differ")
    sys.exit(wrong != 0)


main()
