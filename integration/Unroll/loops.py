#!/usr/bin/env python3
"""Loops of the wide integer types, up and down, with bounds at both ends of the type, as written and with -O.

    loops.py BUILD DEVICE

Each work-item sums elements in the order of its own count, from and to numbers of its own, and counts its rounds;
-O unrolls the loops. Sums and counts of the interpreter without -O must come back, bit for bit, from DEVICE
with -O. Prints a line a loop; exit status 1 at a difference, or where a loop is not treated as expected.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

TYPES = {"int32": np.int32, "int64": np.int64, "uint32": np.uint32, "uint64": np.uint64}
SHORT = {"int": "i", "uint": "u"}
STEPS = [1, 7, 50, 1_000_000_000]
ITEMS = 64

SOURCE = """kernel loop(x: float32*, from: {type}*, to: {type}*, sums: float32*, counts: int32*) {{
  var g: int32 = block.x * block_dim.x + thread.x;
  var sum: float32 = 0.0;
  var count: int32 = 0;
  var end: {type} = to[g];
  for (var i: {type} = from[g]; i {compared} end; i {stepped} {step}) {{
    sum += x[(int32)i & 255];
    count += 1;
  }}
  sums[g] = sum;
  counts[g] = count;
}}
"""


def ranges(dtype, step, up, generator):
    """Starts and bounds of loops that end: the count never steps over the end of its type."""
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    ends = [low + k for k in (0, 1, 2, step, 3 * step - 1, 3 * step, 3 * step + 1)]
    ends += [high - k for k in (0, 1, 2, step, 3 * step - 1, 3 * step, 3 * step + 1)]
    pairs = []
    while len(pairs) < ITEMS:
        start = generator.choice(ends) if generator.random() < 0.7 else generator.randint(low, high)
        away = generator.randint(-3, 40) * (step if up else -step) + generator.randint(-1, 1)
        bound = generator.choice(ends) if generator.random() < 0.3 else start + away
        if not (low <= start <= high and low <= bound <= high):
            continue
        # The last count is short of the bound by at most a step, and goes one step on.
        if abs(bound - start) > 500 * step or (bound > high - step if up else bound < low + step):
            continue
        pairs.append((start, bound))
    return [np.array(column, dtype) for column in zip(*pairs)]


def run(build, source, folder, names, *options):
    command = [f"{build}/bin/mettle", "run", source, f"--grid={ITEMS // 32}", "--block=32", *options]
    command += [f"--arg={argument}" for argument in names]
    command += [f"--save={name}={folder}/{name}.npy" for name in ("sums", "counts")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return np.load(f"{folder}/sums.npy"), np.load(f"{folder}/counts.npy"), done.stderr


def main():
    build, device = sys.argv[1:]
    generator = random.Random(1)
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, dtype in TYPES.items():
            for up in (True, False):
                for step in STEPS:
                    source = f"{folder}/loop.mettle"
                    Path(source).write_text(SOURCE.format(type=name, step=step, compared="<" if up else ">",
                                                          stepped="+=" if up else "-="))
                    start, bound = ranges(dtype, step, up, generator)
                    np.save(f"{folder}/from.npy", start)
                    np.save(f"{folder}/to.npy", bound)
                    short = name.rstrip("0123456789")
                    element = SHORT[short] + name[len(short):]
                    arguments = ["f32[256]=rand:3", f"{element}[{ITEMS}]=@{folder}/from.npy",
                                 f"{element}[{ITEMS}]=@{folder}/to.npy", f"f32[{ITEMS}]=zeros", f"i32[{ITEMS}]=zeros"]
                    plain = run(build, source, folder, arguments)
                    fast = run(build, source, folder, arguments, "-O", "--explain", f"--device={device}")
                    expected = "[loop_too_far]" if 3 * step > np.iinfo(dtype).max else "[loop_unrolled]"
                    same = all(a.tobytes() == b.tobytes() for a, b in zip(plain[:2], fast[:2]))
                    good = same and expected in fast[2]
                    bad += not good
                    print(f"{name} {'up' if up else 'down'} by {step}: {plain[1].sum()} rounds, "
                          f"{'equal' if same else 'DIFFERENT'} {expected if expected in fast[2] else fast[2]}")
    print(f"{bad} loops differ")
    sys.exit(bool(bad))


main()
