#!/usr/bin/env python3
"""Litmus tests of the memory model, written in the language and run by a judge.

    litmus.py JUDGE METTLE TRIALS [--deep=1] [--record=FILE.json]

JUDGE is `interp`, `emulate`, `opencl` or `cuda`; METTLE is the driver's binary; TRIALS is the least number of
trials of each test, ten times as many with --deep=1. Message passing, store buffering, independent reads of independent writes, and a
compare-exchange that one of eight wins, each with the orders that forbid an outcome and, where there is
one, in a weaker variant that allows it; on CUDA also among the warps of one workgroup. A line a test:
how often each outcome came. Exits with 1 at a forbidden outcome or a trial that is missing; and on CUDA if
no weaker variant of message passing or store buffering showed the outcome that the stronger forbids,
because then the test could not have seen it. Needs the standard library only.
"""

import datetime
import json
import platform
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = (Path(__file__).parent / "Inputs" / "litmus.mettle").read_text()


def message_passing(store, load, plain):
    """The data may be plain only where the flag orders it."""
    write, read = ("x[at] = 1;", "x[at]") if plain else (
        "atomic_store(x, at, 1, order: relaxed, SCOPE);", "atomic_load(x, at, order: relaxed, SCOPE)")
    reader = (f"if (flag != 0) {{ bits = 1 + 2 * {read}; }}" if plain else f"bits = flag + 2 * {read};")
    return f"""if (role == 0) {{
      {write}
      atomic_store(y, to, 1, order: {store}, SCOPE);
    }} else {{
      var flag: uint32 = atomic_load(y, to, order: {load}, SCOPE);
      {reader}
    }}"""


def store_buffering(store, load):
    return f"""if (role == 0) {{
      atomic_store(x, at, 1, order: {store}, SCOPE);
      bits = atomic_load(y, to, order: {load}, SCOPE);
    }} else {{
      atomic_store(y, to, 1, order: {store}, SCOPE);
      bits = 2 * atomic_load(x, at, order: {load}, SCOPE);
    }}"""


def independent_reads(store, load):
    return f"""if (role == 0) {{
      atomic_store(x, at, 1, order: {store}, SCOPE);
    }} else if (role == 1) {{
      atomic_store(y, to, 1, order: {store}, SCOPE);
    }} else if (role == 2) {{
      bits = atomic_load(x, at, order: {load}, SCOPE);
      bits += 2 * atomic_load(y, to, order: {load}, SCOPE);
    }} else {{
      bits = 4 * atomic_load(y, to, order: {load}, SCOPE);
      bits += 8 * atomic_load(x, at, order: {load}, SCOPE);
    }}"""


def single_winner(order):
    """Every loser sees the winner; 1 for the winner and 16 for each that sees another one."""
    return f"""var mine: uint32 = (uint32)role + 1;
    var old: uint32 = atomic_compare_exchange(x, at, 0, mine, success_order: {order}, failure_order: relaxed, SCOPE);
    if (old == 0) {{ bits = 1; }}
    else if (old != atomic_load(x, at, order: relaxed, SCOPE) || old == mine) {{ bits = 16; }}"""


# Name, roles, what they do, and which outcomes are forbidden; or, of a weaker variant, which to look for.
TESTS = [
    ("message passing, release and acquire, plain data", 2, message_passing("release", "acquire", True), {1}, None),
    ("message passing, release and acquire", 2, message_passing("release", "acquire", False), {1}, None),
    ("message passing, seq_cst, plain data", 2, message_passing("seq_cst", "seq_cst", True), {1}, None),
    ("message passing, relaxed", 2, message_passing("relaxed", "relaxed", False), set(), 1),
    ("store buffering, seq_cst", 2, store_buffering("seq_cst", "seq_cst"), {0}, None),
    ("store buffering, release and acquire", 2, store_buffering("release", "acquire"), set(), 0),
    ("store buffering, relaxed", 2, store_buffering("relaxed", "relaxed"), set(), 0),
    # One reader sees x written and y not, the other y and not x.
    ("independent reads, seq_cst", 4, independent_reads("seq_cst", "seq_cst"), {1 + 4}, None),
    ("independent reads, relaxed", 4, independent_reads("relaxed", "relaxed"), set(), 1 + 4),
    ("single winner, seq_cst", 8, single_winner("seq_cst"), set(range(256)) - {1}, None),
    ("single winner, relaxed", 8, single_winner("relaxed"), set(range(256)) - {1}, None),
]

# Workgroups for each role, work-items of a workgroup and trials of one launch, in turn; powers of two. All
# workgroups are on the GPU at once.
SIZES = {"interp": [(1, 4, 2)], "emulate": [(2, 8, 2)], "opencl": [(8, 8, 200)],
         "cuda": [(32, 64, 256), (8, 32, 2048), (64, 256, 64)]}
# How often a role looks whether the others have come.
PATIENCE = {"interp": 3, "emulate": 3, "opencl": 100, "cuda": 200}

AMONG_GROUPS = """var role: int32 = block.x % ROLES;
  var instance: int32 = block.x / ROLES * block_dim.x + thread.x;
  var instances: int32 = grid_dim.x / ROLES * block_dim.x;"""
# A role is a warp of the workgroup.
AMONG_WARPS = """var role: int32 = thread.x / 32 % ROLES;
  var instance: int32 = block.x * (block_dim.x / ROLES) + thread.x / 32 / ROLES * 32 + thread.x % 32;
  var instances: int32 = grid_dim.x * (block_dim.x / ROLES);"""


def read_npy(path):
    """The words of a one-dimensional array of uint32."""
    data = path.read_bytes()
    header, = struct.unpack_from("<H", data, 8)
    return struct.unpack(f"<{(len(data) - 10 - header) // 4}I", data[10 + header:])


class Judge:
    def __init__(self, name, mettle, folder):
        self.name, self.mettle, self.folder = name, mettle, folder

    def run(self, roles, body, scope, size):
        """The trials and outcomes of one launch."""
        groups, items, trials = size
        if scope == "workgroup":
            grid, block = groups * 4, 32 * roles
            instances = grid * 32
        else:
            grid, block = groups * roles, items
            instances = groups * items
        text = SOURCE.replace("COUNT_OF_ROLES", str(roles)).replace("BODY", body)
        text = text.replace("ROLE_AND_INSTANCE", AMONG_WARPS if scope == "workgroup" else AMONG_GROUPS)
        source, out = self.folder / "litmus.mettle", self.folder / "outcomes.npy"
        source.write_text(text.replace("SCOPE", f"scope: {scope}"))
        count = instances * trials
        device = [] if self.name == "interp" else [f"--device={self.name}"]
        arch = ["--gpu-arch=sm_90a"] if self.name in ["cuda", "emulate"] else []
        arrays = [f"--arg=u32[{count}]=zeros"] * 5 + ["--arg=u32[256]=zeros"]
        result = subprocess.run([self.mettle, "run", "-O", source, *device, *arch, f"--grid={grid}", f"--block={block}",
                                 *arrays, f"--arg={trials}", f"--arg={PATIENCE[self.name]}", f"--save=outcomes={out}"],
                                capture_output=True, text=True)
        if result.returncode:
            sys.exit(result.stderr)
        return count, read_npy(out)


def run_test(judge, test, scope, least):
    """The record of a test: as many launches as it needs, at least one of each size."""
    name, roles, body, forbidden, weak = test
    totals, trials = [0] * 256, 0
    while trials < least:
        for size in SIZES[judge.name]:
            count, outcomes = judge.run(roles, body, scope, size)
            trials += count
            totals = [a + b for a, b in zip(totals, outcomes)]
    seen = {outcome: count for outcome, count in enumerate(totals) if count}
    record = {"test": name, "scope": scope, "trials": trials, "counted": sum(totals), "outcomes": seen,
              "forbidden": sum(totals[outcome] for outcome in forbidden) if forbidden else None,
              "weak": totals[weak] if weak is not None else None}
    what = f"{record['forbidden']} forbidden" if forbidden else f"{record['weak']} weak"
    shown = ", ".join(f"{outcome}: {count}" for outcome, count in seen.items())
    print(f"{name}, among the {'workgroups' if scope == 'device' else 'warps of one'}: {trials} trials, {what} ({shown})",
          flush=True)
    return record


def describe_device():
    asked = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                           capture_output=True, text=True)
    return asked.stdout.strip().splitlines()[0] if asked.returncode == 0 else "unknown"


def main():
    name, mettle, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if "--deep=1" in sys.argv:
        least *= 10
    scopes = ["device", "workgroup"] if name == "cuda" else ["device"]
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(name, mettle, Path(folder))
        records = [run_test(judge, test, scope, least) for scope in scopes for test in TESTS]
    for option in [word for word in sys.argv if word.startswith("--record=")]:
        about = {"command": f"litmus.py {name} mettle {least}", "date": datetime.date.today().isoformat(),
                 "device": describe_device() if name == "cuda" else platform.processor() or platform.machine()}
        Path(option.split("=", 1)[1]).write_text(json.dumps({**about, "tests": records}, indent=1) + "\n")
    forbidden = sum(record["forbidden"] or 0 for record in records)
    missing = sum(record["trials"] - record["counted"] for record in records)
    weak = sum(record["weak"] or 0 for record in records)
    print(f"{name}: {len(records)} tests, {forbidden} forbidden outcomes, {missing} trials missing, {weak} weak outcomes")
    sys.exit(forbidden != 0 or missing != 0 or (name == "cuda" and weak == 0))


main()
