#!/usr/bin/env python3
"""Replays an execution set, a sample of it or with --deep=1 all, and says whether that were as many runs as meant."""

import argparse
import re
import subprocess
import sys


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set")
    parser.add_argument("ptx")
    parser.add_argument("--deep", type=int, default=0)
    parser.add_argument("--part", default="--sample=300", help="what is replayed if not all")
    parser.add_argument("--runs", type=int, nargs=2, default=[200, 9672], help="at least so many of a part, of all")
    arguments = parser.parse_args()
    sample = [] if arguments.deep else [arguments.part]
    run = subprocess.run(["mettle-emulate", "replay", arguments.set, "--ptx", arguments.ptx, *sample],
                         capture_output=True, text=True)
    print(run.stdout, end="")
    total = re.search(r"total: (\d+)/(\d+) runs equal", run.stdout)
    least = arguments.runs[arguments.deep]
    if total and int(total[2]) >= least and run.returncode == 0:
        print("enough runs")
        return 0
    print(run.stderr, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
