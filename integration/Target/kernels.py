#!/usr/bin/env python3
"""Compiles the examples and the kernels of the other tests, and has each target's own judge look at them.

    kernels.py ptxas BUILD TARGET...        PTX of each target, accepted by ptxas without a spilled byte
    kernels.py spirv-val BUILD VERSION...   SPIR-V of each version, valid for OpenCL, or refused for a capability

Each with and without -O. Prints a line a kernel file, target and optimization level; exit status 1 where a judge
refuses one, or bytes are spilled.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["examples"] + [f"integration/{suite}/Inputs" for suite in ("AsyncCopy", "Language", "Listings", "Math", "Subgroup")]
ENVIRONMENTS = {"1.0": "opencl2.0", "1.4": "spv1.4"}
# Legal for OpenCL 2.0 on devices with cl_khr_int64_base_atomics, of which its environment knows nothing.
EXTENSIONS = "Capability Int64Atomics is not allowed by OpenCL 2.0"


def compile(build, source, output, *options):
    run = subprocess.run([f"{build}/bin/mettle", "--gpu-checks", *options, source, "-o", output], capture_output=True, text=True)
    return run.returncode, run.stderr


def judge_ptx(build, source, target, optimize, folder):
    """The verdict on a file, and whether it is a good one."""
    ptx, cubin = f"{folder}/kernel.ptx", f"{folder}/kernel.cubin"
    status, said = compile(build, source, ptx, "--emit-ptx", *optimize, f"--gpu-arch={target}")
    if status:
        return f"not compiled: {said}", False
    judged = subprocess.run(["ptxas", f"-arch={target}", "-v", ptx, "-o", cubin], capture_output=True, text=True)
    if judged.returncode:
        return f"refused: {judged.stderr}", False
    spilled = sum(map(int, re.findall(r"(\d+) bytes spill", judged.stderr + judged.stdout)))
    return f"accepted, {spilled} bytes spilled", spilled == 0


def judge_spirv(build, source, version, optimize, folder):
    """The verdict on a file, and whether it is a good one."""
    module = f"{folder}/kernel.spv"
    status, said = compile(build, source, module, "--emit-spirv", *optimize, f"--spirv-version={version}")
    if status:
        needed = re.search(r"error: .* needs (SPIR-V \S+ with the capability \w+)", said)
        return (f"needs {needed[1]}", True) if needed else (f"not compiled: {said}", False)
    judged = subprocess.run(["spirv-val", "--target-env", ENVIRONMENTS[version], module], capture_output=True, text=True)
    environment = ENVIRONMENTS[version]
    if EXTENSIONS in judged.stderr:
        environment = "spv1.0"
        judged = subprocess.run(["spirv-val", "--target-env", environment, module], capture_output=True, text=True)
    return (f"invalid: {judged.stderr}", False) if judged.returncode else (f"valid for {environment}", True)


JUDGES = {"ptxas": judge_ptx, "spirv-val": judge_spirv}


def main():
    name, build, *targets = sys.argv[1:]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in [source for part in FOLDERS for source in sorted((ROOT / part).glob("*.mettle"))]:
            for target in targets:
                for optimize in ([], ["-O"]):
                    verdict, good = JUDGES[name](build, source, target, optimize, folder)
                    print(" ".join([str(source.relative_to(ROOT)), target, *optimize]) + ": " + verdict)
                    bad += not good
    print(f"{bad} refused")
    sys.exit(bad != 0)


main()
