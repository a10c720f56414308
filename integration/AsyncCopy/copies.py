#!/usr/bin/env python3
"""Asynchronous copies of every type, transaction, hint and several lengths return the bytes of their sources.

    copies.py JUDGE BUILD
    copies.py ptxas BUILD TARGET...

JUDGE is `interp`, `opencl`, `emulate` (the emulator of PTX, with cp.async and replayed) or `cuda`. Each with and
without -O. Two workgroups of 32 work-items: each work-item stages elements in groups that are committed and waited
for in several ways, and writes out in reverse what its neighbour staged.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

BLOCK, GRID = 32, 2
TYPES = {"int8": 1, "uint16": 2, "float16": 2, "float32": 4, "float64": 8}
SPELLED = {"int8": "i8", "uint16": "u16", "float16": "f16", "float32": "f32", "float64": "f64"}


def cases(size):
    """(elements, transaction, hint) of the copies of a type."""
    for transaction, hint in [(4, "all"), (8, "all"), (16, "all"), (16, "global"), (4, "global")]:
        least = max(transaction // size, 1)
        for pieces in (1, 3, 18):
            yield least * pieces, transaction, hint


def total(size):
    return sum(count for count, _, _ in cases(size)) * BLOCK * GRID


def program():
    """A kernel and, for each type, where each case begins in its arrays."""
    pointers = ", ".join(f"{way}_{kind}: {kind}*" for kind in TYPES for way in ("in", "out"))
    lines = ["fn bring(to: float32*, from: float32*) {",
             "  async_copy_workgroup(to, from, 4, transaction: 16);",
             "  async_copy_commit();",
             "  async_copy_wait(0);",
             "}",
             f"kernel copies({pointers}, yes: int32) {{",
             "  var lane: int32 = thread.x;", f"  var other: int32 = {BLOCK - 1} - lane;"]
    for kind, size in TYPES.items():
        longest = max(count for count, _, _ in cases(size))
        lines.append(f"  workgroup var tile_{kind}: {kind}[{longest * BLOCK}];")
        begin = 0
        for number, (count, transaction, hint) in enumerate(cases(size)):
            source = f"in_{kind} + {begin} + (block.x * {BLOCK} + lane) * {count}"
            options = f"transaction: {transaction}, cache: {hint}"
            tile = f"&tile_{kind}[lane * {count}]"
            if number % 3 == 0:
                lines += [f"  async_copy_workgroup({tile}, {source}, {count}, {options});",
                          "  async_copy_commit();", "  async_copy_wait(0);"]
            elif number % 3 == 1:
                # A third and two thirds, in groups of their own.
                part = count // 3
                lines += [f"  async_copy_workgroup({tile}, {source}, {part}, {options});",
                          "  async_copy_commit();",
                          f"  async_copy_workgroup({tile} + {part}, {source} + {part}, {count - part}, {options});",
                          "  async_copy_commit();", "  async_copy_wait(1);", "  async_copy_commit();",
                          "  async_copy_wait(0);"]
            else:
                lines += [f"  if (lane % 3 == yes) {{ async_copy_workgroup({tile}, {source}, {count}, {options}); }}",
                          f"  else {{ for i in 0..{count} {{ tile_{kind}[lane * {count} + i] = ({source})[i]; }} }}",
                          "  async_copy_commit();",
                          "  while (yes == 1) { async_copy_wait(0); yes += 1; }",
                          "  async_copy_wait(0);", "  yes = 1;"]
            lines += ["  barrier(workgroup, acq_rel);",
                      f"  for i in 0..{count} {{ out_{kind}[{begin} + (block.x * {BLOCK} + lane) * {count} + i] = "
                      f"tile_{kind}[other * {count} + {count - 1} - i]; }}",
                      "  barrier(workgroup, acq_rel);"]
            begin += count * BLOCK * GRID
    lines += ["  bring(&tile_float32[4 * lane], in_float32 + 4 * lane);", "  barrier(workgroup, acq_rel);",
              "  if (block.x == 0) { out_float32[lane] = tile_float32[4 * other + 3]; }", "}"]
    return "\n".join(lines) + "\n"


def expected(kind, size, source):
    out, begin = np.empty_like(source), 0
    for count, _, _ in cases(size):
        end = begin + count * BLOCK * GRID
        # Reversing a workgroup's elements reverses both the work-items and the elements of each.
        out[begin:end] = source[begin:end].reshape(GRID, -1)[:, ::-1].ravel()
        begin = end
    if kind == "float32":
        out[:BLOCK] = source[3:4 * BLOCK:4][::-1]
    return out


def forms(judge):
    for optimize in ([], ["-O"]):
        if judge == "interp":
            yield optimize
        elif judge == "emulate":
            yield optimize + ["--device=emulate"]
            yield optimize + ["--device=emulate", "--gpu-arch=sm_75"]
        elif judge == "cuda":
            yield optimize + ["--device=cuda"]
            yield optimize + ["--device=cuda", "--gpu-arch=portable"]
        else:
            yield optimize + ["--device=opencl", "--spirv-version=" + ("1.0" if optimize else "1.4")]


def assemble(build, targets):
    """ptxas takes the program for each target and spills nothing."""
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        source, ptx = Path(folder) / "copies.mettle", f"{folder}/copies.ptx"
        source.write_text(program())
        for target in targets:
            for options in ([], ["-O"]):
                subprocess.run([build / "bin" / "mettle", *options, f"--gpu-arch={target}", source, "-o", ptx],
                               check=True)
                judged = subprocess.run(["ptxas", f"-arch={target}", "-v", ptx, "-o", f"{folder}/cubin"],
                                        capture_output=True, text=True)
                said = judged.stderr + judged.stdout
                spilled = sum(map(int, re.findall(r"(\d+) bytes spill", said)))
                native = "cp.async" in Path(ptx).read_text()
                print(f"{target} {'native' if native else 'replay'}: {said if judged.returncode else 'accepted'}, "
                      f"{spilled} bytes spilled")
                bad += judged.returncode != 0 or spilled != 0
    sys.exit(bad != 0)


def main():
    judge, build = sys.argv[1], Path(sys.argv[2])
    if judge == "ptxas":
        assemble(build, sys.argv[3:])
    rng = np.random.default_rng(9)
    words = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "copies.mettle"
        source.write_text(program())
        arrays = {kind: rng.integers(0, 256, total(size) * size, np.uint8).view(f"u{size}")
                  for kind, size in TYPES.items()}
        arguments = []
        for kind, array in arrays.items():
            np.save(f"{folder}/{kind}.npy", array.view(kind))
            arguments += [f"--arg={SPELLED[kind]}[{array.size}]=@{folder}/{kind}.npy",
                          f"--arg={SPELLED[kind]}[{array.size}]=zeros", f"--save=out_{kind}={folder}/out_{kind}.npy"]
        for options in forms(judge):
            result = subprocess.run([build / "bin" / "mettle", "run", source, f"--grid={GRID}", f"--block={BLOCK}",
                                     *arguments, "--arg=1", *options], capture_output=True, text=True)
            if result.returncode:
                sys.exit(result.stderr)
            for kind, array in arrays.items():
                got = np.load(f"{folder}/out_{kind}.npy").view(array.dtype)
                right = expected(kind, TYPES[kind], array)
                words += right.size
                for place in np.flatnonzero(got != right)[:3]:
                    wrong += 1
                    print(f"{options}: out_{kind}[{place}] is {got[place]:x}, expected {right[place]:x}")
    print(f"{judge}: {words} elements, {wrong} differ")
    sys.exit(wrong != 0)


main()
