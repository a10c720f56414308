"""check_operations.py COUNT SEED VERSION...: every operation of every type on the OpenCL device, bit for bit against numpy.

One kernel a type computes all its operations on each work-item's operands. NaNs are equal: which NaN an operation returns is
not part of a program's bits.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from operands import FLOATS, WIDTHS, operands, word_type
from operations import operations

TYPES = ["i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "bf16"]
GROUP = 64


def storage(element):
    return "i8" if element == "i1" else element


def kernel_text(element, table, count):
    """One kernel, and the result types whose arrays are its arguments after the operands."""
    kind = storage(element)
    results = sorted({storage(kind if op.result == "T" else op.result) for op in table})
    arguments = [f"%in_{n}: !mettle.ptr<{kind}, global>" for n in "abc"]
    arguments += [f"%out_{r}: !mettle.ptr<{r}, global>" for r in results]
    lines = [f"mettle.kernel @all({', '.join(arguments)}) {{", "%g = mettle.block_id x", "%l = mettle.thread_id x",
             f"%size = arith.constant {GROUP} : i32", "%base = arith.muli %g, %size : i32", "%i32 = arith.addi %base, %l : i32",
             "%i = arith.extui %i32 : i32 to i64"]
    for name in "abc":
        lines += [f"%at_{name} = mettle.offset %in_{name}[%i] : !mettle.ptr<{kind}, global>",
                  f"%{name} = mettle.load %at_{name} : !mettle.ptr<{kind}, global> -> {kind}"]
    slots = dict.fromkeys(results, 0)
    for number, op in enumerate(table):
        result = kind if op.result == "T" else op.result
        body = re.sub(r"\bT\b", kind, op.text)
        # Names other than those of the operands are the operation's own.
        body = re.sub(r"%(?!(?:a|b|c)\b)([a-z]+)", rf"%\1_{number}", body)
        lines += body.splitlines()
        value = f"%r_{number}"
        if result == "i1":
            lines.append(f"%w_{number} = arith.extui {value} : i1 to i8")
            value, result = f"%w_{number}", "i8"
        lines += [f"%k_{number} = arith.constant {slots[result] * count} : i64",
                  f"%j_{number} = arith.addi %i, %k_{number} : i64",
                  f"%o_{number} = mettle.offset %out_{result}[%j_{number}] : !mettle.ptr<{result}, global>",
                  f"mettle.store {value}, %o_{number} : {result}, !mettle.ptr<{result}, global>"]
        slots[result] += 1
    return "\n".join(lines + ["mettle.return", "}", ""]), slots


def values(words, element):
    return words.view(FLOATS[element]) if element in FLOATS else words


def check(element, count, seed, version, folder):
    # SPIR-V 1.0 has no f16, for which a fused multiply-add has no other exact form.
    table = [op for op in operations(element) if (element, version, op.name) != ("f16", "1.0", "math.fma")]
    kind = storage(element)
    text, slots = kernel_text(element, table, count)
    source, module = (os.path.join(folder, "k" + suffix) for suffix in (".mlir", ".spv"))
    with open(source, "w") as file:
        file.write(text)
    subprocess.run(["mettle-translate", "--mettle-to-spirv", f"--spirv-version={version}", source, "-o", module], check=True)
    subprocess.run(["spirv-val", "--target-env", "opencl2.0" if version == "1.0" else "spv1.4", module], check=True)

    inputs = [operands(kind, count, seed + n) for n in range(3)]
    paths = []
    for name, data in [*zip("abc", inputs), *((r, np.zeros(n * count, word_type(r))) for r, n in slots.items())]:
        paths.append(os.path.join(folder, name))
        data.tofile(paths[-1])
    subprocess.run(["mettle-opencl-run", f"--grid={count // GROUP}", f"--block={GROUP}", module, "all",
                    *("array:" + path for path in paths)], check=True)

    outputs = {r: np.fromfile(os.path.join(folder, r), word_type(r)).reshape(-1, count) for r in slots}
    used = dict.fromkeys(slots, 0)
    faults = 0
    with np.errstate(all="ignore"):
        for op in table:
            result = kind if op.result == "T" else op.result
            stored = storage(result)
            words = outputs[stored][used[stored]]
            used[stored] += 1
            arguments = [values(data, kind) for data in inputs]
            expected = np.asarray(op.reference(*arguments))
            expected = expected.astype(np.uint8) if result == "i1" else expected.view(word_type(result))
            same = words == expected
            if result in FLOATS:
                got, wanted = values(words, result), values(expected, result)
                same |= (got != got) & (wanted != wanted)
            if op.defined:
                same |= ~op.defined(*arguments)
            if not same.all():
                faults += 1
                at = int(np.argmin(same))
                shown = ", ".join(f"{int(data[at]):#x}" for data in inputs)
                print(f"error: {element}, SPIR-V {version}: {op.name} of {shown}: expected {int(expected[at]):#x}, "
                      f"got {int(words[at]):#x} ({int((~same).sum())} of {count} differ)")
    return faults, len(table)


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    faults = number = 0
    for version in sys.argv[3:]:
        for element in TYPES:
            with tempfile.TemporaryDirectory() as folder:
                found, checked = check(element, count, seed, version, folder)
                faults, number = faults + found, number + checked
    print(f"{number} operations on {count} operands each, {faults} differ")
    sys.exit(faults != 0)


main()
