#!/usr/bin/env python3
"""What mettle-stage-async-copies makes returns the bits of what it had.

    staged.py BUILD JUDGE...

A JUDGE is a device of `mettle run`. Each runs the kernel with and without -O, on arrays with every kind of float, and
all return what the interpreter does without.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

SOURCE = Path(__file__).parent / "Inputs" / "staged.mettle"
ARRAYS = ["x=f32[128]=nan:1", "y=f64[128]=nan:2", "n=i32[128]=rand:3", "out=f32[128]=zeros", "outs=f64[128]=zeros",
          "sums=i32[128]=zeros"]


def run(build, folder, *options):
    command = [build / "bin" / "mettle", "run", SOURCE, "--grid=2", "--block=64", "--shared=512", *options]
    command += ["--arg=" + text.split("=", 1)[1] for text in ARRAYS]
    command += [f"--save={name}={folder}/{name}.npy" for name in ("out", "outs", "sums")]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)
    return b"".join(np.load(f"{folder}/{name}.npy").tobytes() for name in ("out", "outs", "sums"))


def main():
    build, judges = Path(sys.argv[1]), sys.argv[2:]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        plain = run(build, folder)
        for judge in judges:
            for options in ([], ["-O"], ["-O", "--gpu-arch=sm_75"]):
                same = run(build, folder, f"--device={judge}", *options) == plain
                print(judge, *options, "equal" if same else "differs")
                bad += not same
    sys.exit(bad != 0)


main()
