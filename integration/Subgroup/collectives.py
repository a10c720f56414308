#!/usr/bin/env python3
"""Subgroup operations: a Python model, the interpreter and devices return the same bits.

    collectives.py JUDGE BUILD [DEEP]

JUDGE is `interp` (the interpreter against the model, for every subgroup size), `expanded` (the
interpreter on what mettle-expand-subgroup makes, with the size known and not), `opencl` (the first
OpenCL device, sizes 8 to 64, with and without -O), `emulate` (the emulator of PTX, size 32) or `cuda`
(the first NVIDIA GPU, size 32).

Workgroups of 3 to 128 work-items, so that the last subgroup lacks lanes, of which some return first. A
device compiles each of them anew: unless DEEP is 1 it runs the shapes that lack lanes, with or
without -O in turn.
Bits are equal, or both are NaN.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SOURCE = (Path(__file__).parent / "Inputs" / "collectives.mettle").read_text()
COLUMNS = {"ints": (np.int32, 16), "floats": (np.float32, 10), "doubles": (np.float64, 5), "longs": (np.int64, 4)}


def tree(combine, items):
    """The balanced tree that pairs neighbours first; None is absent."""
    while len(items) > 1:
        pairs = zip(items[0::2], items[1::2])
        items = [b if a is None else a if b is None else combine(a, b) for a, b in pairs]
    return items[0]


def sequential(combine, items):
    total = None
    for item in items:
        if item is not None:
            total = item if total is None else combine(total, item)
    return total


def add(a, b):
    return type(a)(a + b)


def extreme(pick):
    """NaN if one is, and -0.0 below +0.0."""
    def combine(a, b):
        if a != a or b != b:
            return type(a)(np.nan)
        if a == b:
            negative = a if np.signbit(a) else b
            return negative if pick is min else (b if negative is a else a)
        return pick(a, b)
    return combine


def subgroup(size, items, t0):
    """Rows of results of one subgroup: `items` are (v, a, b) or None, lane by lane."""
    lanes = items + [None] * (size - len(items))
    V, A, B = ([item and item[k] for item in lanes] for k in range(3))

    def upto(values, end):
        return [value if lane < end else None for lane, value in enumerate(values)]

    def scan(order, values, lane, inclusive):
        below = upto(values, lane + inclusive)
        total = order(add, below)
        return type(values[lane])(0) if total is None else total

    def read(values, lane, source):
        present = 0 <= source < size and values[source] is not None
        return values[source if present else lane]

    def ballot(word):
        bits = 0
        for lane, v in enumerate(V):
            if v is not None and v > 0:
                bits |= 1 << lane
        return np.uint32(bits >> 32 * word & 0xffffffff).astype(np.int32) if word < 4 else np.int32(0)

    def unsigned(values):
        return [v if v is None else v.astype(np.uint32) for v in values]

    def longs(of):
        return [None if v is None else of(v.astype(np.int64), np.int64(t0 + lane)) for lane, v in enumerate(V)]

    cubes, products = longs(lambda v, t: v * v * v), longs(lambda v, t: v * t)
    squares = longs(lambda v, t: v * v)
    there = [v for v in V if v is not None]
    for lane in range(len(items)):
        if V[lane] is None:
            continue
        t = t0 + lane
        up = int(V[lane].astype(np.uint32))
        yield lane, {
            "ints": [lane + 1000 * size, tree(add, V), tree(min, V), tree(max, V),
                     tree(min, unsigned(V)).astype(np.int32), tree(max, unsigned(V)).astype(np.int32),
                     scan(tree, V, lane, 1), scan(tree, V, lane, 0),
                     read(V, lane, t * 7 - 5), read(V, lane, lane ^ (t % 3 * 5)), read(V, lane, lane - up),
                     read(V, lane, lane + t % 9), ballot(t % 5), any(v > 1500000000 for v in there),
                     all(v > -1500000000 for v in there), V[1]],
            "floats": [tree(add, A), sequential(add, A), tree(extreme(min), A), tree(extreme(max), A),
                       scan(tree, A, lane, 1), scan(tree, A, lane, 0), scan(sequential, A, lane, 1),
                       scan(sequential, A, lane, 0), read(A, lane, 31 - t), np.float32(np.float16(A[1]))],
            "doubles": [tree(add, B), tree(extreme(max), B), read(B, lane, lane - 1), scan(tree, B, lane, 1),
                        tree(extreme(min), B)],
            "longs": [tree(add, cubes), tree(min, products), read(squares, lane, lane ^ 1),
                      scan(tree, squares, lane, 0)],
        }


def specials(rng, kind, count):
    """Numbers of many magnitudes, with zeros of both signs, infinities and NaNs among them."""
    values = (rng.standard_normal(count) * 2.0 ** rng.integers(-20, 20, count)).astype(kind)
    odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40], kind)
    where = rng.random(count) < rng.choice([0.0, 0.1, 0.9])
    return np.where(where, rng.choice(odd[: rng.choice([2, 4, 7])], count), values).astype(kind)


class Case:
    """One launch: two workgroups and what they compute."""

    def __init__(self, size, block, seed):
        rng = np.random.default_rng(seed)
        self.size, self.block, count = size, block, 2 * block
        lane = np.arange(count) % block % size
        # Lane 1 stays, because every subgroup broadcasts it; so one of a single lane stands alone.
        self.keep = ((rng.random(count) >= rng.choice([0.0, 0.3, 0.95])) | (lane == 1)).astype(np.uint8)
        self.x = rng.integers(-2**31, 2**31, count).astype(np.int32)
        near = rng.random(count) < 0.5
        self.x[near] = rng.integers(-3, 70, near.sum())
        self.f, self.d = specials(rng, np.float32, count), specials(rng, np.float64, count)

    def expected(self):
        count = 2 * self.block
        out = {name: np.zeros((count, columns), kind) for name, (kind, columns) in COLUMNS.items()}
        with np.errstate(all="ignore"):
            for start in [g * self.block + s for g in range(2) for s in range(0, self.block, self.size)]:
                end = min(start + self.size, (start // self.block + 1) * self.block)
                items = [(self.x[i], self.f[i], self.d[i]) if self.keep[i] else None for i in range(start, end)]
                for lane, row in subgroup(self.size, items, start % self.block):
                    for name, values in row.items():
                        out[name][start + lane] = values
        return out

    def run(self, mettle, source, *options):
        with tempfile.TemporaryDirectory() as folder:
            inputs = {"keep": self.keep, "x": self.x, "f": self.f, "d": self.d}
            arguments = []
            for (name, array), spec in zip(inputs.items(), ["u8", "i32", "f32", "f64"]):
                np.save(f"{folder}/{name}.npy", array)
                arguments.append(f"--arg={spec}[{array.size}]=@{folder}/{name}.npy")
            for (name, (kind, columns)), spec in zip(COLUMNS.items(), ["i32", "f32", "f64", "i64"]):
                # The model leaves zeros where a lane has returned.
                arguments.append(f"--arg={spec}[{2 * self.block * columns}]=zeros")
            saves = [f"--save={'arg%d' % (4 + i) if source.suffix == '.mlir' else name}={folder}/{name}.npy"
                     for i, name in enumerate(COLUMNS)]
            command = [mettle, "run", source, "--grid=2", f"--block={self.block}", *options, *arguments, *saves]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode:
                sys.exit(result.stderr)
            return {name: np.load(f"{folder}/{name}.npy").reshape(-1, columns)
                    for name, (_, columns) in COLUMNS.items()}


def differences(left, right):
    word = np.dtype(f"u{left.itemsize}")
    same = left.view(word) == right.view(word)
    if left.dtype.kind == "f":
        same |= np.isnan(left) & np.isnan(right)
    return np.argwhere(~same)


def judged(judge, build, folder, size):
    """(source, options) of every form that the judge runs."""
    mettle = build / "bin"
    fixed, free = folder / f"fixed{size}.mettle", folder / "free.mettle"
    fixed.write_text(SOURCE.replace("kernel ", f"kernel(subgroup = {size}) ", 1))
    free.write_text(SOURCE)
    if judge == "interp":
        return [(fixed, []), (free, [f"--subgroup-size={size}"])]
    if judge == "opencl":
        return [(fixed, ["--device=opencl", *more]) for more in ([], ["-O"])]
    if judge in ["cuda", "emulate"]:
        return [(fixed, [f"--device={judge}", *more]) for more in ([], ["-O"])]
    forms = []
    for source, known in [(fixed, size), (free, 0)]:
        neutral = subprocess.run([mettle / "mettle", "--emit-mlir", source], capture_output=True, check=True).stdout
        expanded = subprocess.run([mettle / "mettle-opt", f"--mettle-expand-subgroup=size={known}"], input=neutral,
                                  capture_output=True, check=True).stdout
        path = folder / f"expanded{size}-{known}.mlir"
        path.write_bytes(expanded)
        forms.append((path, [f"--subgroup-size={size}"] if not known else []))
    return forms


def main():
    judge, build, deep = sys.argv[1], Path(sys.argv[2]), sys.argv[3:] == ["1"]
    quick = judge in ["opencl", "cuda"] and not deep
    sizes = {"interp": [4, 8, 16, 32, 64], "expanded": [4, 8, 16, 32, 64], "opencl": [8, 16, 32, 64], "cuda": [32],
             "emulate": [32]}
    words, wrong = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes[judge]:
            forms = judged(judge, build, Path(folder), size)
            for seed, block in enumerate([size + 2, 3, 96] + ([] if quick else [2 * size, size])):
                case = Case(size, block, 100 * size + seed)
                expected = case.expected()
                for source, options in forms[seed % 2:seed % 2 + 1] if quick else forms:
                    got = case.run(build / "bin" / "mettle", source, *options)
                    for name, right in expected.items():
                        words += right.size
                        for row, column in differences(got[name], right)[:3]:
                            wrong += 1
                            print(f"size {size} block {block} {options}: {name}[{row}][{column}] is "
                                  f"{got[name][row, column]}, expected {right[row, column]}")
    print(f"{judge}: {words} words, {wrong} differ")
    sys.exit(wrong != 0)


main()
