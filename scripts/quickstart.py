#!/usr/bin/env python3
"""Shows the whole path on one kernel: source, PTX, ptxas's judgement, a run on the CPU, the check.

Every step is a command a user can repeat; each is printed before its result.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

ROOT = Path(__file__).resolve().parent.parent
TARGETS = ["sm_75", "sm_90a", "sm_121a"]
N = 1000


def show(command):
    print("$ " + " ".join(str(part) for part in command))


def run(command, shown=None):
    """Runs a command, which must succeed, and returns what it printed."""
    show(shown or command)
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"quickstart: error: exit code {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def find_ptxas():
    found = sorted((ROOT / ".venv").glob("lib/python*/site-packages/nvidia/cu*/bin/ptxas"))
    if not found:
        sys.exit("quickstart: error: no ptxas in .venv: run scripts/setup.sh")
    return found[0]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: quickstart.py BUILD")
    mettle = Path(sys.argv[1]) / "bin" / "mettle"
    source = ROOT / "examples" / "vadd.mettle"
    ptxas = find_ptxas()

    print(f"== The kernel: examples/{source.name}\n\n{source.read_text()}")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        print("== Compile it to PTX, and have ptxas judge the text\n")
        for target in TARGETS:
            ptx, cubin = folder / f"vadd.{target}.ptx", folder / f"vadd.{target}.cubin"
            run([mettle, "-O", "--emit-ptx", f"--gpu-arch={target}", source, "-o", ptx],
                ["mettle", "-O", "--emit-ptx", f"--gpu-arch={target}", "examples/vadd.mettle", "-o", ptx.name])
            report = run([ptxas, f"-arch={target}", "-v", ptx, "-o", cubin],
                         ["ptxas", f"-arch={target}", "-v", ptx.name])
            registers = re.search(r"Used (\d+) registers", report).group(1)
            spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", report)
            print(f"  accepted: {registers} registers, {spills.group(1)} bytes spilled\n")
            if spills.groups() != ("0", "0"):
                sys.exit("quickstart: error: ptxas spilled registers")

        print("== Run it on the CPU\n")
        saved = {name: folder / f"{name}.npy" for name in "abc"}
        arguments = [f"f32[{N}]=rand:1", f"f32[{N}]=rand:2", f"f32[{N}]=zeros", str(N)]
        command = ["--kernel=vadd", "--grid=4", "--block=256"] + [f"--arg={text}" for text in arguments]
        print(run([mettle, "run", source] + command + [f"--save={name}={path}" for name, path in saved.items()],
                  ["mettle", "run", "examples/vadd.mettle"] + command))

        a, b, c = (numpy.load(saved[name]) for name in "abc")
        wrong = numpy.flatnonzero((a + b).view(numpy.uint32) != c.view(numpy.uint32))
        print("== Check\n")
        print(f"  c[i] has the bits of a[i] + b[i], rounded to nearest even, for all {N} elements: "
              + ("yes" if wrong.size == 0 else f"no, first at {wrong[0]}"))
        for i in (0, 1, N - 1):
            print(f"  {a[i]:+.8f} + {b[i]:+.8f} = {c[i]:+.8f}   bits {c.view(numpy.uint32)[i]:08x}")
        if wrong.size:
            sys.exit(1)
    print("\nNext: docs/getting-started.md")


if __name__ == "__main__":
    main()
