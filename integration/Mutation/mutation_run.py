#!/usr/bin/env python3
"""Plants faults in what lowering makes and counts how many the judges find.

    mutation_run.py BUILD [--targets ptx,spirv] [--draw N] [--seed S] [--programs P] [--first F] [--sites Q]

A mutant is an operator (see ptx.py and spirv.py) on one form of instruction, wherever that form stands: what a fault in the one
lowering pattern that writes the form would do. The universe is what these kernels and P random programs have room for; N of
it are drawn with the seed S before anything runs. Each then runs on programs that have its form, as many as Q of them, until the
interpreter and the device, the emulator (which looks for races, too) or OpenCL, differ: first on kernels of one operation a type,
then the examples, then random programs. Prints a table in Markdown and the count.
"""

import argparse
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.join(HERE, "..", "Random"), os.path.join(HERE, "..", "Examples")]

import judges as judge_process
import ptx
import spirv
from examples import LAUNCHES
from generator import BLOCK, GRID, arguments, generate
from operations import programs as operationPrograms

TARGETS = {"ptx": (ptx, "emulate"), "spirv": (spirv, "opencl")}


def examplePrograms():
    for name, (options, texts) in LAUNCHES.items():
        kernel = name.split(":")[0]
        with open(os.path.join(HERE, "..", "..", "examples", f"{kernel}.mettle")) as file:
            launch = dict(option.lstrip("-").split("=") for option in options.split())
            launch["shared"] = int(launch.get("shared", 0))
            yield name, {"text": file.read(), "kernel": kernel, **launch,
                         "arguments": [text.replace("?", f"rand:{n}") for n, text in enumerate(texts)]}


def randomPrograms(first, count):
    for seed in range(first, first + count):
        yield f"seed {seed}", {"text": generate(seed).text(), "kernel": "test", "grid": str(GRID), "block": str(BLOCK),
                               "shared": 8 * BLOCK, "arguments": arguments(seed)}


class Corpus:
    """Programs and what a target makes of them, compiled once. Lowering with -O and without alternates."""

    def __init__(self, build, target, programs):
        self.build, (self.module, self.device) = build, TARGETS[target]
        self.jobs, self.compiled, self.has = [], [], {}
        self.remarks = []
        self.sound = {}  # index of a program -> whether it passes as it is: with the checks, without, or not at all
        for n, (name, job) in enumerate(programs):
            job = dict(job, judges=[self.device + (" -O" if n % 2 else "")])
            answer = judge_process.answer(build, dict(job, emit=True))
            if answer["fault"]:
                print(f"not lowered, {target}: {name}: {answer['fault']}\n")
                continue
            for mutant in self.module.mutants(answer["compiled"]):
                self.has.setdefault(mutant, []).append(len(self.jobs))
            self.jobs.append((name, job))
            self.compiled.append(answer["compiled"])

    def judge(self, job, compiled, checks):
        return judge_process.ask(self.build, dict(job, judges=["interp"] + job["judges"], compiled=compiled, checks=checks))

    def soundness(self, index):
        """Whether the emulator's checks may be asked about a program: it must pass with them as it is. None if it fails anyway."""
        if index not in self.sound:
            name, job = self.jobs[index]
            faults = [self.judge(job, self.compiled[index], checks) for checks in (True, False)]
            self.sound[index] = None if faults[1] else not faults[0]
            if any(faults):
                self.remarks.append(f"{name} as it is: {faults[1] or faults[0]}")
        return self.sound[index]

    def hunt(self, mutant, sites):
        """(programs run, what was found or None)."""
        for tried, index in enumerate(self.has[mutant][:sites], 1):
            name, job = self.jobs[index]
            checks = self.soundness(index)
            if checks is None:
                continue
            faulty = self.module.plant(self.compiled[index], mutant)
            fault = self.judge(job, faulty, checks)
            if fault:
                return tried, f"{name}: {fault}"
        return len(self.has[mutant][:sites]), None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--targets", default="ptx,spirv")
    parser.add_argument("--draw", type=int, default=50)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--sites", type=int, default=20)
    args = parser.parse_args()

    programs = [*operationPrograms(), *examplePrograms(), *randomPrograms(args.first, args.programs)]
    corpora = {target: Corpus(args.build, target, programs) for target in args.targets.split(",")}
    universe = sorted((target, *mutant) for target, corpus in corpora.items() for mutant in corpus.has)
    drawn = random.Random(args.seed).sample(universe, min(args.draw, len(universe)))
    print(f"seed {args.seed}: {len(drawn)} of {len(universe)} mutants drawn\n\n| target | operator | form | programs | found by |\n|---|---|---|---|---|",
          flush=True)
    found = 0
    for target, operator, form in drawn:
        tried, fault = corpora[target].hunt((operator, form), args.sites)
        found += fault is not None
        print(f"| {target} | {operator} | `{form}` | {tried} | {'**survives**' if fault is None else fault[:110].replace('|', '/')} |", flush=True)
    print(f"\n{found} of {len(drawn)} found")
    for corpus in corpora.values():
        for remark in corpus.remarks:
            print(f"* {remark}")


if __name__ == "__main__":
    main()
