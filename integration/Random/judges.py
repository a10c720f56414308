"""Runs a program on a judge and compares what two judges return."""

import re
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from generator import BLOCK, GRID, STORED

FLOAT = {np.float16, np.float32, np.float64}
# What each judge adds to `mettle run`.
JUDGES = {"interp": [], "interp -O": ["-O"], "cuda": ["--device=cuda"], "cuda -O": ["--device=cuda", "-O"],
          "opencl": ["--device=opencl"], "opencl -O": ["--device=opencl", "--spirv-version=1.0", "-O"]}


class Failure(Exception):
    """The judge refused the program or reported a fault."""


def run(build, judge, text, arguments):
    """The output arrays by name, in files of their own in a fresh folder."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "test.mettle"
        source.write_text(text)
        command = [f"{build}/bin/mettle", "run", source, f"--grid={GRID}", f"--block={BLOCK}", f"--shared={8 * BLOCK}",
                   "--step-limit=10000000", *JUDGES[judge], *[f"--arg={argument}" for argument in arguments],
                   *[f"--save=out_{kind}={folder}/{kind}.npy" for kind in STORED]]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode:
            raise Failure(result.stderr.replace(folder, ""))
        return {kind: np.load(f"{folder}/{kind}.npy") for kind in STORED}


def difference(left, right):
    """None when equal in bits, or in both being NaN; else a line naming the first element."""
    for kind in STORED:
        a, b = left[kind], right[kind]
        same = a.view(f"u{a.itemsize}") == b.view(f"u{b.itemsize}")
        if a.dtype.type in FLOAT:
            same |= np.isnan(a) & np.isnan(b)
        wrong = np.flatnonzero(~same)
        if wrong.size:
            return f"out_{kind}[{wrong[0]}] is {a[wrong[0]]!r} and {b[wrong[0]]!r}; {wrong.size} elements differ"
    return None


def verdict(build, judges, text, arguments):
    """None when every judge returns what the first does; else what went wrong, in one line."""
    try:
        first = run(build, judges[0], text, arguments)
        for judge in judges[1:]:
            found = difference(first, run(build, judge, text, arguments))
            if found:
                return f"{judges[0]} and {judge} differ: {found}"
    except Failure as failure:
        return "refused: " + re.sub(r":\d+:\d+:", ":", str(failure).splitlines()[0] if str(failure) else "no message")
    return None
