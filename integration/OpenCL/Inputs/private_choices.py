"""private_choices.py BUILD: private memory at addresses that a condition of the work-item chooses, on the OpenCL device.

One device's compiler lost stores there (lib/Conversion/MettleToSPIRV/Memory.cpp). Every element type, both versions of
SPIR-V, with and without -O, compared with the interpreter.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

TYPES = {"int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float32": "f32", "float64": "f64"}
INDICES = ["(int32)(x[i] > 0.0)", "(int32)(x[i] > 0.0) + 2", "(int32)(x[i] > 0.0) * 5", "((int32)x[i] & 1) * 3 + 1"]


def kernel(kind):
    lines = [f"kernel k(x: float32*, out: {kind}*) {{", "  var i: int32 = thread.x;"]
    for n, index in enumerate(INDICES):
        lines += [f"  private var a{n}: {kind}[8];", f"  for j in 0..8 {{ a{n}[j] = ({kind})j; }}",
                  f"  a{n}[{index}] = ({kind})99;", f"  out[{32 * n} + i] = a{n}[i & 7];"]
    lines += [f"  var low: {kind} = ({kind})1;", f"  var high: {kind} = ({kind})2;", f"  var p: {kind}* = &low;",
              "  if (x[i] > 0.5) { p = &high; }", f"  *p = ({kind})7;", f"  out[{32 * len(INDICES)} + i] = low * ({kind})10 + high;"]
    return "\n".join(lines + ["}", ""])


def run(build, source, element, size, folder, *options):
    path = os.path.join(folder, "out.npy")
    subprocess.run([f"{build}/bin/mettle", "run", source, "--block=32", "--arg=f32[32]=rand:5", f"--arg={element}[{size}]=zeros",
                    f"--save=out={path}", *options], check=True, stdout=subprocess.DEVNULL)
    return np.load(path)


def main():
    faults = count = 0
    for kind, element in TYPES.items():
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "k.mettle")
            with open(source, "w") as file:
                file.write(kernel(kind))
            size = 32 * (len(INDICES) + 1)
            expected = run(sys.argv[1], source, element, size, folder)
            for options in ([], ["-O"], ["--spirv-version=1.0"], ["--spirv-version=1.0", "-O"]):
                got = run(sys.argv[1], source, element, size, folder, "--device=opencl", *options)
                count += 1
                if got.tobytes() != expected.tobytes():
                    faults += 1
                    print(f"error: {kind} {' '.join(options)}: rows {np.flatnonzero((got != expected).reshape(-1, 32).any(1))} differ")
    print(f"{count} kernels with chosen private addresses, {faults} differ")
    sys.exit(faults != 0)


main()
