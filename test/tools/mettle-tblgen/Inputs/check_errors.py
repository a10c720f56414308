"""Runs mettle-tblgen on every .td of a folder and compares its errors with those the files ask for.

A line `// error@+N: text` asks for exactly one error, with `text` in it, N lines below. Prints what
differs and fails if anything does, or if there is nothing to check.
"""

import pathlib
import re
import subprocess
import sys

folder, arguments = pathlib.Path(sys.argv[1]), sys.argv[2:]
files = sorted(folder.glob("*.td"))
failures = 0 if files else 1
for file in files:
    lines = file.read_text().splitlines()
    wanted = [(number + int(found[1]), found[2]) for number, line in enumerate(lines, 1)
              if (found := re.match(r"// error@\+(\d+): (.*)", line))]
    run = subprocess.run(["mettle-tblgen", *arguments, str(file), "-o", "-"], capture_output=True, text=True)
    errors = [(int(number), text) for number, text in
              re.findall(re.escape(str(file)) + r":(\d+):\d+: error: (.*)", run.stderr)]
    right = len(wanted) == len(errors) == 1 and errors[0][0] == wanted[0][0] and wanted[0][1] in errors[0][1]
    if not right or run.returncode == 0:
        failures += 1
        print(f"{file.name}: expected {wanted}, got {errors}, exit code {run.returncode}\n{run.stderr}")
print(f"{len(files)} files, {failures} failures")
sys.exit(failures != 0)
