#!/usr/bin/env python3
"""Compares judges on random kernels.

    random_kernels.py BUILD [--judges A,B,...] [--count N | --deep 0|1] [--seed S] [--jobs J] [--ptxas FILE] [--coverage]

Judges: interp, interp -O, emulate, emulate -O, emulate --check, emulate --check -O, cuda, cuda -O, opencl (SPIR-V 1.4), opencl -O (SPIR-V 1.0 but for subgroups). Program i comes from seed S + i. A program on which a judge
differs from the first, or which one refuses, is shrunk and printed, and the exit code is 1.
--coverage only counts in how many programs each feature of the language stands.
"""

import argparse
import collections
import concurrent.futures
import os
import shutil
import sys

from generator import arguments, generate
from judges import JUDGES, compile_with, verdict
from shrink import shrink


def check(job):
    build, judges, seed = job
    return seed, verdict(build, judges, generate(seed).text(), arguments(seed))


def report(build, judges, seed, fault):
    kind = fault.split(":")[0]

    def fails(program):
        found = verdict(build, judges, program.text(), arguments(seed))
        return found is not None and (found == fault if kind == "refused" else found.split(":")[0] == kind)

    small = shrink(generate(seed), fails)
    print(f"seed {seed} made small:\n\n{small.text()}\narguments: {' '.join(arguments(seed))}\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--judges", default="interp,interp -O")
    parser.add_argument("--deep", type=int, default=0, help="1: 5,000 programs where no count is given, in place of 100")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--ptxas", default="", help="compiles for the judge cuda, in place of the driver")
    parser.add_argument("--coverage", action="store_true")
    args = parser.parse_args()
    args.count = args.count or (5000 if args.deep else 100)
    seeds = range(args.seed, args.seed + args.count)

    if args.coverage:
        counts = collections.Counter(feature for seed in seeds for feature in generate(seed).features())
        width = max(map(len, counts))
        for feature, count in sorted(counts.items(), key=lambda item: item[1]):
            print(f"{feature:{width}} {count}")
        print(f"least covered of {len(counts)} features: in {min(counts.values())} of {args.count} programs")
        return

    judges = args.judges.split(",")
    unknown = [judge for judge in judges if judge not in JUDGES]
    if unknown or len(judges) < 2:
        sys.exit(f"random_kernels: error: expected two or more judges of {', '.join(JUDGES)}, got {args.judges}")
    faults = []
    ptxas = shutil.which(args.ptxas) or args.ptxas
    compile_with(ptxas)
    with concurrent.futures.ProcessPoolExecutor(args.jobs, initializer=compile_with, initargs=(ptxas,)) as pool:
        for done, (seed, fault) in enumerate(pool.map(check, [(args.build, judges, seed) for seed in seeds]), 1):
            if fault:
                faults.append((seed, fault))
                print(f"seed {seed}: {fault}", flush=True)
            if done % 500 == 0:
                print(f"{done} of {args.count} programs, {len(faults)} faults", flush=True)
    for seed, fault in faults[:5]:
        report(args.build, judges, seed, fault)
    print(f"{args.count} programs, judges {', '.join(judges)}: {len(faults)} differences")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
