#!/usr/bin/env python3
"""Lists every operation, constraint label, pass and PTX instruction that no test names.

The list must be empty; exit status 1 when it is not. An instruction is named by the test that
hands every spelling of every record to ptxas, which is generated from the same records.
"""

import argparse
import functools
import pathlib
import re
import sys

from records import Records
from tracked_files import tracked_files

TESTS = ("test/", "unittests/", "integration/")


def words(root: pathlib.Path) -> set:
    """Every dotted or dashed word of the tests: `mettle.load`, `load-c1`, `mettle-verify-strict-float`."""
    found = set()
    for path in tracked_files(root, (".mlir", ".mettle", ".test", ".td", ".ptx", ".cpp", ".py")):
        name = path.as_posix()
        if name.startswith(TESTS) and not name.startswith("test/House/"):
            found.update(re.findall(r"[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*", (root / path).read_text(errors="replace")))
    return found


@functools.cache
def instructions_in_examples(records: Records) -> set:
    """The records for which the generated test holds an entry."""
    if not records.instruction_file():
        return set()
    text = records.tablegen(records.including(records.instruction_file()), "-gen-ptx-examples",
                            program="mettle-tblgen")
    return set(re.findall(r"^ptx\.entry @([\w.$-]+)", text, re.M))


def untested(records: Records, named: set) -> list:
    result = [f"operation {name}" for name in records.operations() if name not in named]
    result += [f"constraint {name}" for name in records.labels() if name not in named]
    result += [f"pass {name}" for name in records.passes() if name not in named]
    examples = instructions_in_examples(records)
    result += [f"instruction {name}" for name in records.instructions() if name not in examples]
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    args = parser.parse_args()
    missing = untested(Records(args.source, args.build), words(args.source))
    for line in missing:
        print(f"no test names {line}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
