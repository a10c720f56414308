"""How fast the reader turns PTX into decoded arrays, and in how much memory.

The corpus is every file of Triton's under integration/Assembly/Inputs: 2,372 files, 70.5 MB. The
peer is a pass over the same bytes that only finds the line ends.
"""

import json
import pathlib
import subprocess
import tarfile
import tempfile

from timing import BenchmarkError, Result

ARCHIVES = ("h200-corpus.tar.xz", "other-targets.tar.xz")
# What was asked for: megabytes of text a second on one core, bytes of tables a byte of text.
SPEED, MEMORY = 250, 4


def measure(options) -> list:
    program = options.build / "benchmarks" / "read-ptx"
    if not program.exists():
        raise BenchmarkError(f"expected the program {program}, found none")
    with tempfile.TemporaryDirectory() as folder:
        for name in ARCHIVES:
            with tarfile.open(options.source / "integration" / "Assembly" / "Inputs" / name) as archive:
                archive.extractall(pathlib.Path(folder) / name, filter="data")
        files = sorted(str(path) for path in pathlib.Path(folder).rglob("*.ptx"))
        run = subprocess.run([str(program), str(options.runs), *files], capture_output=True, text=True, check=False)
    if run.returncode:
        raise BenchmarkError(run.stderr.strip().splitlines()[0])
    found = json.loads(run.stdout)
    size = f"{found['files']} files, {found['bytes'] / 1e6:.1f} MB"
    return [
        Result(f"text to arrays, {size}", f"{found['best']:.0f} MB/s", "line ends", f"{found['lines']:.0f} MB/s",
               found["best"] / SPEED, "at least", 1),
        Result("tables over text, all files", f"{found['memory']:.2f}", "allowed", str(MEMORY),
               found["memory"] / MEMORY, "at most", 1),
        Result("tables over text, worst file", f"{found['worst_memory']:.2f}", "allowed", str(MEMORY),
               found["worst_memory"] / MEMORY, "at most", 1),
    ]
