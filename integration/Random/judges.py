"""Runs programs on judges and compares what they return, through one long-lived mettle-judge a process."""

import json
import re
import select
import subprocess

from generator import BLOCK, GRID

JUDGES = ["interp", "interp -O", "emulate", "emulate -O", "emulate --check", "emulate --check -O",
          "cuda", "cuda -O", "opencl", "opencl -O"]
# A program takes milliseconds; a device that a program keeps in a loop never answers.
SECONDS = 120

processes = {}
# Compiles for the judge cuda in place of the driver; empty: the driver does.
ptxas = ""


def compile_with(file):
    global ptxas
    ptxas = file


def start(build):
    return subprocess.Popen([f"{build}/bin/mettle-judge", ptxas], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True)


def ask(build, job):
    """The fault that mettle-judge finds in a job, or None. One that ends it is a fault too."""
    return answer(build, job)["fault"]


def answer(build, job):
    """What mettle-judge answers to a job."""
    if build not in processes:
        processes[build] = start(build)
    process = processes[build]
    process.stdin.write(json.dumps(job) + "\n")
    process.stdin.flush()
    answered = select.select([process.stdout], [], [], SECONDS)[0]
    line = process.stdout.readline() if answered else ""
    if line:
        found = json.loads(line)
        # A kernel that faults takes its process's context with it: whatever ran there next would be refused.
        if "CUDA driver" in (found["fault"] or ""):
            process.kill()
            process.wait()
            del processes[build]
        return found
    process.kill()
    code = process.wait()
    del processes[build]
    return {"fault": f"crashed: mettle-judge ended with {code}" if answered else f"hung: no answer in {SECONDS} s"}


def verdict(build, judges, text, arguments):
    """None when every judge returns what the first does; else what went wrong, in one line."""
    fault = ask(build, {"text": text, "kernel": "test", "grid": str(GRID), "block": str(BLOCK), "shared": 8 * BLOCK,
                        "arguments": arguments, "judges": judges})
    return fault and re.sub(r":\d+:\d+:", ":", fault)
