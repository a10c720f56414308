#!/usr/bin/env python3
"""Partitions the corpus of PTX with mettle-equiv and with the checker of arXiv 2609.11356, and grades both.

    checker_corpus.py BUILD CORPUS TRUTH.jsonl[.xz] [--peer FOLDER [--peer-python PYTHON]] [-o FILE.md]

CORPUS holds index.jsonl and the PTX of configurations that ran on an H200; TRUTH has a hash a draw of what each
returned, for the grader alone. Both checkers see the same files, in one process on one core each. FOLDER is one
that holds `bitequiv/` of github.com/facebookexperimental/triton (commit db4666f2, and pyptx 0.1.1 in PYTHON's
packages); its newer engine, `ptx.forward.interp:forward_module_descriptor`, is run, the better one of two. Without
FOLDER its column has the totals that were recorded of the same run.
"""

import argparse
import collections
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "integration/Checker/Inputs"))
import grade_classes  # noqa: E402

#: Of the same engine on the same 1,612 files, measured 2026-11-28 on two cores that other work shared.
RECORDED = "887 classes for 301, 771 merged pairs, 17686 of 31139 equal pairs split, 84.7 s (72.9 s of CPU), 51 MB"

PEER = """
import json, pathlib, sys
from bitequiv.ptx.forward.interp import forward_module_descriptor
corpus = pathlib.Path(sys.argv[1])
for line in map(json.loads, (corpus / "index.jsonl").read_text().splitlines()):
    key = repr(forward_module_descriptor((corpus / line["ptx"]).read_text()))
    print(json.dumps({"kernel": line["kernel"], "index": line["index"], "class": key}), flush=True)
"""


def measured(command, out, **options):
    """Runs a command with its output in a file: (wall seconds, CPU seconds, peak megabytes)."""
    start = time.monotonic()
    with open(out, "w") as file:
        process = subprocess.Popen(command, stdout=file, **options)
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if os.waitstatus_to_exitcode(status):
        sys.exit(f"{command[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def answers(path):
    return {(a["kernel"], a["index"]): a for a in map(json.loads, path.read_text().splitlines())}


def cells(count):
    return (f"{count['found']} | {count['unknown']} | {count['merged']} | {count['split']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("--peer", type=pathlib.Path)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    args = parser.parse_args()
    kernels = collections.defaultdict(list)
    with (lzma.open if args.truth.suffix == ".xz" else open)(args.truth, "rt") as lines:
        for row in map(json.loads, lines):
            kernels[row["kernel"]].append(row)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ours_cost = measured([f"{args.build}/bin/mettle-equiv", "--classes", args.corpus / "index.jsonl", "--jobs", "1"],
                             folder / "ours")
        ours, peers, peer_cost = answers(folder / "ours"), None, None
        if args.peer:
            peer_cost = measured([args.peer_python, "-c", PEER, args.corpus], folder / "peer",
                                 env=os.environ | {"PYTHONPATH": str(args.peer)})
            peers = answers(folder / "peer")
    text = table(kernels, ours, ours_cost, peers, peer_cost)
    if args.output:
        args.output.write_text(text)
    print(text, end="")


def table(kernels, ours, ours_cost, peers, peer_cost):
    lines = ["| kernel | configurations | true classes | classes | unknown | merged | split | peer: classes | unknown | "
             "merged | split | equal pairs |", "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    total, theirs = collections.Counter(), collections.Counter()
    for kernel, rows in sorted(kernels.items()):
        mine = grade_classes.grade(rows, ours, set())
        total.update(mine)
        other = grade_classes.grade(rows, peers, set()) if peers else None
        theirs.update(other or {})
        lines.append(f"| {kernel} | {mine['configs']} | {mine['true']} | {cells(mine)} | "
                     f"{cells(other) if other else ' | | | '} | {mine['equal']} |")
    lines.append(f"| **total** | {total['configs']} | {total['true']} | {cells(total)} | "
                 f"{cells(theirs) if peers else ' | | | '} | {total['equal']} |")
    lines.append("")
    for who, cost in (("mettle-equiv", ours_cost), ("the peer", peer_cost)):
        if cost:
            lines.append(f"- {who}, one process on one core: {cost[0]:.1f} s ({cost[1]:.1f} s of CPU), {cost[2]:.0f} MB")
    if not peers:
        lines.append(f"- the peer was not run; recorded of it (`shared/facts/bitequiv-baseline.md`): {RECORDED}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
