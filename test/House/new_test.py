"""Runs scripts/new.py on a copy of the tree and has the generators and the house checks judge the result."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "scripts"))
import check_coverage  # noqa: E402
import check_tree  # noqa: E402
from records import Records  # noqa: E402
from tracked_files import tracked_files  # noqa: E402


class Scaffolding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name)
        for path in tracked_files(SOURCE):
            (cls.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(SOURCE / path, cls.root / path)
        cls.before = {path: (cls.root / path).stat().st_mtime_ns for path in tracked_files(cls.root)}

    def tearDown(self):
        for path in self.changed():
            (self.root / path).unlink()
            if (SOURCE / path).exists():
                shutil.copy2(SOURCE / path, self.root / path)

    def new(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, SOURCE / "scripts" / "new.py", "--root", self.root, *words],
                              capture_output=True, text=True, check=False)

    def changed(self) -> list:
        return [str(path) for path in tracked_files(self.root)
                if (self.root / path).stat().st_mtime_ns != self.before.get(path)]

    def assert_well_formed(self):
        """No rule is broken, all is tested by name, C++ is formatted."""
        self.assertEqual(list(check_tree.findings(self.root)), [])
        self.assertEqual(check_coverage.untested(Records(self.root, BUILD), check_coverage.words(self.root)), [])
        sources = [self.root / path for path in self.changed() if path.endswith((".cpp", ".h"))]
        if sources:
            subprocess.run([SOURCE / ".venv/bin/clang-format", f"--style=file:{SOURCE}/.clang-format", "--dry-run",
                            "--Werror", *sources], check=True)

    def assert_refuses(self, words: tuple, message: str):
        result = self.new(*words)
        self.assertEqual((result.returncode, result.stderr), (1, f"new.py: error: {message}\n"))
        self.assertEqual(self.changed(), [])

    def test_operation(self):
        result = self.new("op", "mettle", "Memory", "early_fetch", "ask for an element before it is needed")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.changed(), ["include/Mettle/Dialect/Mettle/IR/MemoryOps.td",
                                          "test/Dialect/Mettle/IR/early-fetch.mlir"])
        records = Records(self.root, BUILD)
        self.assertIn("mettle.early_fetch", records.operations())
        text = records.tablegen(records.including(records.dialects()["mettle"]), "-gen-op-decls", "-dialect=mettle")
        self.assertIn("class EarlyFetchOp", text)
        self.assert_well_formed()

    def test_pass(self):
        result = self.new("pass", "mettle-hoist-loads", "move loads out of loops")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.changed(), ["include/Mettle/Dialect/Mettle/Transforms/Passes.td",
                                          "lib/Dialect/Mettle/Transforms/CMakeLists.txt",
                                          "lib/Dialect/Mettle/Transforms/HoistLoads.cpp",
                                          "test/Dialect/Mettle/Transforms/hoist-loads.mlir"])
        records = Records(self.root, BUILD)
        self.assertIn("mettle-hoist-loads", records.passes())
        text = records.tablegen(records.including(records.pass_files()), "-gen-pass-decls", "-name=All")
        self.assertIn("GEN_PASS_DEF_HOISTLOADS", text)
        self.assert_well_formed()

    def test_instruction(self):
        result = self.new("instruction", "Integer", "SampleU32", "sample.u32 $d, $a;", "a sample", "--outs", "B32:$d",
                          "--ins", "B32:$a", "--isa", "8.0", "--sm", "90")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.changed(), ["include/Mettle/Dialect/PTX/IR/PTXIntegerInsts.td"])
        records = Records(self.root, BUILD)
        self.assertIn("SampleU32", records.instructions())
        text = records.tablegen(records.including(records.instruction_file()), "-gen-ptx-docs",
                                program="mettle-tblgen")
        self.assertIn("| SampleU32 | `sample.u32 $d, $a;` |", text)
        self.assert_well_formed()

    def test_instruction_with_misspelt_name_is_stopped_by_the_generator(self):
        self.new("instruction", "Integer", "SampleU32", "sample.u32 $d, $typo;", "a sample", "--outs", "B32:$d",
                 "--ins", "B32:$a")
        records = Records(self.root, BUILD)
        with self.assertRaisesRegex(RuntimeError, "typo"):
            records.tablegen(records.including(records.instruction_file()), "-gen-ptx-docs", program="mettle-tblgen")

    def test_refusals_leave_the_tree_alone(self):
        memory = "include/Mettle/Dialect/Mettle/IR/MemoryOps.td"
        self.assert_refuses(("op", "mettle", "Memory", "load", "x"),
                            f"expected a new operation, found mettle.load in {memory}")
        self.assert_refuses(("op", "mettle", "Memory", "Load", "x"),
                            "expected a name in lower case with underscores, found 'Load'")
        self.assert_refuses(("op", "metal", "Memory", "fetch", "x"),
                            "expected one of the dialects mettle, tdesc, gemm, found 'metal'")
        self.assert_refuses(("pass", "hoist-loads", "x"),
                            "expected a flag that begins with mettle-, found 'hoist-loads'")
        self.assert_refuses(("pass", "mettle-verify-strict-float", "x"),
                            "expected a new pass, found mettle-verify-strict-float in "
                            "include/Mettle/Dialect/Mettle/Transforms/Passes.td")
        self.assert_refuses(("instruction", "Integer", "sample", "f", "x"),
                            "expected a record name in camel case, found 'sample'")
        self.assert_refuses(("instruction", "Integer", "FmaF32", "f", "x"),
                            "expected a new record, found FmaF32 in include/Mettle/Dialect/PTX/IR/PTXFloatInsts.td")
        result = self.new("op", "mettle", "Nothing", "fetch", "x")
        self.assertRegex(result.stderr, "^new.py: error: expected one of the families .*Memory.*, found 'Nothing'\n$")
        self.assertEqual(self.changed(), [])


if __name__ == "__main__":
    unittest.main()
