#!/usr/bin/env python3
"""Recovers, on a machine with an NVIDIA GPU, what cuBLASLt runs for a list of shapes, with
`mettle-gemm probe --cublaslt`, and sums up which descriptors were found.

Usage: cublas_on_device.py METTLE_GEMM OUT_FOLDER [--seconds 270] [--vectors]

Writes OUT_FOLDER/cublas.jsonl (one line a shape: algorithm, descriptor, alternatives, or an error) and
OUT_FOLDER/cublas.md (the table). Of a shape that is not determined, one draw and what came back stay in
OUT_FOLDER/words, for `mettle-gemm eval`. With --vectors the shapes have one row, and those are probed for
which the heuristic takes a vector algorithm (ids 13 and 14; OUT_FOLDER/algorithms.jsonl has its choices), then
some on which such an algorithm is forced. Where the CUDA libraries of a Python environment are not on the loader's
path, they are looked for beside torch or under site-packages/nvidia.
"""

import argparse
import concurrent.futures
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


VECTOR_ALGORITHMS = ("13", "14")
# Options of algorithm 13 (the last number chooses a kernel), and of 14, each on two shapes.
FORCED = [f"13:0:0:1:0:0:{custom}" for custom in (0, 1, 2, 3, 5, 6, 7, 8, 10, 24, 30, 36, 42, 48, 54, 58, 60, 66, 72, 78,
                                                  84, 90, 96, 102, 103, 104, 108, 110, 112, 115)]
FORCED += ["14:0:0:496:2:0:0", "14:0:0:2:2:0:0", "13:0:0:16:2:0:10", "13:0:0:3:2:0:58"]


def vector_shapes():
    """Shapes with one row, of both types and outputs: rows that are no multiple of 16 bytes, which the tensor cores'
    kernels do not take, and dot products."""
    for k in (77, 255, 999, 1001, 4095):
        for n in (64, 1000):
            for kind in ("f16", "bf16"):
                for output in (kind, "f32"):
                    for b_along_k in (False, True):
                        yield kind, output, 1, n, k, b_along_k, False
    for k in (256, 1000):
        for kind in ("f16", "bf16"):
            for output in (kind, "f32"):
                yield kind, output, 1, 1, k, False, False


def vector_cases(tool, environment, out):
    """The shapes for which the heuristic takes a vector algorithm, then those on which one is forced."""
    texts = {}
    for kind, output, m, n, k, b_along_k, a_along_m in vector_shapes():
        text = f"{kind},{output},{m},{n},{k}" + ",b-along-k" * b_along_k + ",a-along-m" * a_along_m
        texts[text] = (kind, output, m, n, k, b_along_k, a_along_m)
    run = subprocess.run([tool, "algorithms", *texts], env=environment, capture_output=True, text=True)
    with open(os.path.join(out, "algorithms.jsonl"), "w") as file:
        file.write(run.stdout)
    cases = []
    for entry in map(json.loads, run.stdout.splitlines()):
        if entry["heuristic"].split(":")[0] in VECTOR_ALGORITHMS:
            cases.append((*texts[entry["shape"]], None))
    print(len(cases), "shapes take a vector algorithm", run.stderr.strip()[-300:], flush=True)
    for kind, output, k, b_along_k in (("f16", "f32", 256, True), ("bf16", "f32", 1000, False)):
        cases += [(kind, output, 1, 64, k, b_along_k, False, algorithm) for algorithm in FORCED]
    return cases


def probe(tool, shape, environment, limit, words):
    kind, output, m, n, k, b_along_k, a_along_m, algorithm = shape
    command = [tool, "probe", "--cublaslt", "--json", f"--type={kind}", f"--output={output}", f"--m={m}", f"--n={n}",
               f"--k={k}"] + ["--b-along-k"] * b_along_k + ["--a-along-m"] * a_along_m
    command += [f"--algorithm={algorithm}"] if algorithm else []
    command += [f"--words={words}"] if words else []
    entry = {"type": kind, "output": output, "m": m, "n": n, "k": k, "b_along_k": b_along_k, "a_along_m": a_along_m,
             "algorithm": {"text": algorithm}}
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
    parser.add_argument("--jobs", type=int, default=8, help="shapes probed at a time (default 8)")
    parser.add_argument("--vectors", action="store_true", help="probe the vector algorithms, whether chosen or not")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    environment = dict(os.environ, LD_LIBRARY_PATH=library_path())
    os.makedirs(os.path.join(options.out, "words"), exist_ok=True)
    start, results = time.time(), []
    if options.vectors:
        shapes = vector_cases(options.tool, environment, options.out)
    else:
        shapes = [shape + (False, None) for shape in SHAPES]

    def run(number):
        if time.time() - start > options.seconds:
            return None
        words = os.path.join(options.out, "words", f"case{number}")
        result = probe(options.tool, shapes[number], environment, 60, words)
        if result.get("descriptor"):
            for path in glob.glob(words + ".*"):
                os.remove(path)
        return result | {"case": number}

    with (open(os.path.join(options.out, "cublas.jsonl"), "w") as file,
          concurrent.futures.ThreadPoolExecutor(options.jobs) as pool):
        for shape, result in zip(shapes, pool.map(run, range(len(shapes)))):
            if not result:
                continue
            results.append(result)
            file.write(json.dumps(result) + "\n")
            file.flush()
            print(*shape, "->", result.get("descriptor") or result.get("error") or f"form {result.get('form')}",
                  f"{time.time() - start:.0f} s", flush=True)

    found = [r for r in results if r.get("descriptor")]
    with open(os.path.join(options.out, "cublas.md"), "w") as file:
        file.write(f"{len(found)} of {len(results)} shapes determined; the descriptor's words equal cuBLASLt's on every "
                   f"element drawn. Run {time.strftime('%Y-%m-%d')}, cublasLt "
                   f"{next((r['version'] for r in results if 'version' in r), 'absent')}.\n\n"
                   "| type | output | m x n x k | layout | algorithm | descriptor or form | elements | lost |\n"
                   "|---|---|---|---|---|---|---|---|\n")
        for r in results:
            algorithm = r.get("algorithm") or {}
            text = r.get("descriptor") or r.get("error") or f"undetermined, form {r.get('form')}"
            layout = ("B along k" * r["b_along_k"] + " A along m" * r.get("a_along_m", False)).strip()
            file.write(f"| {r['type']} | {r['output']} | {r['m']} x {r['n']} x {r['k']} | {layout} | "
                       f"{algorithm.get('text')} | `{text}` | {r.get('drawn')} | {r.get('lost')} |\n")
    print(f"{len(found)} of {len(results)} shapes determined")
    return 0


if __name__ == "__main__":
    sys.exit(main())
