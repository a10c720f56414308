"""lane_arithmetic.py BUILD: integer expressions that one device's compiler got wrong, on the OpenCL device.

Fills with the sign of a negated number, and linear functions of the lane, which it vectorized wrongly
(lib/Conversion/MettleToSPIRV/Integer.cpp): each in the widths of the language and both versions of SPIR-V, against the interpreter.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

VALUES = [v for w in (7, 8, 15, 16, 31) for v in (2**w, -2**w, 2**w - 1, -2**w - 1)] + [0, 1, -1, 2, 5, 77, -77, 100, -100, 63, 64, 65]
CASES = ["(-v) >> 31", "(int32)((int8)(-b)) >> 31", "(int32)((int8)(-b)) >> 7", "(int32)((int16)(-h)) >> 15", "(int32)((-n) >> 63)",
         "(int32)((-n) >> 31)", "0 - (int32)((-v) < 0)", "(~(v - 1)) >> 31", "(v * -1) >> 31", "((int8)(-b)) >> 20",
         "(int32)(l >> ((~l) + (-l)))", "(int32)(l >> (-1 - l - l))", "(int32)(l << ((-l) - l))", "(-1 - lane) - lane",
         "(lane * -3 - 5) - (lane << 1)", "x[31 - lane] + ((7 - lane) - (lane + lane))"]


def kernel():
    lines = ["kernel k(x: int32*, o: int32*) {", "  var lane: int32 = thread.x;", "  var v: int32 = x[lane];",
             "  var b: int8 = (int8)v;", "  var h: int16 = (int16)v;", "  var n: int64 = (int64)v << 32;",
             "  var l: uint32 = (uint32)lane;"]
    lines += [f"  o[lane + {32 * n}] = {case};" for n, case in enumerate(CASES)]
    return "\n".join(lines + ["}", ""])


def run(build, folder, *options):
    path = lambda name: os.path.join(folder, name)
    subprocess.run([f"{build}/bin/mettle", "run", path("k.mettle"), "--block=32", f"--arg=@{path('x.npy')}",
                    f"--arg=i32[{32 * len(CASES)}]=zeros", f"--save=o={path('o.npy')}", *options], check=True,
                   stdout=subprocess.DEVNULL)
    return np.load(path("o.npy")).reshape(-1, 32)


def main():
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "k.mettle"), "w") as file:
            file.write(kernel())
        np.save(os.path.join(folder, "x.npy"), np.array(VALUES, np.int64).astype(np.int32))
        expected = run(sys.argv[1], folder)
        for options in ([], ["-O"], ["--spirv-version=1.0"], ["--spirv-version=1.0", "-O"]):
            for n in np.flatnonzero((run(sys.argv[1], folder, "--device=opencl", *options) != expected).any(1)):
                faults += 1
                print(f"error: {' '.join(options)}: {CASES[n]} differs")
    print(f"{len(CASES)} expressions, {faults} differ")
    sys.exit(faults != 0)


assert len(VALUES) == 32
main()
