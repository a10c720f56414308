#!/usr/bin/env python3
"""Assertions and prints are the same lines from the interpreter and a device.

    checks.py DEVICE BUILD

DEVICE is `emulate`, `opencl` or `cuda`. Compares what a launch says on the standard error and what it writes, with
and without -O; that the arrays are the same without --gpu-checks; that one failed assertion is one line, in the emulator
also where what follows it is a fault; and that what does not fit is counted.
"""

import re
import subprocess
import sys
from pathlib import Path

ASSERTION = ("checks.mettle:3:3: error: work-item (5, 0, 0) of workgroup (1, 0, 0) fails an assertion of kernel '%s': "
             "index in range")
SOURCE = Path(__file__).parent / "Inputs" / "checks.mettle"


def run(build, device, kernel, launch, n, *options):
    return subprocess.run([f"{build}/bin/mettle", "run", SOURCE, f"--kernel={kernel}", *launch.split(), f"--device={device}",
                           f"--arg=f32[{n}]=rand:3", f"--arg=f32[{n}]=zeros", f"--arg={n if kernel != 'floods' else 600}",
                           *options], capture_output=True, text=True)


def expect(condition, what, result=None):
    if not condition:
        sys.exit(f"{what}: {result.stdout + result.stderr if result else ''}")


def main():
    device, build = sys.argv[1:]
    launch = "--grid=3,2 --block=2,3,4"
    plain = run(build, "interp", "prints", launch, 144)
    expect(plain.returncode == 0 and not re.search("round", plain.stderr), "without checks", plain)
    lines = None
    for where in ["interp", device]:
        for optimize in [[], ["-O"]]:
            said = run(build, where, "prints", launch, 144, "--gpu-checks", *optimize)
            expect(said.returncode == 0 and said.stdout == plain.stdout, f"{where} {optimize}: other arrays", said)
            printed = [line for line in said.stderr.splitlines() if "warning" not in line and re.match(r"-?\d|no values", line)]
            lines = lines or printed
            expect(printed == lines and len(lines) == 3 * 2 * (24 + 2), f"{where} {optimize}: {len(printed)} other lines", said)
    print(f"{device}: {len(lines)} lines printed, the same")

    for where in ["interp", device]:
        for optimize in [[], ["-O"]]:
            said = run(build, where, "asserts", "--grid=2 --block=32", 64, "--gpu-checks", *optimize)
            told = [line for line in said.stderr.splitlines() if "error" in line]
            expect(len(told) == 1 and told[0].endswith(ASSERTION % "asserts") and said.returncode == 1 and not said.stdout,
                   f"{where} {optimize}: another assertion", said)
            # The interpreter ends there, the others go on.
            count = sum(line.startswith("item ") for line in said.stderr.splitlines())
            expect(count == (38 if where == "interp" else 64), f"{where}: {count} prints", said)
    if device == "emulate":
        checked = run(build, device, "prints", launch, 144, "--gpu-checks", "--check")
        expect(checked.returncode == 0 and checked.stdout == plain.stdout, "a race of prints", checked)
        said = run(build, device, "faults", "--grid=2 --block=32", 64, "--gpu-checks")
        told = [line for line in said.stderr.splitlines() if "error" in line]
        expect(len(told) == 1 and told[0].endswith(ASSERTION % "faults"), "the fault behind an assertion", said)
    print(f"{device}: the same assertion")

    said = run(build, device, "floods", "--grid=4 --block=32", 64, "--gpu-checks")
    shown = sum(1 for line in said.stderr.splitlines() if re.fullmatch(r"\d+ \d+", line))
    # A record is ten words, of 2^18.
    expect(said.returncode == 0 and shown == 2**18 // 10 and
           f"mettle: warning: {4 * 32 * 600 - shown} prints found no room in the buffer and are lost" in said.stderr,
           f"{shown} prints shown", None)
    print(f"{device}: {shown} prints fit, the others are counted")


if __name__ == "__main__":
    main()
