#!/usr/bin/env python3
"""Plants faults in kernels and asks the emulator to find each, and nothing in the kernels as they were.

    find_faults.py SET.jsonl PTX_DIR --count N [--seed S] [--kernel NAME ...]

SET and PTX_DIR are an execution set and its PTX. N plants are drawn for each kind of fault (faults.py), each in
another kernel while there are enough; every kernel used is also run unchanged, with the same checks. Prints a
line a kind, and each plant that was not found at its line with what was said instead; exit status 1 if there is
one, or if a clean kernel was blamed.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import faults

FOUND = re.compile(r"\.ptx:(\d+):\d+: error: (.*)")


def checked(record, text, *options):
    """(line, message) of the fault that the emulator reports for a launch of this text; None if it has none."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "kernel.ptx").write_text(text)
        record = dict(record, ptx="kernel.ptx", ptx_sha256=hashlib.sha256(text.encode()).hexdigest())
        (pathlib.Path(folder) / "set.jsonl").write_text(json.dumps(record) + "\n")
        run = subprocess.run(["mettle-emulate", "replay", f"{folder}/set.jsonl", "--ptx", folder, "--draw", "0", "-j1",
                              *options], capture_output=True, text=True)
    match = FOUND.search(run.stdout + run.stderr)
    return (int(match[1]), match[2]) if match else None


def kind_of(message):
    match = re.search(r"\[([a-z ]+)\]", message)
    return match[1] if match else ""


def is_reached(record, text, plant):
    """Whether some thread executes the line of a plant in this launch: it traps there."""
    lines = text.split("\n")
    at = plant.lines[0] - 1
    guard = re.match(r"\s*(@!?%\w+ )?", lines[at])[1] or ""
    lines[at] = f"{guard}trap;"
    result = checked(record, "\n".join(lines))
    return result is not None and kind_of(result[1]) == "trap"


def draw(records, ptx, count, seed):
    """{kind: [(record, plant)]}, kernels at random, no kernel name again before all had their turn."""
    drawn = collections.defaultdict(list)
    for kind in faults.PLANTERS:
        chooser = random.Random(f"{seed} {kind}")
        pool = list(records)
        chooser.shuffle(pool)
        used = collections.Counter()
        while len(drawn[kind]) < count and pool:
            pool.sort(key=lambda record: used[record["kernel"]])
            record = pool.pop(0)
            text = (ptx / record["ptx"]).read_text()
            plants = faults.plants(text)[kind]
            chosen = chooser.choice(plants) if plants else None
            if chosen and (len(chosen.lines) > 1 or is_reached(record, text, chosen)):
                drawn[kind].append((record, chosen))
            used[record["kernel"]] += 1 if plants else 1000
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("set", type=pathlib.Path)
    parser.add_argument("ptx", type=pathlib.Path)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--kernel", nargs="*")
    arguments = parser.parse_args()
    records = [json.loads(line) for line in arguments.set.read_text().splitlines()]
    if arguments.kernel:
        records = [record for record in records if record["kernel"] in arguments.kernel]
    drawn = draw(records, arguments.ptx, arguments.count, arguments.seed)
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
            print(f"{kind}: {good} of {len(plants)} found", flush=True)
        clean = {record["ptx"]: record for plants in drawn.values() for record, _ in plants}
        texts = [(record, (arguments.ptx / record["ptx"]).read_text()) for record in clean.values()]
        blamed = [(record, result) for (record, _), result in
                  zip(texts, pool.map(lambda pair: checked(*pair, "--check"), texts)) if result]
    for record, result in blamed:
        print(f"  {record['ptx']}: clean, but line {result[0]}: {result[1]}")
    print(f"clean kernels: {len(texts) - len(blamed)} of {len(texts)} without a fault")
    sys.exit(failed or bool(blamed))


if __name__ == "__main__":
    main()
