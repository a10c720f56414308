#!/usr/bin/env python3
"""How many of the pairs that the checker calls different come with an input on which they differ.

    witness_table.py BUILD CORPUS [--kernel NAME ...] [--every N] [--proved FILE] [--least SHARE]
                     [--emulate SET.jsonl[.xz]] [--pairs N] [--deep 0|1]

CORPUS holds index.jsonl and the PTX. One configuration of each class of a kernel stands for its class, since all
of a class are one function; every two classes are a pair. With --every N only each N-th configuration is taken.
--emulate runs both kernels of N pairs of each kernel (one unless told) in the emulator, on the inputs that the
checker names, and demands its two words; SET says how long each parameter is.
--proved writes, for the grader, every two configurations whose classes have a witness.
Exits 1 where the emulator returns other words, or where fewer than SHARE of the pairs have a witness.
"""

import argparse
import collections
import json
import lzma
import pathlib
import struct
import subprocess
import sys
import tempfile

BYTES = {"float16": 2, "bfloat16": 2, "float32": 4, "float8_e4m3fn": 1, "float8_e5m2": 1, "int32": 4, "uint8": 1,
         "int8": 1, "int64": 8}


def records(path):
    with (lzma.open if str(path).endswith(".xz") else open)(path, "rt") as lines:
        yield from map(json.loads, lines)


def write_array(path, data):
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({len(data)},), }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read_array(path):
    data = path.read_bytes()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


def facts(entry):
    """What the command line says of a launch."""
    given = ["--entry", entry["entry"], "--grid", ",".join(map(str, entry["grid"])), "--block", str(entry["threads"])]
    for number, value in enumerate(entry["params"]):
        given += [] if value is None else ["--param", f"{number}={value}"]
    return given


def both(facts_a, facts_b):
    """Two launches on one command line."""
    sided = []
    for side, given in (("-a", facts_a), ("-b", facts_b)):
        sided += [word + side if word.startswith("--") else word for word in given]
    return sided


def emulated(build, corpus, folder, entry, run, inputs, output):
    """The word that the emulator leaves at the output's place."""
    arrays = {}
    arguments = []
    for number, parameter in enumerate(run["params"]):
        if parameter["kind"] == "scalar":
            arguments.append(f"--arg={parameter['value']}")
            continue
        # Unread memory holds a pattern that is a NaN of no format, so that it shows where it is read.
        data = bytearray(b"\xa5" * (parameter["numel"] * BYTES[parameter["dtype"]]))
        for place in inputs:
            if place["parameter"] == number:
                word = int(place["word"], 16).to_bytes(place["bytes"], "little")
                data[place["offset"]:place["offset"] + place["bytes"]] = word
        arrays[number] = folder / f"{number}.npy"
        write_array(arrays[number], bytes(data))
        arguments.append(f"--arg=u8[{len(data)}]=@{arrays[number]}")
    for _ in range(run["ptx_params"] - len(run["params"])):
        arguments.append(f"--arg=u8[{max(run['global_scratch'], 1) * 4096}]=zeros")
    text = (corpus / entry["ptx"]).read_text()
    names = [line.split()[-1].strip(",)") for line in text.splitlines() if line.strip().startswith(".param")]
    result = folder / "result.npy"
    command = [f"{build}/bin/mettle-emulate", "run", corpus / entry["ptx"], f"--kernel={entry['entry']}",
               "--grid=" + ",".join(map(str, entry["grid"])), f"--block={entry['threads']}",
               f"--shared={entry['dynamic_shared']}", *arguments, f"--save={names[output['parameter']]}={result}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"mettle-emulate run ended with {done.returncode}: {done.stderr[-500:]}")
    data = read_array(result)[output["offset"]:output["offset"] + output["bytes"]]
    return data[::-1].hex()


def confirm(args, folder, entries, runs, pair):
    """Whether the emulator returns the two words of a pair; what it returns."""
    sides = [entries[pair["kernel"], pair[side]] for side in "ab"]
    inputs = folder / "inputs.jsonl"
    done = subprocess.run([f"{args.build}/bin/mettle-equiv", *(str(args.corpus / side["ptx"]) for side in sides),
                           *both(*map(facts, sides)), "--witness", inputs], stdout=subprocess.PIPE, text=True)
    if done.returncode != 1:
        sys.exit(f"mettle-equiv ended with {done.returncode} for {pair}: {done.stdout}")
    places = list(records(inputs))
    words = [emulated(args.build, args.corpus, folder, side, runs[side["kernel"], side["index"]], places,
                      pair["output"]) for side in sides]
    return words == pair["words"], words


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--kernel", action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--proved", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--emulate", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=1)
    parser.add_argument("--deep", type=int, default=0, help="1: every kernel and configuration")
    args = parser.parse_args()
    if args.deep:
        args.kernel, args.every = [], 1
    lines = [line for line in records(args.corpus / "index.jsonl")
             if (not args.kernel or line["kernel"] in args.kernel) and line["index"] % args.every == 0]
    entries = {(line["kernel"], line["index"]): line for line in lines}
    runs = {(run["kernel"], run["index"]): run for run in records(args.emulate)} if args.emulate else {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        index, found = args.corpus / "witness-index.jsonl", folder / "witnesses.jsonl"
        index.write_text("".join(json.dumps(line) + "\n" for line in lines))
        subprocess.run([f"{args.build}/bin/mettle-equiv", "--classes", index, "--witnesses", found, "-o",
                        folder / "report.jsonl"], check=True)
        pairs = list(records(found))
        sys.exit(table(args, folder, entries, runs, pairs))


def table(args, folder, entries, runs, pairs):
    """Prints the table; the exit code."""
    by_kernel, wrong = collections.defaultdict(list), 0
    for pair in pairs:
        by_kernel[pair["kernel"]].append(pair)
    rows = []
    for kernel, list_ in by_kernel.items():
        proved = [pair for pair in list_ if "words" in pair]
        whole = [pair for pair in proved if "unwritten" not in pair["words"]]
        tried = whole[:args.pairs] if args.emulate else []
        answers = [confirm(args, folder, entries, runs, pair) for pair in tried]
        for pair, (good, words) in zip(tried, answers):
            if not good:
                wrong += 1
                print(f"{kernel} {pair['a']} and {pair['b']}: the checker says {pair['words']}, the emulator {words}")
        sizes = {id(pair): len(pair["members"][0]) * len(pair["members"][1]) for pair in list_}
        rows.append((kernel, len(list_), len(proved), sum(sizes.values()), sum(sizes[id(pair)] for pair in proved),
                     sum(good for good, _ in answers)))
    rows.append(("total", *(sum(row[i] for row in rows) for i in range(1, 6))))
    print("kernel                  pairs of classes  with witness  pairs of configurations  with witness  emulated")
    for kernel, classes, proved, configs, proved_configs, good in rows:
        print(f"{kernel:24}{classes:16}{proved:14}{configs:25}{proved_configs:14}{good:10}")
    for pair in pairs:
        if "no_witness" in pair:
            print(f"no witness: {pair['kernel']} {pair['a']} and {pair['b']}: {pair['no_witness']}")
    if args.proved:
        with open(args.proved, "w") as out:
            for pair in pairs:
                for a in pair["members"][0] if "words" in pair else []:
                    for b in pair["members"][1]:
                        out.write(json.dumps({"kernel": pair["kernel"], "a": a, "b": b, "words": pair["words"]}) + "\n")
    share = rows[-1][2] / max(1, rows[-1][1])
    print(f"{rows[-1][2]} of {rows[-1][1]} pairs of classes have a witness: {100 * share:.1f} %")
    return 1 if wrong or share < args.least else 0


if __name__ == "__main__":
    main()
