#!/usr/bin/env python3
"""Runs the benchmarks: each states its peer, times it in the same run and prints a ratio.

A benchmark is a module of this folder with a function `measure` from the options to results;
`BENCHMARKS` lists them. Exit status 1 when a ratio misses its target.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import platform
import re
import sys
import time

import compile_speed
import emulator_speed
import gemm_speed
import ptx_reading
from timing import BenchmarkError

BENCHMARKS = {
    "compile-speed": compile_speed.measure,
    "emulator-speed": emulator_speed.measure,
    "gemm-speed": gemm_speed.measure,
    "ptx-reading": ptx_reading.measure,
}


def table(rows: list) -> str:
    head = ("benchmark", "what", "ours", "peer", "theirs", "ratio", "target")
    cells = [head] + [(name, one.what, one.ours, one.peer, one.theirs, f"{one.ratio:.2f}",
                       f"{one.bound} {one.target:.2f}: {'met' if one.met else 'missed'}" if one.bound else "")
                      for name, one in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in cells)


def machine() -> str:
    """The processor, and how many of it; a busy machine measures worse, so its load is told apart."""
    names = re.findall(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    return f"{len(names)} x {names[0]}" if names else platform.machine()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder of the release preset")
    parser.add_argument("names", nargs="*", help=f"of {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument("--runs", type=int, default=21, help="alternating runs a contestant (default 21)")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall",
                        help="wall time, or processor time, for a busy machine (default wall)")
    parser.add_argument("--peer-compiler", help="path of the C compiler of the same language")
    parser.add_argument("--json", type=pathlib.Path, help="also write the results, with machine and date")
    options = parser.parse_args()
    options.source = pathlib.Path(__file__).resolve().parent.parent
    options.mettle = (options.build / "bin" / "mettle").resolve()
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        print(f"run.py: error: expected one of {', '.join(BENCHMARKS)}, found '{unknown[0]}'", file=sys.stderr)
        return 2
    if not options.mettle.exists():
        print(f"run.py: error: expected the compiler at {options.mettle}, found none", file=sys.stderr)
        return 2

    rows = []
    for name in options.names or BENCHMARKS:
        try:
            rows += [(name, row) for row in BENCHMARKS[name](options)]
        except BenchmarkError as error:
            print(f"run.py: error: {name}: {error}", file=sys.stderr)
            return 1
    print(table(rows))
    if options.json:
        options.json.write_text(json.dumps({
            "date": time.strftime("%Y-%m-%d"),
            "machine": machine(),
            "load": os.getloadavg()[0],
            "runs": options.runs,
            "clock": options.clock,
            "results": [{"benchmark": name, **dataclasses.asdict(row), "met": row.met} for name, row in rows],
        }, indent=2) + "\n")
    return 0 if all(row.met for _, row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
