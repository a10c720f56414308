#!/usr/bin/env python3
"""Runs mettle-ptx --round-trip over every PTX file under a directory and adds up its lines."""

import os
import re
import subprocess
import sys

files = sorted(os.path.join(root, name) for root, _, names in os.walk(sys.argv[1])
               for name in names if name.endswith(".ptx"))
run = subprocess.run(["mettle-ptx", "--round-trip"] + files, capture_output=True, text=True)
sys.stderr.write(run.stderr)
counts = [int(count) for count in re.findall(r": (\d+) tokens equal$", run.stdout, re.M)]
print(f"{len(counts)} files, {sum(counts)} tokens equal")
sys.exit(run.returncode)
