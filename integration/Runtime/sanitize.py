#!/usr/bin/env python3
"""Runs every suite that has a GPU as judge under compute-sanitizer.

    sanitize.py BUILD [--jobs J] [--only SUITE]

Prints a row a suite: what memcheck, racecheck and synccheck found, and the seconds that each took.
Exit status 1 where a tool found something, or a suite failed.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

SUITES = {
    "examples": ["Examples/examples.py", "cuda", "BUILD"],
    "listings": ["Listings/listings.py", "cuda", "BUILD"],
    "atomic updates": ["Atomic/updates.py", "cuda", "BUILD"],
    "asynchronous copies": ["AsyncCopy/copies.py", "cuda", "BUILD"],
    "automatic staging": ["AsyncCopy/staged.py", "BUILD", "cuda"],
    "subgroup operations": ["Subgroup/collectives.py", "cuda", "BUILD", "1"],
    "math functions": ["Math/Inputs/compare.py", "cuda", "BUILD"],
    "random kernels": ["Random/random_kernels.py", "BUILD", "--judges", "interp,cuda,cuda -O", "--ptxas", "ptxas", "--count", "20",
                       "--jobs", "4"],
}

TOOLS = ["memcheck", "racecheck", "synccheck"]
# The runtime asks for a kernel's parameters until there are none: an error of the API, and no fault.
OPTIONS = ["--report-api-errors", "no", "--target-processes", "all"]
SUMMARY = re.compile(r"(?:ERROR SUMMARY: |RACECHECK SUMMARY: )(\d+) (?:error|hazard)")


def sanitize(build, suite, tool):
    """What was found in all processes, None where a tool did not come to its end; the suite's exit status, the seconds, the
    last lines."""
    script, *arguments = [build if part == "BUILD" else part for part in SUITES[suite]]
    command = ["compute-sanitizer", "--tool", tool, *OPTIONS, sys.executable, str(ROOT / script), *arguments]
    start = time.monotonic()
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    summaries = [int(count) for count in SUMMARY.findall(run.stdout)]
    found = sum(summaries) if summaries else None
    return found, run.returncode, time.monotonic() - start, run.stdout.splitlines()[-20:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=SUITES)
    args = parser.parse_args()
    suites = [args.only] if args.only else list(SUITES)
    bad = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = {(suite, tool): pool.submit(sanitize, args.build, suite, tool) for suite in suites for tool in TOOLS}
        print("| suite | " + " | ".join(TOOLS) + " |\n" + "|---" * (len(TOOLS) + 1) + "|", flush=True)
        for suite in suites:
            cells = []
            for tool in TOOLS:
                found, status, seconds, tail = runs[suite, tool].result()
                cells.append(f"{'no summary' if found is None else found}, {seconds:.0f} s")
                if found != 0 or status:
                    bad.append((suite, tool, status, tail))
            print(f"| {suite} | " + " | ".join(cells) + " |", flush=True)
    for suite, tool, status, tail in bad:
        print(f"{suite}, {tool}: exit status {status}", *tail, sep="\n    ")
    print(f"{len(suites)} suites, {len(bad)} with findings or failures")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
