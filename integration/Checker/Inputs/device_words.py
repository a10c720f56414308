#!/usr/bin/env python3
"""Holds the checker's trees against an H200: every word that they evaluate to is one that it returned.

    device_words.py BUILD CORPUS SET [--kernel NAME ...] [--configurations N] [--draw D ...] [--deep 0|1]
                    [-j N]

CORPUS holds index.jsonl and the PTX of configurations that ran on an H200, SET (jsonl[.xz]) what they returned, by
the hash of each output. For N configurations of each kernel, spread over it, `mettle-equiv evaluate` computes every
word of every output on the set's inputs. Kernels that the checker does not know are named and not counted. Prints a
line a kernel; exits 1 where one word differs.
"""

import argparse
import base64
import collections
import concurrent.futures
import hashlib
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile
import zlib

import numpy as np

import witness_table

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Emulator"))
import record_on_device  # noqa: E402


def e4m3(values):
    """To nearest even; what is too large, and NaN, is NaN."""
    codes = np.arange(0x7F)
    exponents, fractions = codes >> 3, codes & 7
    numbers = np.where(exponents == 0, fractions * 2.0**-9, (8 + fractions) * 2.0**(exponents - 10))
    size = np.abs(values)
    above = np.clip(np.searchsorted(numbers, size), 1, 0x7E)
    low, high = numbers[above - 1], numbers[above]
    with np.errstate(invalid="ignore"):
        nearer = np.where(size - low != high - size, size - low > high - size, above % 2 == 0)
        code = np.where(nearer, above, above - 1)
        # Halfway to what would be the next number is the last that rounds down, to 0x7E, which is even.
        code = np.where(np.isnan(size) | (size > 464), 0x7F, code)
    return (code | np.signbit(values) * 0x80).astype(np.uint8).tobytes()


def memory(parameter, draw):
    """The bytes of a tensor before the launch."""
    for key in ("init", "data"):
        if key in parameter:
            return zlib.decompress(base64.b64decode(parameter[key]))
    values = record_on_device.values(draw, parameter["rng"], parameter["numel"])
    if parameter["dtype"] == "float8_e4m3fn":
        return e4m3(values)
    return record_on_device.encode(values, parameter["dtype"])


def compare(args, folder, entry, run, draw):
    """(words that were compared, outputs that differ), or a reason why there is no answer."""
    given = []
    for number, parameter in enumerate(run["params"]):
        if parameter["kind"] == "tensor":
            path = folder / f"{number}.bin"
            path.write_bytes(memory(parameter, draw))
            given += ["--input", f"{number}={path}"]
    words, wrong = 0, []
    for number, parameter in enumerate(run["params"]):
        if "output" not in parameter:
            continue
        command = [f"{args.build}/bin/mettle-equiv", "evaluate", str(args.corpus / entry["ptx"]), *given, "--output",
                   str(number), *witness_table.facts(entry), "-o", folder / "result.bin"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode == 2:
            return (done.stderr or (folder / "result.bin").read_text()).strip()
        if done.returncode:
            sys.exit(f"mettle-equiv ended with {done.returncode}: {done.stderr[-500:]}")
        result = (folder / "result.bin").read_bytes()
        recorded = run["results"][draw][parameter["output"]]
        if hashlib.sha256(result).hexdigest()[:32] != recorded["sha256"]:
            wrong.append(f"{parameter['name']}, which begins {result[:32].hex()} in place of {recorded['head']}")
        words += parameter["numel"]
    return words, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("set", type=pathlib.Path)
    parser.add_argument("--kernel", action="append", default=[])
    parser.add_argument("--configurations", type=int, default=3)
    parser.add_argument("--draw", type=int, action="append")
    parser.add_argument("--deep", type=int, default=0, help="1: three configurations of every kernel, every draw")
    parser.add_argument("-j", type=int, dest="jobs", default=1, help="launches at a time")
    args = parser.parse_args()
    if args.deep:
        args.kernel, args.configurations, args.draw = [], 3, None
    entries = collections.defaultdict(list)
    for line in witness_table.records(args.corpus / "index.jsonl"):
        if not args.kernel or line["kernel"] in args.kernel:
            entries[line["kernel"]].append(line)
    chosen = {}
    for kernel, lines in entries.items():
        for i in range(min(args.configurations, len(lines))):
            line = lines[i * len(lines) // args.configurations]
            chosen[kernel, line["index"]] = line
    runs = {key: run for run in witness_table.records(args.set) if (key := (run["kernel"], run["index"])) in chosen}

    def launch(task):
        key, draw = task
        with tempfile.TemporaryDirectory() as name:
            return compare(args, pathlib.Path(name), chosen[key], runs[key], draw)

    tasks = [(key, draw) for key in chosen for draw in args.draw or range(6)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        sys.exit(report(tasks, pool.map(launch, tasks)))


def report(tasks, answers):
    """Prints a line a kernel; the exit code."""
    rows, configurations, reasons = collections.defaultdict(collections.Counter), collections.defaultdict(set), {}
    for (key, draw), found in zip(tasks, answers):
        if isinstance(found, str):
            reasons[key] = found
            continue
        words, wrong = found
        rows[key[0]].update({"launches": 1, "words": words, "wrong": len(wrong)})
        configurations[key[0]].add(key[1])
        for what in wrong:
            print(f"{key[0]}/{key[1]}, draw {draw}: {what}", flush=True)
    for key, reason in reasons.items():
        print(f"not known: {key[0]}/{key[1]}: {reason}")
    total = collections.Counter()
    for kernel, row in rows.items():
        total.update(row)
        print(f"{kernel:24} {len(configurations[kernel]):4} configurations {row['launches']:4} launches "
              f"{row['words']:9} words, {row['wrong']} outputs differ")
    print(f"{len(rows)} kernels, {sum(map(len, configurations.values()))} configurations, {total['launches']} launches, "
          f"{total['words']} words: {total['wrong']} outputs differ")
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    main()
