#!/usr/bin/env python3
"""Writes the PTX of every example: emit_examples.py EXAMPLES OUT."""

import pathlib
import subprocess
import sys

examples, out = map(pathlib.Path, sys.argv[1:])
for source in sorted(examples.glob("*.mettle")):
    for target in ("sm_80", "sm_90"):
        for optimize in ([], ["-O"]):
            name = "-".join([source.stem, target, *(["optimized"] if optimize else [])])
            subprocess.run(["mettle", "--emit-ptx", *optimize, f"--gpu-arch={target}", source,
                            "-o", out / (name + ".ptx")], check=True)
