#!/usr/bin/env python3
"""Runs every test through lit and prints `N passed, N failed[, N skipped]` as the last line.

A test counts as skipped only when lit found it unsupported, which the suites use for one reason:
no GPU (see integration/lit.local.cfg). Unresolved, timed out and unexpectedly passing tests are
failures. Exit status 0 when nothing failed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

SKIPPED = {"UNSUPPORTED"}
PASSED = {"PASS", "XFAIL", "FLAKYPASS"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="build directory")
    parser.add_argument("paths", nargs="*", help="suites or tests under the build directory; default all")
    parser.add_argument("--deep", action="store_true", help="property, fuzz and mutation runs at full counts")
    args = parser.parse_args()

    suites = args.paths or [os.path.join(args.build, suite) for suite in ("test", "unittests", "integration")]
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.json")
        command = [os.path.join(os.path.dirname(sys.executable), "lit"), "-s", "-v", "--timeout", "3600" if args.deep else "300",
                   "--output", results] + suites
        if args.deep:
            command += ["--param", "deep=1"]
        subprocess.run(command, check=False)
        if not os.path.exists(results):
            print("run_tests: error: lit wrote no results", file=sys.stderr)
            print("0 passed, 1 failed")
            return 1
        with open(results) as file:
            codes = [test["code"] for test in json.load(file)["tests"]]

    passed = sum(code in PASSED for code in codes)
    skipped = sum(code in SKIPPED for code in codes)
    failed = len(codes) - passed - skipped
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
