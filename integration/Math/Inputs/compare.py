#!/usr/bin/env python3
"""Compares the elementary functions between devices, bit for bit.

    compare.py DEVICE BUILD [--count N]

runs each function of functions.mettle on N inputs (a multiple of 256) on the interpreter and on the
device, with and without -O, and prints a line a function; exit status 1 at a difference. The inputs are
all exponents with random low bits, and the special values. Two NaNs are equal.
"""

import argparse
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SOURCE = pathlib.Path(__file__).parent / "functions.mettle"
#: The function, and what it is in double.
FUNCTIONS = {"exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "sin": np.sin, "cos": np.cos,
             "rsqrt": lambda x: 1 / np.sqrt(x), "tanh": np.tanh, "erf": np.vectorize(math.erf), "pow": None}


def inputs(count, seed):
    random = np.random.default_rng(seed)
    words = random.integers(0, 2**32, count, dtype=np.uint32)
    words[:512] = words[:512] & 0x7FFFFF | np.arange(512, dtype=np.uint32) << 23
    special = [0, 0x80000000, 1, 0x80000001, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000, 0xBF800000, 0x007FFFFF]
    words[512:512 + len(special)] = special
    return words.view(np.float32)


def run(build, kernel, arrays, *options):
    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for name, array in arrays.items():
            np.save(f"{folder}/{name}.npy", array)
            texts.append(f"--arg=f32[{array.size}]=@{folder}/{name}.npy")
        size = arrays["x"].size
        subprocess.run([f"{build}/bin/mettle", "run", str(SOURCE), f"--kernel={kernel}_of", f"--grid={size // 256}",
                        "--block=256", *texts, f"--arg=f32[{size}]=zeros", f"--save=out={folder}/out.npy", *options],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return np.load(f"{folder}/out.npy")


def differences(a, b):
    return np.flatnonzero((a.view(np.uint32) != b.view(np.uint32)) & ~(np.isnan(a) & np.isnan(b)))


def ulp_error(result, exact):
    """The largest error where both are finite."""
    with np.errstate(all="ignore"):
        finite = np.isfinite(exact.astype(np.float32)) & np.isfinite(result)
        ulp = np.exp2(np.maximum(np.floor(np.log2(np.abs(np.where(exact == 0, 1, exact)))), -126) - 23)
        return float(np.max(np.abs(result.astype(np.float64) - exact)[finite] / ulp[finite]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("device")
    parser.add_argument("build")
    parser.add_argument("--count", type=int, default=16384)
    arguments = parser.parse_args()
    failed = False
    for kernel, exact in FUNCTIONS.items():
        arrays = {"x": inputs(arguments.count, 1), "y": inputs(arguments.count, 2)}
        if exact is None:  # The exponents of powf are small, for a result of use.
            arrays["y"][1024:] = np.clip(arrays["y"][1024:], -8, 8)
            exact = lambda x: np.power(x, arrays["y"].astype(np.float64))  # noqa: E731
        expected = run(arguments.build, kernel, arrays)
        with np.errstate(all="ignore"):
            error = ulp_error(expected, exact(arrays["x"].astype(np.float64)))
        line = f"{kernel:6} {arguments.count} inputs, at most {error:.2f} ulp from exact"
        if error > 1.5:
            line, failed = line + ": too far", True
        for name, options in {"interp -O": ["-O"], arguments.device: [f"--device={arguments.device}"],
                              f"{arguments.device} -O": [f"--device={arguments.device}", "-O"]}.items():
            where = differences(expected, run(arguments.build, kernel, arrays, *options))
            line += f"; {name}: {where.size} differ"
            if where.size:
                first = where[0]
                line += f", first f({arrays['x'][first]!r}) = {expected[first]!r} on the interpreter"
                failed = True
        print(line, flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
