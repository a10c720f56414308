#!/usr/bin/env python3
"""Compiles every example for some targets and has ptxas judge the PTX.

    ptxas.py BUILD TARGET...

Prints a line for each example, target and optimization level; exits with 1 when ptxas refuses one
or spills.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main():
    build, targets = sys.argv[1], sys.argv[2:]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = f"{folder}/kernel.ptx", f"{folder}/kernel.cubin"
        for source in sorted((ROOT / "examples").glob("*.mettle")):
            for target in targets:
                for optimize in ([], ["-O"]):
                    subprocess.run([f"{build}/bin/mettle", "--emit-ptx", *optimize, f"--gpu-arch={target}", source,
                                    "-o", ptx], check=True)
                    judged = subprocess.run(["ptxas", f"-arch={target}", "-v", ptx, "-o", cubin],
                                            capture_output=True, text=True)
                    spilled = sum(map(int, re.findall(r"(\d+) bytes spill", judged.stderr + judged.stdout)))
                    verdict = "accepted" if judged.returncode == 0 else f"refused: {judged.stderr}"
                    print(" ".join([source.stem, target, *optimize]) + f": {verdict}, {spilled} bytes spilled")
                    bad += judged.returncode != 0 or spilled != 0
    sys.exit(bad != 0)


main()
