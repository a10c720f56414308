#!/usr/bin/env python3
"""Checks the rules of the house that a program can check; runs with the tests.

Each rule is a function from the tree to findings; `RULES` lists them. A finding reads
`path:line: [rule] what was expected, what stood there`. Exit status 1 when there is any.
"""

import argparse
import os
import pathlib
import re
import sys

from tracked_files import tracked_files

MAX_LINES = 800
SOURCE_SUFFIXES = (".cpp", ".h", ".def", ".td", ".py", ".cmake", ".mlir", ".mettle", ".ptx", ".test", ".sh")
# Words that say nothing wherever they stand in a name; a helper is also a function of the language, so alone or as
# the last word it says nothing, before another it may.
FORBIDDEN_WORDS = {"utils", "util", "misc", "common", "helpers"}
FORBIDDEN_LAST_WORDS = {"helper"}

# Component -> the components it may include. A component is the first folder under include/Mettle or lib,
# or the first two under Dialect. Dialects may use one another downwards only.
DIALECTS = {"Dialect/Mettle", "Dialect/TDesc", "Dialect/GEMM", "Dialect/PTX", "Dialect/SPIRVX"}
EDGES = {
    "Support": set(),
    "Math": {"Support"},
    "Numerics": {"Support"},
    "Assembly": {"Support"},
    "Runtime": {"Support"},
    "Checker": {"Support", "Assembly", "Numerics"},
    "Emulator": {"Support", "Assembly", "Numerics"},
    "Dialect/Mettle": {"Support", "Math"},
    "Dialect/PTX": {"Support"},
    "Dialect/SPIRVX": {"Support"},
    "Dialect/TDesc": {"Support", "Dialect/Mettle"},
    "Dialect/GEMM": {"Support", "Dialect/Mettle", "Dialect/TDesc"},
    "Frontend": {"Support"} | DIALECTS,
    "Conversion": {"Support"} | DIALECTS,
    "Target": {"Support", "Dialect/PTX", "Dialect/SPIRVX"},
    "Interpreter": {"Support", "Numerics"} | DIALECTS,
}
# Whatever builds on all of the above.
UNRESTRICTED = {"Pipelines", "CAPI"}
# Headers of templates alone, which have no library.
TEMPLATES = {"Math"}
# These run where no MLIR is installed; of LLVM they use ADT and Support.
WITHOUT_MLIR = {"Support", "Math", "Numerics", "Assembly", "Checker", "Emulator", "Runtime"}

# Where text of a target may stand: the instruction records and the tool that reads them, the libraries that
# read foreign assembly, the numeric models, whose rows are named after the instruction they model, and the
# tools of these libraries.
ASSEMBLY_TEXT_ALLOWED = re.compile(
    r"(include/Mettle|lib)/(Dialect/PTX/IR/[^/]*\.td$|Assembly/|Checker/|Emulator/|Numerics/)"
    r"|tools/(mettle-tblgen|mettle-ptx|mettle-equiv|mettle-emulate|mettle-gemm)/")
# The module header, declarations and blocks are the emitter's own; instructions are not.
DIRECTIVES_ALLOWED = re.compile(r"lib/Target/PTX/")
MNEMONICS = """abs activemask add addc and atom bar barrier bfe bfi bfind brev brx clz copysign cos cp createpolicy cvt
cvta discard div dp2a dp4a elect ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2
lop3 mad madc mapa match max mbarrier membar min mma mov movmatrix mul multimem nanosleep neg not or popc prefetch
prefetchu prmt rcp red redux rem rsqrt sad selp set setmaxnreg setp shf shfl shl shr sin slct sqrt st stackrestore
stacksave stmatrix sub subc suld suq sured sust szext tanh tcgen05 testp tex tld4 trap txq vote wgmma wmma xor""".split()
QUALIFIERS = """[usbf]\\d+(?:x\\d)? bf16(?:x2)? tf32 e[245]m[0-9](?:x\\d)? pred approx rn rz rm rp rni rzi ftz sat lo hi
wide sync async aligned global shared local param const to volatile relaxed acquire release acq_rel gpu cta sys cg bulk
commit_group wait_group uni all any ballot bfly idx up down v2 v4""".split()
INSTRUCTION_TEXT = re.compile(
    r"(?<![\w.%$-])(?:" + "|".join(MNEMONICS) + r")(?:\.\w+)*\.(?:" + "|".join(QUALIFIERS) + r")\b(?!\()")
DIRECTIVE_TEXT = re.compile(
    r"(?<![\w.])\.(?:reg|version|target|address_size|visible|entry|func|maxntid|reqntid|extern|weak|branchtargets)\s"
    r"|\.param\s+\.|\.shared\s+\.(?:align|b8)|\.global\s+\.(?:align|b8)")

# Paths of one person's machine. Written so that this file does not find itself.
MACHINE_PATH = re.compile(r"(?<![\w./$}-])/(?:wor[k]|tm[p]|hom[e]|roo[t])/\w" + r"|\.\./share[d]\b")

ENVIRONMENT_READ = re.compile(r"\b(?:secure_)?getenv\s*\(|Process::GetEnv\b|\benviron\b")
INCLUDE = re.compile(r'^[ \t]*#?include[ \t]+[<"]([^>"]+)[>"]', re.M)
LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s"]*)\((?P<raw>.*?)\)(?P=tag)"|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|'(?:\\.|[^'\\\n])+'", re.S)


class Tree:
    """The files of a checkout, read once."""

    def __init__(self, root: pathlib.Path):
        self.paths = [str(path) for path in tracked_files(root)]
        self.texts = {}
        for path in self.paths:
            try:
                self.texts[path] = (root / path).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                pass  # test data

    def sources(self, *roots: str, suffixes: tuple = SOURCE_SUFFIXES):
        """(path, text) of source files under one of `roots`, or anywhere."""
        for path, text in self.texts.items():
            if path.endswith(suffixes) and (not roots or path.startswith(roots)) and "/Inputs/" not in path:
                yield path, text

    def folders(self, root: str, suffixes: tuple) -> set:
        """Folders below `root` that hold files with one of `suffixes`, relative to it."""
        return {str(pathlib.PurePosixPath(path[len(root):]).parent) for path in self.paths
                if path.startswith(root) and path.endswith(suffixes)} - {"."}


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def component_of(path: str) -> str:
    """The component of a path below include/Mettle/ or lib/."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "Dialect" and len(parts) > 2 else parts[0]


def mirrored_paths(tree: Tree):
    """include/Mettle/X, lib/X and test/X or unittests/X are there together."""
    public = tree.folders("include/Mettle/", (".h", ".td", ".def"))
    if tree.folders("include/Mettle-c", (".h",)):
        public.add("CAPI")  # whose headers stand apart
    libraries = tree.folders("lib/", (".cpp",))
    tests = tree.folders("test/", (".mlir", ".mettle", ".test", ".td", ".ptx"))
    units = tree.folders("unittests/", (".cpp",))
    within = lambda folder, folders: any((other + "/").startswith(folder + "/") for other in folders)
    for folder in sorted(libraries):
        # A private part of a library has no public header of its own; its library has.
        if not any((folder + "/").startswith(other + "/") for other in public):
            yield f"lib/{folder}", 0, f"expected public headers in include/Mettle/{folder}, found none"
        if not within(folder, tests | units):
            yield f"lib/{folder}", 0, f"expected tests in test/{folder} or unittests/{folder}, found none"
    for folder in sorted(public):
        if folder in TEMPLATES:
            if not within(folder, units):
                yield f"include/Mettle/{folder}", 0, f"expected tests in unittests/{folder}, found none"
        elif not within(folder, libraries):
            yield f"include/Mettle/{folder}", 0, f"expected sources in lib/{folder}, found none"
    for root, folders, suffix in (("test", tests, "x.test"), ("unittests", units, "x.cpp")):
        for folder in sorted(folders):
            # A folder of tests may be a part of a library's, but not of a mere collection of libraries.
            owners = {folder, *map(str, pathlib.PurePosixPath(folder).parents)} & (libraries | public)
            if folder.split("/")[0] not in {"House", "examples"} and not folder.startswith("tools/") and not (
                    owners or within(folder, libraries | public)):
                yield f"{root}/{folder}", 0, f"expected lib/{folder} to be what this tests, found no such folder"


def file_length(tree: Tree):
    """No source file is longer than 800 lines."""
    for path, text in tree.sources():
        lines = text.count("\n")
        if lines > MAX_LINES:
            yield path, 0, f"expected at most {MAX_LINES} lines, found {lines}"


def file_names(tree: Tree):
    """No file or folder is named Utils, Misc, Common or Helpers: the name says what is in it."""
    for path in tree.paths:
        for part in pathlib.PurePosixPath(path).with_suffix("").parts:
            words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", part)]
            if FORBIDDEN_WORDS.intersection(words) or FORBIDDEN_LAST_WORDS.intersection(words[-1:]):
                yield path, 0, f"expected a name that says what is inside, found '{part}'"


def dependency_edges(tree: Tree):
    """Dependencies go one way (EDGES)."""
    for root in ("include/Mettle/", "lib/"):
        for path, text in tree.sources(root, suffixes=(".cpp", ".h", ".def", ".td")):
            component = component_of(path[len(root):])
            if component in UNRESTRICTED:
                continue
            if component not in EDGES:
                yield path, 0, f"expected a component that check_tree.py knows, found '{component}'"
                continue
            for match in INCLUDE.finditer(text):
                name, line = match.group(1), line_of(text, match.start())
                if name.startswith("Mettle/"):
                    other = component_of(name[len("Mettle/"):])
                    if other != component and other not in EDGES[component]:
                        yield path, line, f"expected {component} not to depend on {other}, found '{name}'"
                elif component in WITHOUT_MLIR:
                    if name.startswith(("mlir/", "mlir-c/")):
                        yield path, line, f"expected {component} to include no MLIR header, found '{name}'"
                    elif name.startswith("llvm/") and not name.startswith(("llvm/ADT/", "llvm/Support/")):
                        yield path, line, f"expected {component} to use LLVM's ADT and Support only, found '{name}'"


def environment(tree: Tree):
    """Options are options: no library reads an environment variable."""
    for path, text in tree.sources("lib/", "include/", suffixes=(".cpp", ".h")):
        for match in ENVIRONMENT_READ.finditer(text):
            yield path, line_of(text, match.start()), f"expected no environment variable, found '{match.group()}'"


def opening(text: str, path: str) -> str:
    """The prose of a file's opening comment."""
    if path.endswith(".py"):
        match = re.match(r'(?:#![^\n]*\n)?(?:#[^\n]*\n)*\s*"""(.*?)"""', text, re.S)
        return match.group(1) if match else ""
    if path.endswith(".test"):
        return "\n".join(line for line in text.splitlines() if not re.match(r"\s*(RUN|REQUIRES|CHECK)", line))
    mark = "#" if path.endswith((".cmake", ".sh")) else "//"
    prose = []
    for line in text.splitlines():
        if line.startswith("#!"):
            continue
        if not line.strip() and path.startswith("test/"):
            continue  # the prose of a test may stand below its RUN lines
        if not line.startswith(mark):
            break
        body = line[len(mark):].strip()
        if not body.startswith("===-") and not re.match(r"(RUN|REQUIRES|CHECK[\w-]*):", body):
            prose.append(body)
    return " ".join(prose)


def opening_paragraph(tree: Tree):
    """A file opens with a paragraph that says why it exists."""
    for path, text in tree.sources(suffixes=tuple(set(SOURCE_SUFFIXES) - {".ptx"})):
        if pathlib.PurePosixPath(path).name.startswith("lit."):
            continue
        if len(opening(text, path).split()) < 3:
            yield path, 1, "expected a comment that says why the file exists, found none"


def literals(text: str):
    """(position, contents) of the string literals of C++ or TableGen."""
    for match in LITERAL.finditer(text):
        contents = match.group("text") if match.group("text") is not None else match.group("raw")
        if contents is not None:
            yield match.start(), contents


def target_text(tree: Tree):
    """No text of a target outside the instruction records and the libraries that read assembly."""
    for path, text in tree.sources("lib/", "include/", "tools/", suffixes=(".cpp", ".h", ".def", ".td")):
        if ASSEMBLY_TEXT_ALLOWED.match(path):
            continue
        for position, contents in literals(text):
            found = INSTRUCTION_TEXT.search(contents)
            if not found and not DIRECTIVES_ALLOWED.match(path):
                found = DIRECTIVE_TEXT.search(contents)
            if found:
                yield path, line_of(text, position), f"expected no target assembly text, found '{found.group()}'"


def machine_paths(tree: Tree):
    """Nothing names a path of the machine it was written on."""
    for path, text in tree.texts.items():
        for match in MACHINE_PATH.finditer(text):
            yield path, line_of(text, match.start()), f"expected no path of one machine, found '{match.group()}'"


LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
NAMED_PATH = re.compile(r"`((?:lib|include|test|unittests|integration|tools|scripts|docs|cmake|examples|benchmarks)"
                        r"/[\w./-]*\w)/?`")


def documented_paths(tree: Tree):
    """What a page links to or names as a file of the tree is there; a name with a word in capitals is a pattern."""
    known = set(tree.paths) | {str(folder) for path in tree.paths for folder in pathlib.PurePosixPath(path).parents}
    for path, text in tree.texts.items():
        if not path.endswith(".md"):
            continue
        prose = re.sub(r"^```.*?^```", lambda block: "\n" * block.group().count("\n"), text, flags=re.S | re.M)
        for match in LINK.finditer(prose):
            if "://" not in match.group(1):
                target = os.path.normpath(os.path.join(os.path.dirname(path), match.group(1)))
                if target not in known:
                    yield path, line_of(prose, match.start()), f"expected a file to link to, found '{match.group(1)}'"
        for match in NAMED_PATH.finditer(prose):
            if match.group(1) not in known and not re.search(r"FAMILY|NAME|/X\b", match.group(1)):
                yield path, line_of(prose, match.start()), f"expected a file of the tree, found '{match.group(1)}'"


RULES = {
    "mirrored-paths": mirrored_paths,
    "file-length": file_length,
    "file-names": file_names,
    "dependency-edges": dependency_edges,
    "environment": environment,
    "opening-paragraph": opening_paragraph,
    "target-text": target_text,
    "machine-paths": machine_paths,
    "documented-paths": documented_paths,
}


def findings(root: pathlib.Path, rules=RULES):
    tree = Tree(root)
    for name, rule in rules.items():
        for path, line, message in rule(tree):
            yield f"{path}:{line}: [{name}] {message}" if line else f"{path}: [{name}] {message}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path, nargs="?", default=pathlib.Path(__file__).parent.parent)
    args = parser.parse_args()
    count = 0
    for finding in findings(args.root):
        print(finding)
        count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
