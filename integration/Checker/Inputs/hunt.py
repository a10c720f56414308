#!/usr/bin/env python3
"""Hunts for wrong answers of the checker, with the emulator as its judge.

    hunt.py mutants|rewrites BUILD CORPUS SET [--count N | --deep 0|1] [--seed S] [--kernel NAME ...] [--json FILE]
            [--keep FOLDER] [-j N] [--batch N]

CORPUS holds index.jsonl and the PTX of configurations that ran on an H200, SET (jsonl[.xz]) what they
returned. Configurations are drawn from every kernel in turn. BUILD holds bin/mettle-equiv and bin/mettle-emulate.
Changes are judged batch by batch; with --json each batch's results are added to FILE, and a run that finds
results of its seed there goes on after them.

mutants: one-change faults (mutations.py). The checker partitions each kernel's mutants together
with the originals; the emulator runs each mutant on the set's draws. A mutant that the checker calls
equal to its original and the emulator tells apart is an unsound answer: it is printed, kept in FOLDER,
and the exit code is 1. Mutants called equal that no draw tells apart are listed, each with what proves it
neutral: that the changed instruction gives the same in every thread of the launch (neutral.py asks the emulator,
and no data takes part), or the rules that the checker's answer rests on.
A mutant that is unknown to the checker runs again under the emulator's checks: one with a race, an access
out of bounds or an uninitialised read has no defined words, and unknown is the right answer to it.
rewrites: changes that keep every bit (rewrites.py). The emulator must find them equal (else the
rewriting is wrong: exit code 1); how many the checker calls equal is counted.

The last line: `mutants N, told apart A: different D, undefined F, unknown U, equal E; the others: ...`, or
`rewrites N: equal E, different D, unknown U`.
"""

import argparse
import collections
import hashlib
import json
import lzma
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import mutations
import neutral
import rewrites

#: How many changes are made by default, and how many in a deep run.
COUNTS = {"mutants": (40, 5000), "rewrites": (30, 2000)}
#: Instructions a warp of a mutant may execute: many times what the longest original needs.
STEPS = 1_000_000


def records(path):
    with (lzma.open if str(path).endswith(".xz") else open)(path, "rt") as lines:
        for line in lines:
            yield json.loads(line)


def places(corpus, kernels, seed):
    """Lines of the index: kernels in turn, configurations of each in random order, again and again."""
    by_kernel = collections.defaultdict(list)
    for line in records(corpus / "index.jsonl"):
        by_kernel[line["kernel"]].append(line)
    names = sorted(name for name in by_kernel if not kernels or name in kernels)
    turn = 0
    while True:
        for name in names:
            lines = by_kernel[name]
            if turn % len(lines) == 0:
                random.Random(f"{seed} {name} {turn // len(lines)}").shuffle(lines)
            yield lines[turn % len(lines)]
        turn += 1


def changed(args):
    """(index line, what was done, line number, before, after, text) of the changes to be made."""
    seen, found = set(), 0
    for turn, line in enumerate(places(args.corpus, args.kernel, args.seed)):
        if found == args.count or turn > 4 * args.count:
            return
        text = (args.corpus / line["ptx"]).read_text()
        chooser = f"{args.seed} {turn}"
        if args.kind == "mutants":
            drawn = [(m.operator, m.line, m.before, m.after, m.text) for m in mutations.draw(text, 1, chooser)]
        else:
            try:
                name, new = rewrites.rewrite(text, chooser)
            except ValueError:
                continue
            drawn = [(name, 0, "", "", new)]
        for change in drawn:
            key = hashlib.sha256(change[-1].encode()).hexdigest()
            if key not in seen:
                seen.add(key)
                found += 1
                yield line, change, key


def partition(args, folder, lines):
    """The class (or None) and the report line of each index line, by (kernel, index)."""
    with open(folder / "index.jsonl", "w") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
    jobs = ["--jobs", str(args.jobs)] if args.jobs else []
    run = subprocess.run([f"{args.build}/bin/mettle-equiv", "--classes", folder / "index.jsonl", "-o",
                          folder / "report.jsonl", *jobs], stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 3):
        sys.exit(f"mettle-equiv --classes ended with {run.returncode}: {run.stderr[-500:]}")
    return {(line["kernel"], line["index"]): line for line in records(folder / "report.jsonl")}


def told_apart(args, folder, runs, *options):
    """What the emulator says of each run that does not return the recorded words: {(kernel, index): message}."""
    if not runs:
        return {}
    with open(folder / "set.jsonl", "w") as out:
        out.writelines(json.dumps(run) + "\n" for run in runs)
    command = [f"{args.build}/bin/mettle-emulate", "replay", folder / "set.jsonl", f"--ptx={folder}", "--show-all",
               f"--step-limit={STEPS}", *options, *([f"-j{args.jobs}"] if args.jobs else [])]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (0, 1) or "total: " not in run.stdout:
        sys.exit(f"mettle-emulate replay ended with {run.returncode}: {run.stderr[-500:]}")
    found = {}
    for match in re.finditer(r"^  (\w+)/(\d+): (.*)$", run.stdout, re.M):
        found.setdefault((match[1], int(match[2])), match[3])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=COUNTS)
    parser.add_argument("build")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("set", type=pathlib.Path)
    parser.add_argument("--count", type=int)
    parser.add_argument("--deep", type=int, default=0, help="1: many where no count is given, in place of a few")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--kernel", action="append", default=[])
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("-j", type=int, dest="jobs", help="threads; all cores where it is not given")
    parser.add_argument("--batch", type=int, default=250)
    args = parser.parse_args()
    args.count = args.count or COUNTS[args.kind][args.deep]
    print(f"seed {args.seed}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = args.keep or pathlib.Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        results = hunt(args, folder)
    sys.exit(report(args, results))


def known(args):
    """Results of an earlier run with this seed, in order; a last line that is not whole is dropped."""
    if not args.json or not args.json.exists():
        return []
    whole = [line for line in args.json.read_text().splitlines(keepends=True) if line.endswith("\n")]
    args.json.write_text("".join(whole))
    results = [json.loads(line) for line in whole]
    if any(result["seed"] != args.seed or result["kind"] != args.kind for result in results):
        sys.exit(f"{args.json} holds results of another run")
    return results


def hunt(args, folder):
    """One result a change: what was changed, what the checker says of it, and what the emulator says."""
    recorded = {(run["kernel"], run["index"]): run for run in records(args.set)}
    results, batch = known(args), []
    if results:
        print(f"{len(results)} are known", flush=True)
    for number, change in enumerate(changed(args)):
        if number < len(results):
            continue
        batch.append((number, change))
        if len(batch) == args.batch:
            judge(args, folder, recorded, batch, results)
            batch = []
    if batch:
        judge(args, folder, recorded, batch, results)
    return results


def judge(args, folder, recorded, batch, results):
    """Adds the results of a batch of changes."""
    originals, lines, runs, found, texts = {}, [], [], [], []
    for number, (line, (what, at, before, after, text), key) in batch:
        # Changes are numbered from 10,000 on, so that no configuration has the number of one.
        index, file = 10_000 + number, f"{line['kernel']}-{10_000 + number}.ptx"
        (folder / file).write_text(text)
        originals[line["kernel"], line["index"]] = line | {"ptx": str((args.corpus / line["ptx"]).resolve())}
        lines.append(line | {"index": index, "ptx": file})
        runs.append(recorded[line["kernel"], line["index"]] | {"index": index, "ptx": file, "ptx_sha256": key})
        found.append({"kind": args.kind, "seed": args.seed, "kernel": line["kernel"], "index": line["index"],
                      "file": file, "operator": what, "line": at, "before": before, "after": after})
        texts.append(text)
    of = [(run["kernel"], run["index"]) for run in runs]
    classes = partition(args, folder, list(originals.values()) + lines)
    # Most faults show on the first draw.
    apart = told_apart(args, folder, runs, "--draw=0")
    left = [run for key, run in zip(of, runs) if key not in apart]
    apart |= told_apart(args, folder, left, *(f"--draw={draw}" for draw in range(1, 6)))
    for key, result in zip(of, found):
        mine, theirs = classes[key], classes[result["kernel"], result["index"]]
        unknown = mine.get("unknown") or theirs.get("unknown")
        result["checker"] = "unknown" if unknown else "equal" if mine["class"] == theirs["class"] else "different"
        result["reason"] = unknown
        result["emulator"] = apart.get(key)
        if result["checker"] == "equal":
            result["rules"] = sorted(set(mine["rules"]) | set(theirs["rules"]))
    if args.kind == "mutants":
        again = [run for run, result in zip(runs, found) if result["checker"] == "unknown"]
        faults = told_apart(args, folder, again, "--check", "--draw=0")
        for key, result in zip(of, found):
            fault = faults.get(key, "")
            if ".ptx:" in fault:
                result["checker"], result["fault"] = "undefined", fault
        prove(args, folder, runs, found)
    for text, result in zip(texts, found):
        # What somebody will want to look at stays.
        is_wrong = bool(result["emulator"]) == (result["checker"] == "equal")
        if is_wrong and args.keep:
            (folder / result["file"]).write_text(text)
        else:
            (folder / result["file"]).unlink()
    results += found
    if args.json:
        with open(args.json, "a") as out:
            out.writelines(json.dumps(result) + "\n" for result in found)
        print(f"{len(results)} done", flush=True)


def prove(args, folder, runs, found):
    """Notes what proves the mutants neutral that are called equal and not told apart."""
    left = [(run, result) for run, result in zip(runs, found) if result["checker"] == "equal" and not result["emulator"]]
    for _, result in left:
        result["neutral"] = "rules: " + ", ".join(result["rules"])
    for watch in (lambda text, line, after: neutral.reached(text, line), neutral.watched):
        tried = []
        for run, result in left:
            original = (args.corpus / f"{result['kernel']}/{result['index']:04}.ptx").read_text()
            text, why = watch(original, result["line"] - 1, result["after"])
            if text:
                (folder / result["file"]).write_text(text)
                key = hashlib.sha256(text.encode()).hexdigest()
                tried.append((run | {"ptx_sha256": key}, result, why))
        trapped = told_apart(args, folder, [run for run, _, _ in tried], "--draw=0")
        for run, result, why in tried:
            if (run["kernel"], run["index"]) not in trapped:
                result["neutral"] = why
        left = [(run, result) for run, result in left if result["neutral"].startswith("rules")]


def show(title, results):
    print(f"{title}: {len(results)}")
    for r in results:
        print(f"  {r['file']} of {r['kernel']}/{r['index']}, {r['operator']}, line {r['line']}: "
              f"{r['before']}  ->  {r['after']}  {r['emulator'] or r.get('neutral') or ''}")


def report(args, results):
    """Prints what the results say; the exit code."""
    apart = [r for r in results if r["emulator"]]
    same = [r for r in results if not r["emulator"]]
    reasons = collections.Counter(r["reason"] for r in results if r["reason"])
    if reasons:
        print("unknown, the most frequent reasons:")
        for reason, count in reasons.most_common(12):
            print(f"  {count:5} {reason}")
    if args.kind == "rewrites":
        show("rewritings that change bits", apart)
        by_kind = collections.Counter((r["operator"], r["checker"]) for r in same)
        for kind in sorted({kind for kind, _ in by_kind}):
            print(f"  {kind:24}" + "".join(f"  {by_kind[kind, c]:5} {c}" for c in ("equal", "different", "unknown")))
        count = collections.Counter(r["checker"] for r in same)
        print(f"rewrites {len(results)}: equal {count['equal']}, different {count['different']}, "
              f"unknown {count['unknown']}, wrong {len(apart)}")
        return 1 if apart else 0
    wrong = [r for r in apart if r["checker"] == "equal"]
    show("called equal and told apart", wrong)
    neutral_ones = [r for r in same if r["checker"] == "equal"]
    show("called equal and not told apart", neutral_ones)
    exhaustive = sum(not r["neutral"].startswith("rules") for r in neutral_ones)
    print(f"proved neutral: {exhaustive} over every thread of the launch, {len(neutral_ones) - exhaustive} by rules")
    by_kind = collections.Counter((r["operator"], r["checker"], bool(r["emulator"])) for r in results)
    answers = ("different", "undefined", "unknown", "equal")
    print(f"{'operator':20}" + "".join(f"{answer:>12}" for answer in answers) + "   | not told apart: the same")
    for kind in sorted({kind for kind, _, _ in by_kind}):
        cells = ["".join(f"{by_kind[kind, answer, a]:12}" for answer in answers) for a in (True, False)]
        print(f"{kind:20}{cells[0]}   |{cells[1]}")
    a, s = (collections.Counter(r["checker"] for r in group) for group in (apart, same))
    told = [", ".join(f"{answer} {group[answer]}" for answer in answers) for group in (a, s)]
    print(f"mutants {len(results)}, told apart {len(apart)}: {told[0]}; the others: {told[1]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    main()
