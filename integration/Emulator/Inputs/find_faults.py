#!/usr/bin/env python3
"""Plants faults in kernels and asks the emulator to find each, and nothing in the kernels as they were.

    find_faults.py --count N [--seed S] [--kernel NAME ...] [--deep 1] SET.jsonl[.xz] PTX_DIR [SET.jsonl PTX_DIR ...]

Each SET and PTX_DIR are an execution set and its PTX. N plants are drawn for each kind of fault (faults.py), kernels in
turn; a plant counts if its line is reached, or, where it may be superfluous, if the launch then returns other words.
Every kernel used is also run unchanged, with the same checks. Prints a line a kind, and each plant that was not
found at its line with what was said instead; exit status 1 if there is one, if there are fewer than N of a kind, or if
a clean kernel was blamed.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import lzma
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import faults

FOUND = re.compile(r"\.ptx:(\d+):\d+: error: (.*)")


def opened(path):
    return lzma.open(path, "rt") if path.suffix == ".xz" else open(path, encoding="ascii")


def run(record, text, *options):
    """What a replay of this text in a record's launch says."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "kernel.ptx").write_text(text)
        record = dict({key: value for key, value in record.items() if key != "folder"}, ptx="kernel.ptx", ptx_sha256=hashlib.sha256(text.encode()).hexdigest())
        (pathlib.Path(folder) / "set.jsonl").write_text(json.dumps(record) + "\n")
        done = subprocess.run(["mettle-emulate", "replay", f"{folder}/set.jsonl", "--ptx", folder, "--draw", "0", "-j1",
                              *options], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def checked(record, text, *options):
    """(line, message) of the fault that the emulator reports for a launch of this text; None if it has none."""
    match = FOUND.search(run(record, text, *options)[1])
    return (int(match[1]), match[2]) if match else None


def kind_of(message):
    match = re.search(r"\[([a-z ]+)\]", message)
    return match[1] if match else ""


def is_fault(record, text, plant):
    """Whether a plant makes a difference in this launch: see Plant.probe. A line that is reached traps in its place."""
    if plant.probe:
        return run(record, plant.probe)[0] != 0
    lines = text.split("\n")
    at = plant.lines[0] - 1
    guard = re.match(r"\s*(@!?%\w+ )?", lines[at])[1] or ""
    lines[at] = f"{guard}trap;"
    result = checked(record, "\n".join(lines))
    return result is not None and kind_of(result[1]) == "trap"


def draw(records, count, seed):
    """{kind: [(record, plant)]}, kernels at random, no kernel name again before all had their turn."""
    drawn = collections.defaultdict(list)
    for kind in faults.PLANTERS:
        chooser = random.Random(f"{seed} {kind}")
        pool = list(records)
        chooser.shuffle(pool)
        used = collections.Counter()
        while len(drawn[kind]) < count and pool:
            record = min(pool, key=lambda one: used[one["kernel"]])
            pool.remove(record)
            text = (record["folder"] / record["ptx"]).read_text()
            plants = faults.plants(text, kind)
            chooser.shuffle(plants)
            chosen = next((plant for plant in plants[:3] if is_fault(record, text, plant)), None)
            if chosen:
                drawn[kind].append((record, chosen))
            used[record["kernel"]] += 1 if chosen else 10
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sets", type=pathlib.Path, nargs="+", metavar="SET PTX_DIR")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--kernel", nargs="*")
    parser.add_argument("--deep", type=int, default=0, help="1: draw 60 of a kind, whatever the count")
    arguments = parser.parse_args()
    if arguments.deep:
        arguments.count = 60
    if len(arguments.sets) % 2:
        parser.error("expected pairs of an execution set and its folder")
    records = [dict(json.loads(line), folder=folder) for one, folder in zip(arguments.sets[::2], arguments.sets[1::2])
               for line in opened(one)]
    if arguments.kernel:
        records = [record for record in records if record["kernel"] in arguments.kernel]
    drawn = draw(records, arguments.count, arguments.seed)
    failed = False
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for kind, plants in drawn.items():
            results = list(pool.map(lambda pair: checked(pair[0], pair[1].text, "--check"), plants))
            good = 0
            for (record, plant), result in zip(plants, results):
                if result and result[0] in plant.lines and kind_of(result[1]) in plant.kinds():
                    good += 1
                    continue
                failed = True
                said = f"line {result[0]}: {result[1]}" if result else "nothing"
                print(f"  {record['ptx']}: {plant.what}, expected '{kind}' at line "
                      f"{', '.join(map(str, plant.lines[:4]))}; found {said}")
            failed |= len(plants) < arguments.count
            kernels = len({record["kernel"] for record, _ in plants})
            print(f"{kind}: {good} of {len(plants)} found, in {kernels} kernels", flush=True)
        clean = {record["folder"] / record["ptx"]: record for plants in drawn.values() for record, _ in plants}
        texts = [(record, path.read_text()) for path, record in clean.items()]
        blamed = [(record, result) for (record, _), result in
                  zip(texts, pool.map(lambda pair: checked(*pair, "--check"), texts)) if result]
    for record, result in blamed:
        print(f"  {record['ptx']}: clean, but line {result[0]}: {result[1]}")
    print(f"clean kernels: {len(texts) - len(blamed)} of {len(texts)} without a fault")
    sys.exit(failed or bool(blamed))


if __name__ == "__main__":
    main()
