#!/usr/bin/env python3
"""Judges what mettle-ptx prints: the same characters, and the same machine code.

    same_code.py [--sample N [--deep 0|1]] [--jobs N] FILE.ptx|DIRECTORY|ARCHIVE.tar.xz ...

Of every file (or of N spread evenly over them) the printed text must have the characters of the
original once comments and spaces are gone, which this program decides without the reader's help,
and ptxas must make the same code sections of both. A file that ptxas refuses must be refused
printed as well; such files are counted. Prints one line of counts; exit status 1 on a difference.
"""

import argparse
import concurrent.futures
import os
import re
import struct
import subprocess
import sys
import tarfile
import tempfile

COMMENT_OR_STRING = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.S)
TARGET = re.compile(r"^\s*\.target\s+(sm_\w+)", re.M)


def characters(text):
    """The text without comments and, outside strings, without spaces."""
    pieces = COMMENT_OR_STRING.sub(lambda m: m.group(0) if m.group(0)[0] == '"' else " ", text)
    return "".join(pieces.split())


def code_sections(path):
    """Name and bytes of every section of an ELF file that holds code."""
    data = open(path, "rb").read()
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names_index = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
    names = data[headers[names_index][4]:]
    sections = {}
    for name, kind, flags, _, offset, length, *_ in headers:
        text = names[name:names.index(b"\0", name)].decode()
        if flags & 4 and kind == 1:
            sections[text] = data[offset:offset + length]
    return sections


def assemble(text, folder, name):
    source, out = os.path.join(folder, name + ".ptx"), os.path.join(folder, name + ".cubin")
    with open(source, "w") as file:
        file.write(text)
    target = TARGET.search(text).group(1)
    # Functions that another object has can only be left to the linker.
    relocatable = ["-c"] if re.search(r"\.extern\s+\.func", text) else []
    run = subprocess.run(["ptxas", "-arch=" + target, *relocatable, source, "-o", out],
                         capture_output=True, text=True)
    if run.returncode:
        return None, run.stderr.strip().splitlines()[0]
    return code_sections(out), ""


def judge(path):
    """(verdict, message): same, refused or different."""
    with open(path) as file:
        original = file.read()
    run = subprocess.run(["mettle-ptx", "--print", path], capture_output=True, text=True)
    if run.returncode:
        return "different", run.stderr
    if characters(original) != characters(run.stdout):
        return "different", f"{path}: error: printed characters differ"
    with tempfile.TemporaryDirectory() as folder:
        wanted, why = assemble(original, folder, "original")
        got, complaint = assemble(run.stdout, folder, "printed")
    if wanted is None and got is None:
        return "refused", f"{path}: {why}"
    if wanted is None or got is None:
        return "different", f"{path}: error: only one was assembled: {why}{complaint}"
    if not wanted or wanted != got:
        return "different", f"{path}: error: code sections differ"
    return "same", ""


def find(arguments, folder):
    for number, argument in enumerate(arguments):
        if argument.endswith(".tar.xz"):
            target = os.path.join(folder, str(number))
            with tarfile.open(argument) as archive:
                archive.extractall(target, filter="data")
            argument = target
        if os.path.isdir(argument):
            for root, _, names in os.walk(argument):
                yield from (os.path.join(root, name) for name in names if name.endswith(".ptx"))
        else:
            yield argument


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--sample", type=int, default=0, help="judge only so many of the files")
    parser.add_argument("--deep", type=int, default=0, help="1: judge all, whatever the sample")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    counts = {"same": 0, "refused": 0, "different": 0}
    with tempfile.TemporaryDirectory() as folder:
        files = sorted(find(arguments.inputs, folder))
        if not arguments.deep and 0 < arguments.sample < len(files):
            files = [files[i * len(files) // arguments.sample] for i in range(arguments.sample)]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for verdict, message in pool.map(judge, files):
                counts[verdict] += 1
                if message:
                    print(message, file=sys.stderr)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts["different"] or not counts["same"] else 0


if __name__ == "__main__":
    sys.exit(main())
