#!/usr/bin/env python3
"""Compares what mettle-verify-uniformity does for kernels of one shape and different length.

    uniformity_work.py BUILD

The work is counted, not timed: how often a value or a condition is looked at. Twice the statements are at most 2.1
times the work, and an operation is looked at a few times.
"""

import re
import subprocess
import sys

BUILD = sys.argv[1]


def kernel(statements, wraps):
    """Straight code, loops three deep, and ifs, each with a collective or a barrier in it, and a chain of values that
    become less uniform in turn."""
    lines = ["fn step(v: float32, n: int32) -> float32 {", "  if (n > 3) { return subgroup_broadcast(v, 0); }",
             "  return v * 0.5;", "}", "kernel(subgroup = 32) long(x: float32*, n: int32) {",
             "  workgroup var tile: float32[1024];", "  var i: int32 = thread.x;", "  var v: float32 = x[i];",
             "  var u: int32 = n;", "  tile[i] = v;", "  if (i >= 1000) { return; }" if wraps else ""]
    for number in range(statements // 10):
        lines += ["  v = v * 1.5 + (float32)u;", "  u = u * 3 + 1;",
                  "  for a in 0..n { for b in 0..a { for c in 0..u & 3 {", "    v = subgroup_reduce_add(v);",
                  "    u = u + b;" if number % 2 else "    u += 1;", "  } v += 1.0; } }",
                  "  if (n > 5) { v = step(v, u); }",
                  "  tile[i] = v;" if wraps else "  barrier();", "  if (i > 7) { v += 2.0; }",
                  "  tile[i] += v;"]
    lines += ["  x[i] = v;", "}"]
    return "\n".join(lines)


def work(statements, wraps):
    """How often the pass looked, and at how many operations."""
    module = subprocess.run([f"{BUILD}/bin/mettle-translate", "--import-mettle", "-"], input=kernel(statements, wraps),
                            capture_output=True, text=True, check=True).stdout
    run = subprocess.run([f"{BUILD}/bin/mettle-opt", "--mettle-verify-uniformity=count-work"], input=module,
                         capture_output=True, text=True)
    looked = re.search(r"remark: looked (\d+) times", run.stderr)
    if not looked:
        sys.exit(run.stderr[-2000:])
    return int(looked[1]), len(re.findall(r"^ +%|^ +(?:scf|mettle|func)\.", run.stdout, re.M))


for wraps in False, True:
    (half, _), (whole, operations) = work(5000, wraps), work(10000, wraps)
    linear = whole <= 2.1 * half and whole <= 12 * operations
    print(f"{'returning' if wraps else 'barriers'}: {half} for 5000 statements, {whole} for 10000 of {operations} operations: "
          f"{'linear' if linear else 'NOT LINEAR'}")
