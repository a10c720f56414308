#!/usr/bin/env python3
"""Recovers, on a machine with an NVIDIA GPU, what cuBLASLt runs for a list of shapes, with
`mettle-gemm probe --cublaslt`, and sums up which descriptors were found.

Usage: cublas_on_device.py METTLE_GEMM OUT_FOLDER [--seconds 270]

Writes OUT_FOLDER/cublas.jsonl (one line a shape: algorithm, descriptor, alternatives, or an error) and
OUT_FOLDER/cublas.md (the table). Where the CUDA libraries of a Python environment are not on the loader's
path, they are looked for beside torch or under site-packages/nvidia.
"""

import argparse
import glob
import json
import os
import site
import subprocess
import sys
import time

# (type, output, m, n, k, B along k). Plain and split-K shapes of the nvjet family, tails, K that is no
# multiple of 16, the shape whose tail a split-K kernel loses, fp8, and vectors: what matters most first.


def matrices(kind, along):
    shapes = [(256, 256, k) for k in (64, 200, 1000, 1024)] + [(512, 512, k) for k in (512, 1032)]
    shapes += [(128, 128, 2048), (64, 64, 2048), (64, 64, 3080), (64, 256, 777), (64, 64, 4096)]
    return ([(kind, "f32", m, n, k, along) for m, n, k in shapes]
            + [(kind, kind, 1024, 1024, 512, along), (kind, kind, 64, 64, 4096, along)])


def vectors(kind):
    return [(kind, kind, 1, n, k, along) for along in (True, False) for n in (64, 1024) for k in (256, 1000)]


SHAPES = matrices("f16", False) + [("f16", "f32", 1, 8, 11528, False)]
SHAPES += [("e4m3", "bf16", m, n, k, True) for m, n, k in ((128, 128, 256), (256, 256, 512), (64, 64, 1024),
                                                           (512, 512, 128), (256, 128, 384), (128, 256, 2048))]
SHAPES += [("e4m3", "f32", 128, 128, 256, True), ("e4m3", "f16", 128, 128, 512, True)]
SHAPES += vectors("f16") + matrices("bf16", False) + vectors("bf16") + matrices("f16", True) + matrices("bf16", True)


def library_path():
    folders = []
    for root in site.getsitepackages() + [site.getusersitepackages()]:
        folders += glob.glob(os.path.join(root, "nvidia", "*", "lib")) + glob.glob(os.path.join(root, "torch", "lib"))
    folders += glob.glob("/usr/local/cuda*/lib64") + glob.glob("/usr/local/cuda*/targets/*/lib")
    return os.pathsep.join(folders + [os.environ.get("LD_LIBRARY_PATH", "")])


def probe(tool, shape, environment, limit):
    kind, output, m, n, k, along = shape
    command = [tool, "probe", "--cublaslt", "--json", f"--type={kind}", f"--output={output}", f"--m={m}", f"--n={n}",
               f"--k={k}"] + (["--b-along-k"] if along else [])
    entry = {"type": kind, "output": output, "m": m, "n": n, "k": k, "b_along_k": along}
    try:
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return entry | {"error": f"no answer in {limit} s"}
    lines = [line for line in run.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else entry | {"error": run.stderr.strip()[-300:]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("out")
    parser.add_argument("--seconds", type=float, default=270, help="stop starting shapes after this time")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    environment = dict(os.environ, LD_LIBRARY_PATH=library_path())
    start, results = time.time(), []
    with open(os.path.join(options.out, "cublas.jsonl"), "w") as file:
        for shape in SHAPES:
            if time.time() - start > options.seconds:
                break
            result = probe(options.tool, shape, environment, 40)
            results.append(result)
            file.write(json.dumps(result) + "\n")
            file.flush()
            print(*shape, "->", result.get("descriptor") or result.get("error") or f"form {result.get('form')}",
                  (result.get("algorithm") or {}).get("id"), flush=True)

    found = [r for r in results if r.get("descriptor")]
    with open(os.path.join(options.out, "cublas.md"), "w") as file:
        file.write(f"{len(found)} of {len(results)} shapes determined; the descriptor's words equal cuBLASLt's on every "
                   f"element drawn. Run {time.strftime('%Y-%m-%d')}, cublasLt "
                   f"{next((r['version'] for r in results if 'version' in r), 'absent')}.\n\n"
                   "| type | output | m x n x k | B along k | algorithm | split-K | descriptor or form | elements | lost |\n"
                   "|---|---|---|---|---|---|---|---|---|\n")
        for r in results:
            algorithm = r.get("algorithm") or {}
            text = r.get("descriptor") or r.get("error") or f"undetermined, form {r.get('form')}"
            file.write(f"| {r['type']} | {r['output']} | {r['m']} x {r['n']} x {r['k']} | {r['b_along_k']} | "
                       f"{algorithm.get('id')} | {algorithm.get('split_k')} | `{text}` | {r.get('drawn')} | {r.get('lost')} |\n")
    print(f"{len(found)} of {len(results)} shapes determined")
    return 0


if __name__ == "__main__":
    sys.exit(main())
