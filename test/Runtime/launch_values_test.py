"""Compares `mettle run` with numpy: the documented generator, .npy files of every version, shapes and types."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy

SOURCE, BUILD = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
# The element type of --arg, of the language and of numpy.
TYPES = [("i8", "int8", "i1"), ("i16", "int16", "<i2"), ("i32", "int32", "<i4"), ("i64", "int64", "<i8"),
         ("u8", "int8", "u1"), ("u16", "int16", "<u2"), ("u32", "int32", "<u4"), ("u64", "int64", "<u8"),
         ("f32", "float32", "<f4"), ("f64", "float64", "<f8")]


class LaunchValues(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def passed_through(self, language_type: str, argument: str) -> tuple:
        """The array that a kernel which does nothing is given by `argument`, and its report."""
        kernel, out = self.folder / "k.mettle", self.folder / "out.npy"
        text = (SOURCE / "test/Runtime/Inputs/identity.mettle").read_text()
        kernel.write_text(text.replace("TYPE", language_type))
        result = subprocess.run([BUILD / "bin/mettle", "run", kernel, f"--arg={argument}", f"--save=x={out}", "--json"],
                                capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return numpy.load(out), json.loads(result.stdout)

    def assert_same(self, ours: numpy.ndarray, theirs: numpy.ndarray):
        self.assertEqual((ours.dtype, ours.shape, ours.tobytes()), (theirs.dtype, theirs.shape, theirs.tobytes()))

    def test_documented_generator(self):
        page = (SOURCE / "docs/launch-values.md").read_text()
        documented = {}
        exec(re.search(r"^```python\n(.*?)^```", page, re.S | re.M).group(1), documented)
        for name, language_type, dtype in TYPES:
            for seed in (0, 7, 2**64 - 1):
                ours, _ = self.passed_through(language_type, f"{name}[1000]=rand:{seed}")
                self.assert_same(ours, documented["rand"](dtype, seed, 1000))

    def test_iota(self):
        for name, language_type, dtype in TYPES:
            ours, _ = self.passed_through(language_type, f"{name}[20,30]=iota")
            self.assert_same(ours, numpy.arange(600).astype(dtype).reshape(20, 30))

    def test_files_of_numpy(self):
        for version in ((1, 0), (2, 0), (3, 0)):
            for name, language_type, dtype in TYPES:
                array = numpy.random.default_rng(1).integers(0, 256, 240, dtype="u1").view(dtype)
                path = self.folder / "in.npy"
                with open(path, "wb") as file:
                    numpy.lib.format.write_array(file, array.reshape(-1, 3, 1), version=version)
                ours, report = self.passed_through(language_type, f"@{path}")
                self.assert_same(ours, array.reshape(-1, 3, 1))

    def test_report_agrees_with_numpy(self):
        ours, report = self.passed_through("float32", "f32[500]=nan:3")
        self.assertEqual(len(report), 1)
        entry = report[0]
        finite = ours[~numpy.isnan(ours)]
        self.assertEqual((entry["name"], entry["type"], entry["shape"]), ("x", "f32", [500]))
        self.assertEqual((entry["nan"], entry["inf"]), (int(numpy.isnan(ours).sum()), int(numpy.isinf(ours).sum())))
        self.assertEqual((numpy.float32(entry["min"]), numpy.float32(entry["max"])), (finite.min(), finite.max()))


if __name__ == "__main__":
    unittest.main()
