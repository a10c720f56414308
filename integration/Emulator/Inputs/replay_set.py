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
    arguments = parser.parse_args()
    sample = [] if arguments.deep else ["--sample", "300"]
    run = subprocess.run(["mettle-emulate", "replay", arguments.set, "--ptx", arguments.ptx, *sample],
                         capture_output=True, text=True)
    print(run.stdout, end="")
    total = re.search(r"total: (\d+)/(\d+) runs equal", run.stdout)
    least = 9672 if arguments.deep else 200
    if total and int(total[2]) >= least and run.returncode == 0:
        print("enough runs")
        return 0
    print(run.stderr, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
