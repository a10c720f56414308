#!/usr/bin/env python3
"""Runs every kernel of examples/ and compares bits between judges.

    examples.py numpy  BUILD    the interpreter against a numpy model of the kernel
    examples.py -O     BUILD    the interpreter before and after the optimizing pipeline
    examples.py emulate BUILD   the interpreter against the emulator, which runs the PTX, with and without -O
    examples.py cuda   BUILD    the interpreter against the first NVIDIA GPU, with and without -O
    examples.py opencl BUILD    the interpreter against the first OpenCL device, in SPIR-V 1.4 and
                                1.0, with -O

Every output array of every launch is compared element for element, on random numbers, on a mix of
subnormals, infinities and signed zeros, and on the same mix with NaNs. Bits are equal, or both are
NaN: which NaN an operation returns is not part of a program's bits. Prints a line a launch and
exits with 1 at a difference.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from elementary import expf

ROOT = Path(__file__).resolve().parents[2]
FILLS = ["rand", "special", "nan"]
F32 = np.float32


def vadd(a, b, c, n):
    return {"c": a + b}


def saxpy(alpha, x, y, n):
    return {"y": alpha * x + y}


def row_sum(input, sums, rows, columns):
    padded = np.zeros((rows, -(-columns // 256) * 256), F32)
    present = np.zeros(padded.shape, bool)
    padded[:, :columns], present[:, :columns] = input.reshape(rows, columns), True
    partial = np.zeros((rows, 256), F32)
    for first in range(0, padded.shape[1], 256):
        part = slice(first, first + 256)
        partial = np.where(present[:, part], partial + padded[:, part], partial)
    total = np.zeros(rows, F32)
    for lane in range(256):
        total = total + partial[:, lane]
    return {"sums": total}


def pipelined_row_sum(input, sums, rows):
    total = np.zeros(rows, F32)
    for column in input.reshape(rows, 256).T:
        total = total + column
    return {"sums": total}


def transpose(input, output, rows, columns):
    return {"output": input.reshape(rows, columns).T.ravel()}


def stencil2d(input, output, width, height, rate):
    grid = input.reshape(height, width)
    result = grid.copy()
    inner = grid[1:-1, 1:-1]
    around = grid[1:-1, :-2] + grid[1:-1, 2:] + grid[:-2, 1:-1] + grid[2:, 1:-1]
    result[1:-1, 1:-1] = inner + rate * (F32(0.25) * around - inner)
    return {"output": result.ravel()}


def dot(a, b, partial, n):
    sums = np.zeros(-(-n // 256) * 256, F32)
    sums[:n] = a * b
    sums = sums.reshape(-1, 256)
    while sums.shape[1] > 1:
        sums = sums[:, 0::2] + sums[:, 1::2]
    return {"partial": sums.ravel()}


def lanes_sum(values):
    """Of each row: each lane sums every 32nd column from zero on, and the lanes are summed as a tree."""
    rows, columns = values.shape
    sums = np.zeros((rows, 32), F32)
    for first in range(0, columns, 32):
        sums[:, :min(32, columns - first)] += values[:, first:first + 32]
    while sums.shape[1] > 1:
        sums = sums[:, 0::2] + sums[:, 1::2]
    return sums


def layer_norm(input, weight, bias, output, rows, columns, input_stride, output_stride, epsilon):
    x = input.reshape(rows, input_stride)[:, :columns]
    centred = x - lanes_sum(x) / F32(columns)
    scale = F32(1) / np.sqrt(lanes_sum(centred * centred) / F32(columns) + epsilon)
    result = output.reshape(rows, output_stride).copy()
    result[:, :columns] = centred * scale * weight + bias
    return {"output": result.ravel()}


def softmax(input, output, rows, columns, input_stride, output_stride):
    x = input.reshape(rows, input_stride)[:, :columns]
    # A NaN is greater than nothing, and the maximum of lanes is NaN if one of them is, as the first column's may be.
    largest = np.where(np.isnan(x[:, :1]), x[:, :1], np.fmax.reduce(x, axis=1, keepdims=True))
    powers = expf(METTLE, x - largest)
    result = output.reshape(rows, output_stride).copy()
    result[:, :columns] = powers * (F32(1) / lanes_sum(powers))
    return {"output": result.ravel()}


def dynamic_view(input, output, origin, n):
    index = np.arange(n)
    mirrored = index - index % 128 + 127 - index % 128
    inside = mirrored < n
    source = np.where(inside, mirrored, 0)
    return {"output": np.where(inside, input[source], output),
            "origin": np.where(inside, source, origin).astype(np.uint32)}


# kernel[: which] -> (launch options, arguments in order). `?` is a fill, numbered by its position.
LAUNCHES = {
    "vadd": ("--grid=17 --block=64", ["f32[1000]=?", "f32[1000]=?", "f32[1000]=zeros", "1000"]),
    "saxpy": ("--grid=4 --block=256", ["1.1", "f32[1000]=?", "f32[1000]=?", "1000"]),
    "row_sum": ("--grid=5 --block=256", ["f32[3500]=?", "f32[5]=zeros", "5", "700"]),
    "pipelined_row_sum": ("--block=64", ["f32[3584]=?", "f32[14]=zeros", "14"]),
    "transpose": ("--grid=3,2 --block=32,8", ["f32[3500]=?", "f32[3500]=zeros", "50", "70"]),
    "stencil2d": ("--grid=3,7 --block=32,8", ["f32[3500]=?", "f32[3500]=zeros", "70", "50", "0.3"]),
    "dot": ("--grid=4 --block=256", ["f32[1000]=?", "f32[1000]=?", "f32[4]=zeros", "1000"]),
    "layer_norm": ("--grid=3 --block=64", ["f32[350]=?", "f32[67]=?", "f32[67]=?", "f32[345]=zeros", "5", "67", "70",
                                           "69", "0.00001"]),
    "layer_norm: few columns": ("--grid=2 --block=96", ["f32[60]=?", "f32[7]=?", "f32[7]=?", "f32[42]=zeros", "6", "7", "10",
                                                        "7", "0.00001"]),
    "softmax": ("--grid=3 --block=64", ["f32[350]=?", "f32[345]=zeros", "5", "67", "70", "69"]),
    "softmax: few columns": ("--grid=2 --block=96", ["f32[60]=?", "f32[42]=zeros", "6", "7", "10", "7"]),
    "softmax: one column": ("--grid=1 --block=64", ["f32[2]=?", "f32[6]=zeros", "2", "1", "1", "3"]),
    "dynamic_view": ("--grid=8 --block=128 --shared=1024",
                     ["f32[1000]=?", "f32[1000]=zeros", "u32[1000]=zeros", "1000"]),
}

# SPIR-V 1.0 has no shuffle, of which an ordered sum is made.
NOT_IN_1_0 = {"layer_norm", "softmax"}


class Launch:
    def __init__(self, build, name, fill):
        self.mettle = Path(build) / "bin" / "mettle"
        self.kernel, self.fill = name.split(":")[0], fill
        options, texts = LAUNCHES[name]
        self.options = options.split()
        self.texts = [text.replace("?", f"{fill}:{seed}") for seed, text in enumerate(texts)]
        self.model = globals()[self.kernel]
        self.names = self.model.__code__.co_varnames[:len(texts)]

    def run(self, *more):
        """Every array after a run, by the parameter's name."""
        with tempfile.TemporaryDirectory() as folder:
            arrays = [name for name, text in zip(self.names, self.texts) if "=" in text]
            command = [self.mettle, "run", ROOT / "examples" / f"{self.kernel}.mettle", *self.options, *more]
            command += [f"--arg={text}" for text in self.texts]
            command += [f"--save={name}={folder}/{name}.npy" for name in arrays]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode:
                sys.exit(f"{self.kernel}: {result.stderr}")
            return {name: np.load(f"{folder}/{name}.npy") for name in arrays}

    def expected(self):
        # Fills do not depend on the kernel, so vadd, told to add nothing, hands them out.
        values = []
        for text in self.texts:
            values.append(fill_of(self.mettle, text) if "=" in text else
                          F32(text) if "." in text else int(text))
        with np.errstate(all="ignore"):
            return self.model(*values)


def fill_of(mettle, text):
    """The array that `--arg` makes of a text."""
    spec = text.split("=")[0]
    if spec.startswith("u32"):
        return np.zeros(int(spec[4:-1]), np.uint32)
    size = int(spec[4:-1])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([mettle, "run", ROOT / "examples" / "vadd.mettle", f"--arg={text}", "--arg=f32[1]=zeros",
                        "--arg=f32[1]=zeros", "--arg=0", f"--save=a={folder}/a.npy"],
                       check=True, capture_output=True)
        array = np.load(f"{folder}/a.npy")
    assert array.shape == (size,)
    return array


def differences(left, right):
    """Indices at which two arrays differ in bits and are not both NaN."""
    same = left.view(np.uint32) == right.view(np.uint32)
    if left.dtype == F32:
        same |= np.isnan(left) & np.isnan(right)
    return np.flatnonzero(~same)


def compare(label, left, right):
    """Prints one line; returns whether every array that both have is equal."""
    equal = True
    for name in left.keys() & right.keys():
        wrong = differences(left[name], right[name])
        if wrong.size:
            i = wrong[0]
            print(f"{label}: {name}[{i}] is {left[name].view(np.uint32)[i]:08x} and "
                  f"{right[name].view(np.uint32)[i]:08x}; {wrong.size} of {left[name].size} differ")
            equal = False
    if equal:
        words = sum(left[name].size for name in left.keys() & right.keys())
        print(f"{label}: {words} words equal")
    return equal


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], prefix_chars="+")
    parser.add_argument("judge", choices=["numpy", "-O", "emulate", "cuda", "opencl"])
    parser.add_argument("build")
    args = parser.parse_args()
    equal = True
    global METTLE
    METTLE = Path(args.build) / "bin" / "mettle"
    for name in LAUNCHES:
        for fill in FILLS:
            launch = Launch(args.build, name, fill)
            plain = launch.run()
            label = f"{name} {fill}"
            if args.judge == "numpy":
                equal &= compare(label, launch.expected(), plain)
            elif args.judge == "-O":
                equal &= compare(label, plain, launch.run("-O"))
            elif args.judge in ("cuda", "emulate"):
                equal &= compare(label, plain, launch.run(f"--device={args.judge}"))
                equal &= compare(label + " -O", plain, launch.run(f"--device={args.judge}", "-O"))
            else:
                equal &= compare(label, plain, launch.run("--device=opencl"))
                if launch.kernel not in NOT_IN_1_0:
                    equal &= compare(label + " 1.0 -O", plain, launch.run("--device=opencl", "--spirv-version=1.0", "-O"))
    sys.exit(not equal)


if __name__ == "__main__":
    main()
