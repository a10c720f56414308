"""Reads what the TableGen records declare: dialects, operations, constraint labels, passes and instructions.

The source of every check that something is documented or tested, so that no list is kept by hand.
"""

import functools
import json
import pathlib
import re
import subprocess

LABEL = re.compile(r"`([a-z][a-z0-9_]*-c\d+)`")


class Records:
    """The records of a source tree, read with mlir-tblgen; a build folder adds the PTX instructions."""

    def __init__(self, source: pathlib.Path, build: pathlib.Path):
        self.source = source
        self.build = build
        cache = (build / "CMakeCache.txt").read_text()
        self.llvm = pathlib.Path(re.search(r"^LLVM_DIR:\w+=(.*)/lib/cmake/llvm$", cache, re.M).group(1))

    def tablegen(self, text: str, *options: str, program: str = "mlir-tblgen") -> str:
        """What `program` says to TableGen text, with this tree's include folders."""
        folder = self.build / "bin" if program.startswith("mettle-") else self.llvm / "bin"
        includes = [self.source / "include", self.build / "include", self.llvm / "include"]
        command = [folder / program, *options, *(word for path in includes for word in ("-I", path)), "-"]
        result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if result.returncode:
            raise RuntimeError(f"{program} failed: {result.stderr.strip()}")
        return result.stdout

    def definition_files(self, pattern: str) -> list:
        """Include spellings of the .td files below include/Mettle that match `pattern`."""
        root = self.source / "include"
        return [path.relative_to(root).as_posix() for path in sorted((root / "Mettle").glob(pattern))]

    @staticmethod
    def including(files: list) -> str:
        return "".join(f'include "{name}"\n' for name in files)

    def dialects(self) -> dict:
        """Dialect prefix -> the .td files of its operations."""
        result = {}
        for name in self.definition_files("Dialect/*/IR/*Dialect.td"):
            path = pathlib.PurePosixPath(name)
            prefix = path.name[:-len("Dialect.td")].lower()
            result[prefix] = self.definition_files(f"Dialect/{path.parts[2]}/IR/*Ops.td")
        return result

    def pass_files(self) -> list:
        return self.definition_files("**/Passes.td")

    def _objects(self, files: list, kind: str) -> list:
        """The records of class `kind`."""
        if not files:
            return []
        dump = json.loads(self.tablegen(self.including(files), "--dump-json", program="llvm-tblgen"))
        return [dump[name] for name in dump["!instanceof"].get(kind, [])]

    @functools.cache
    def operations(self) -> list:
        """Full names of all operations."""
        return sorted(f"{prefix}.{op['opName']}" for prefix, files in self.dialects().items()
                      for op in self._objects(files, "Op"))

    @functools.cache
    def passes(self) -> list:
        """Flags of all passes, without dashes."""
        return sorted(one["argument"] for name in self.pass_files() for one in self._objects([name], "PassBase"))

    @functools.cache
    def labels(self) -> list:
        """Labels of all constraints that descriptions state, `name-cN`."""
        found = set()
        for name in self.definition_files("**/*.td"):
            found.update(LABEL.findall((self.source / "include" / name).read_text()))
        return sorted(found)

    def instruction_file(self) -> list:
        """The generated file that includes every PTX instruction record, if there is one."""
        name = "Mettle/Dialect/PTX/IR/PTXInsts.td"
        return [name] if (self.build / "include" / name).exists() else []

    @functools.cache
    def instructions(self) -> list:
        """Record names of all PTX instructions."""
        return sorted(one["!name"] for one in self._objects(self.instruction_file(), "PTX_Inst"))
