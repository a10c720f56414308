"""Shows that scripts/check_coverage.py finds each kind of record and misses none that has no test."""

import pathlib
import sys
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "scripts"))
import check_coverage  # noqa: E402
from records import Records  # noqa: E402


class WithoutExamples(Records):
    """The tree as it is, with the generated test of the instructions emptied."""

    def tablegen(self, text, *options, program="mlir-tblgen"):
        return "" if "-gen-ptx-examples" in options else super().tablegen(text, *options, program=program)


class Coverage(unittest.TestCase):
    def setUp(self):
        self.records = Records(SOURCE, BUILD)

    def test_reads_every_kind_of_record(self):
        self.assertLessEqual({"mettle.kernel", "mettle.load", "ptx.inst"}, set(self.records.operations()))
        self.assertLessEqual({"load-c1", "strict_float-c5"}, set(self.records.labels()))
        self.assertIn("mettle-verify-strict-float", self.records.passes())
        self.assertGreater(len(self.records.instructions()), 400)

    def test_finds_each_when_no_test_names_it(self):
        named = check_coverage.words(SOURCE)
        for kind, names in (("operation", self.records.operations()), ("constraint", self.records.labels()),
                            ("pass", self.records.passes())):
            for name in names:
                self.assertEqual(check_coverage.untested(self.records, named - {name}), [f"{kind} {name}"])

    def test_finds_instructions_without_example(self):
        found = check_coverage.untested(WithoutExamples(SOURCE, BUILD), check_coverage.words(SOURCE))
        self.assertEqual(found, [f"instruction {name}" for name in self.records.instructions()])

    def test_a_longer_word_does_not_name_a_shorter(self):
        # `mettle.load` in a test is not a test of an operation called `mettle.loa`, or the other way round.
        self.assertNotIn("mettle.loa", check_coverage.words(SOURCE))


if __name__ == "__main__":
    unittest.main()
