#!/usr/bin/env python3
"""Has ptxas judge the rows of Opcodes.def: each example must assemble for the least target the row
names and, with --deep 1, must not for the one below. The rows of targets that ptxas no longer has
are assembled for the oldest it has."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROW = re.compile(r'^METTLE_PTX_OPCODE\(\w+, \w+, "([^"]*)", "[^"]*", \w+, "([^"]*)", "([^"]+)"\)$', re.M)
OLDEST = 75
BELOW = {"sm_80": "sm_75", "sm_90": "sm_89", "sm_90a": "sm_90", "sm_100": "sm_90", "sm_100a": "sm_100f",
         "sm_100f": "sm_100"}
HEAD = """.version 9.0
.target {target}
.address_size 64
.global .texref texture;
.global .surfref surface;
.func (.reg .b32 out) callee(.reg .b32 in) {{ mov.b32 out, in; ret; }}
"""
ENTRY = """.visible .entry k{number}() {{
.reg .pred %p<4>;
.reg .b32 %r<32>;
.reg .b64 %d<8>;
.reg .b128 %q<4>;
label:
targets: .branchtargets label;
{example};
ret;
}}
"""


def least_target(targets):
    first = targets.split(" ")[0]
    if first.isdigit() or not first:
        first = str(max(int(first or 0), OLDEST))
    return "sm_" + first


def complaint(target, examples, folder):
    """ptxas's first line about a module with these examples, empty if it takes them."""
    path = os.path.join(folder, f"{target}-{abs(hash(tuple(examples)))}.ptx")
    with open(path, "w") as file:
        file.write(HEAD.format(target=target))
        for number, example in enumerate(examples):
            file.write(ENTRY.format(number=number, example=example))
    run = subprocess.run(["ptxas", "-arch=" + target, path, "-o", path + ".cubin"], capture_output=True, text=True)
    return (run.stderr.strip().splitlines() or ["no message"])[0] if run.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("definitions", type=pathlib.Path)
    parser.add_argument("--deep", type=int, default=0)
    arguments = parser.parse_args()
    rows = ROW.findall(arguments.definitions.read_text())
    groups = {}
    for name, targets, example in rows:
        groups.setdefault(least_target(targets), []).append((name, example))
    wrong = refused = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        for target, examples in groups.items():
            if why := complaint(target, [example for _, example in examples], folder):
                print(f"{target}: error: {why}")
                wrong += 1
        if arguments.deep:
            below = [(name, BELOW[target], example) for target, examples in groups.items() if target in BELOW
                     for name, example in examples]
            for (name, target, _), why in zip(below, pool.map(lambda row: complaint(row[1], [row[2]], folder), below)):
                refused += bool(why)
                if not why:
                    print(f"{name}: error: expected {target} to refuse it")
                    wrong += 1
    print(f"{len(rows)} examples for {len(groups)} targets, {refused} refused below, {wrong} wrong")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
