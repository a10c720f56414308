"""barrier_values.py BUILD: values of each float type that are live across a barrier, on the OpenCL device.

One device's compiler lost the lanes of a negated value there (lib/Conversion/MettleToSPIRV/Negation.cpp). Every way to
write a sign change is tried behind operations that keep it from being moved into a load, for both versions of SPIR-V, and
compared with the interpreter.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

SUFFIX = {"float32": "f", "float64": ""}
NEGATIONS = ["-{0}", "{0} * -1.0", "-1.0 * {0}", "{0} / -1.0", "-0.0 - {0}", "-(-{0})"]
OPERANDS = ["x[at]", "(x[at] + x[i])", "sqrt{f}(x[at])", "fma{f}(x[at], x[i], x[i + 1])", "fabs{f}(x[at] - x[i])"]
BLOCK, GRID, INPUTS = 32, 2, 256


def kernel(kind):
    """A kernel that stores every value, and a quotient of it, behind one barrier."""
    values = [n.format(o.format(f=SUFFIX[kind])) for n in NEGATIONS for o in OPERANDS]
    lines = [f"kernel k(x: {kind}*, out: {kind}*) {{", "  var i: int32 = thread.x + block.x * block_dim.x;",
             f"  var at: int32 = (i + 219) & {INPUTS - 1};"]
    lines += [f"  var v{n}: {kind} = {value};" for n, value in enumerate(values)]
    lines.append("  barrier();")
    for n in range(len(values)):
        lines += [f"  out[{2 * n * BLOCK * GRID} + i] = v{n};",
                  f"  out[{(2 * n + 1) * BLOCK * GRID} + i] = v{n} / fabs{SUFFIX[kind]}(v{n});"]
    return "\n".join(lines + ["}", ""]), values


def run(build, source, element, size, folder, *options):
    path = os.path.join(folder, "out.npy")
    subprocess.run([f"{build}/bin/mettle", "run", source, f"--grid={GRID}", f"--block={BLOCK}",
                    f"--arg={element}[{INPUTS}]=special:7", f"--arg={element}[{size}]=zeros", f"--save=out={path}", *options],
                   check=True, stdout=subprocess.DEVNULL)
    return np.load(path)


def main():
    faults = count = 0
    for kind, element in (("float32", "f32"), ("float64", "f64")):
        text, values = kernel(kind)
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "k.mettle")
            with open(source, "w") as file:
                file.write(text)
            size = 2 * len(values) * BLOCK * GRID
            expected = run(sys.argv[1], source, element, size, folder)
            for options in ([], ["-O"], ["--spirv-version=1.0"], ["--spirv-version=1.0", "-O"]):
                got = run(sys.argv[1], source, element, size, folder, "--device=opencl", *options)
                same = (got.view(f"u{got.itemsize}") == expected.view(f"u{got.itemsize}")) | (np.isnan(got) & np.isnan(expected))
                rows = same.reshape(-1, 2 * BLOCK * GRID).all(1)
                count += len(values)
                for n in np.flatnonzero(~rows):
                    faults += 1
                    print(f"error: {kind} {' '.join(options)}: {values[n]} differs")
    print(f"{count} values across a barrier, {faults} differ")
    sys.exit(faults != 0)


main()
