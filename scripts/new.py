#!/usr/bin/env python3
"""Starts an operation, a pass or a PTX instruction: the files and lines that every new one needs.

What it writes builds, passes the house checks and is tested, and does nothing yet; it then says
what is left to write. docs/howto/ walks through each of the three.
"""

import argparse
import pathlib
import re
import sys


class Refusal(Exception):
    """One line that says why nothing was written."""


def camel(name: str) -> str:
    """`subgroup_shuffle` and `loop-residency` as class names."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[-_]", name))


def banner(name: str, title: str, prose: str) -> str:
    """The opening paragraph of a C++ file."""
    return f"//===- {name} - {title} -===//\n//\n// {prose}\n//\n//===" + "-" * 70 + "===//\n\n"


class Editor:
    """Collects changes, so that a refusal leaves the tree as it was."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        self.texts = {}

    def read(self, path: str) -> str:
        if path not in self.texts:
            file = self.root / path
            if not file.exists():
                raise Refusal(f"expected {path} to exist, found no such file")
            self.texts[path] = file.read_text()
        return self.texts[path]

    def create(self, path: str, text: str):
        if (self.root / path).exists():
            raise Refusal(f"expected {path} to be new, found it there")
        self.texts[path] = text

    def insert_before_endif(self, path: str, addition: str):
        """Adds text at the end of a header or .td file, inside its include guard."""
        head, endif, tail = self.read(path).rpartition("#endif")
        if not endif:
            raise Refusal(f"expected an include guard in {path}, found none")
        self.texts[path] = head + addition + "\n" + endif + tail

    def add_source(self, path: str, name: str):
        """Adds a source to the first list of sources in a CMakeLists.txt, in order."""
        lines = self.read(path).splitlines(keepends=True)
        sources = [i for i, line in enumerate(lines) if re.fullmatch(r"  [\w/]+\.cpp\n", line)]
        later = [i for i in sources if lines[i].strip() > name]
        lines.insert(later[0] if later else sources[-1] + 1, f"  {name}\n")
        self.texts[path] = "".join(lines)

    def write(self):
        for path, text in self.texts.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)


def require(pattern: str, what: str, text: str):
    if not re.fullmatch(pattern, text):
        raise Refusal(f"expected {what}, found '{text}'")


DIALECTS = {"mettle": "Mettle", "tdesc": "TDesc", "gemm": "GEMM"}


def new_operation(editor: Editor, args) -> list:
    require(r"[a-z][a-z0-9_]*", "a name in lower case with underscores", args.name)
    if args.dialect not in DIALECTS:
        raise Refusal(f"expected one of the dialects {', '.join(DIALECTS)}, found '{args.dialect}'")
    dialect = DIALECTS[args.dialect]
    folder = f"include/Mettle/Dialect/{dialect}/IR"
    records = f"{folder}/{args.family}Ops.td"
    families = sorted(path.name[:-len("Ops.td")] for path in (editor.root / folder).glob("*Ops.td"))
    if args.family not in families:
        raise Refusal(f"expected one of the families {', '.join(families)}, found '{args.family}'")
    if f'_Op<"{args.name}"' in editor.read(records):
        raise Refusal(f"expected a new operation, found {args.dialect}.{args.name} in {records}")
    editor.insert_before_endif(records, f"""def {dialect}_{camel(args.name)}Op : {dialect}_Op<"{args.name}"> {{
  let summary = "{args.summary}";
  let description = [{{
    `{args.dialect}.{args.name}` stands for: {args.summary}.
  }}];
  let assemblyFormat = "attr-dict";
}}
""")
    editor.create(f"test/Dialect/{dialect}/IR/{args.name.replace('_', '-')}.mlir",
                  f"""// Round trip of {args.dialect}.{args.name}.
// RUN: mettle-opt %s --split-input-file --verify-diagnostics | mettle-opt --split-input-file | FileCheck %s

// CHECK-LABEL: mettle.kernel @round_trip
mettle.kernel @round_trip() {{
  // CHECK-NEXT: {args.dialect}.{args.name}
  {args.dialect}.{args.name}
  mettle.return
}}
""")
    return [f"{records}: operands, results, effects, constraints labelled {args.name}-c1 and on",
            f"lib/Dialect/{dialect}/IR/{args.family}Ops.cpp: the verifier, with each label beside its check",
            f"lib/Dialect/{dialect}/IR/{args.family}Folds.cpp: the folds",
            f"lib/Interpreter and lib/Conversion/{dialect}ToPTX: the family's file, its meaning and its lowering",
            "the tests at the same places: each label in a negative test"]


def new_pass(editor: Editor, args) -> list:
    require(r"mettle-[a-z][a-z0-9]*(-[a-z0-9]+)*", "a flag that begins with mettle-", args.flag)
    stem = args.flag[len("mettle-"):]
    name = camel(stem)
    declarations = "include/Mettle/Dialect/Mettle/Transforms/Passes.td"
    if f'Pass<"{args.flag}"' in editor.read(declarations):
        raise Refusal(f"expected a new pass, found {args.flag} in {declarations}")
    editor.insert_before_endif(declarations, f"""def {name} : Pass<"{args.flag}"> {{
  let summary = "{args.summary}";
  let description = [{{
    Why: {args.summary}.

    Needs nothing, changes nothing, keeps bits and order.
  }}];
}}
""")
    editor.create(f"lib/Dialect/Mettle/Transforms/{name}.cpp",
                  banner(f"{name}.cpp", args.summary, f"The pass {args.flag}.") + f"""#include "Mettle/Dialect/Mettle/Transforms/Passes.h"

namespace mettle {{
#define GEN_PASS_DEF_{name.upper()}
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
}} // namespace mettle

namespace {{
struct {name} : mettle::impl::{name}Base<{name}> {{
  void runOnOperation() override {{ markAllAnalysesPreserved(); }}
}};
}} // namespace
""")
    editor.add_source("lib/Dialect/Mettle/Transforms/CMakeLists.txt", f"{name}.cpp")
    editor.create(f"test/Dialect/Mettle/Transforms/{stem}.mlir", f"""// What {args.flag} changes, and what it leaves alone.
// RUN: mettle-opt %s --{args.flag} | FileCheck %s

// CHECK-LABEL: mettle.kernel @unchanged
// CHECK-NEXT: mettle.return
mettle.kernel @unchanged() {{
  mettle.return
}}
""")
    return [f"{declarations}: why, what it needs, what it keeps (bits? order?), before and after, options, statistics",
            f"lib/Dialect/Mettle/Transforms/{name}.cpp: the pass; refuse with a diagnostic or a reason",
            f"test/Dialect/Mettle/Transforms/{stem}.mlir: before and after; if it keeps bits, a run of both through "
            "the interpreter"]


def new_instruction(editor: Editor, args) -> list:
    require(r"[A-Z][A-Za-z0-9]*", "a record name in camel case", args.name)
    require(r"\d+\.\d+", "an ISA version M.m", args.isa)
    folder = "include/Mettle/Dialect/PTX/IR"
    records = f"{folder}/PTX{args.family}Insts.td"
    families = sorted(path.name[len("PTX"):-len("Insts.td")] for path in (editor.root / folder).glob("PTX*Insts.td"))
    if args.family not in families:
        raise Refusal(f"expected one of the families {', '.join(families)}, found '{args.family}'")
    for path in sorted((editor.root / folder).glob("PTX*Insts.td")):
        if re.search(rf"\bdef {args.name}\b", path.read_text()):
            raise Refusal(f"expected a new record, found {args.name} in {folder}/{path.name}")
    editor.insert_before_endif(records, f"""let summary = "{args.summary}" in
  def {args.name} : PTX_Inst<"{args.format}", (outs {args.outs}), (ins {args.ins}),
                    PTX_Needs<"{args.isa}", {args.sm}>>;
""")
    return [f"{records}: modifiers and effects, if it has any",
            "the build then checks the format; the tests have ptxas judge every spelling of it",
            "`make docs` for the instruction page; lib/Conversion/MettleToPTX: who uses the builder"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent)
    kinds = parser.add_subparsers(required=True, metavar="op | pass | instruction")
    one = kinds.add_parser("op", help="new.py op mettle Memory prefetch 'ask for an element early'")
    for name in ("dialect", "family", "name", "summary"):
        one.add_argument(name)
    one.set_defaults(start=new_operation)
    one = kinds.add_parser("pass", help="new.py pass mettle-hoist-loads 'move loads out of loops'")
    for name in ("flag", "summary"):
        one.add_argument(name)
    one.set_defaults(start=new_pass)
    one = kinds.add_parser("instruction", help="new.py instruction Compare SlctS32 'slct.s32.s32 $d, $a, $b, $c;' "
                           "'a unless c is below zero, then b' --outs 'B32:$d' --ins 'B32:$a, B32:$b, B32:$c'")
    for name in ("family", "name", "format", "summary"):
        one.add_argument(name)
    one.add_argument("--outs", default="")
    one.add_argument("--ins", default="")
    one.add_argument("--isa", default="1.0", help="lowest ISA version that has it")
    one.add_argument("--sm", type=int, default=10, help="lowest SM that has it")
    one.set_defaults(start=new_instruction)
    args = parser.parse_args()

    editor = Editor(args.root)
    try:
        left = args.start(editor, args)
    except Refusal as refusal:
        print(f"new.py: error: {refusal}", file=sys.stderr)
        return 1
    editor.write()
    print("wrote", ", ".join(sorted(editor.texts)))
    print("left to do:")
    for line in left:
        print("  " + line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
