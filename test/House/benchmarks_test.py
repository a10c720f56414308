"""Tests what the benchmarks compute from times, on times and commands that are known."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "benchmarks"))
import kernel_source  # noqa: E402
import run  # noqa: E402
import timing  # noqa: E402


class Benchmarks(unittest.TestCase):
    def test_exponent_of_known_growth(self):
        for exponent in (0.5, 1.0, 1.1, 2.0):
            points = [(size, 3e-3 * size ** exponent) for size in (300, 600, 1200, 3000)]
            self.assertAlmostEqual(timing.growth_exponent(points), exponent)

    def test_slower_command_has_the_larger_median(self):
        fast, slow = timing.paired_medians([["/bin/true"], ["/bin/sleep", "0.1"]], 3)
        self.assertGreater(slow, 0.1)
        self.assertGreater(slow / fast, 1)
        self.assertLess(timing.seconds_of(["/bin/sleep", "0.1"], "cpu"), 0.1)

    def test_failing_command_is_an_error(self):
        with self.assertRaisesRegex(timing.BenchmarkError, "/bin/ls /missing failed: .*No such file"):
            timing.seconds_of(["/bin/ls", "/missing"])

    def test_targets(self):
        at_least = timing.Result("w", "o", "p", "t", 80.0, "at least", 80)
        at_most = timing.Result("w", "o", "p", "t", 1.1, "at most", 1.1)
        self.assertTrue(at_least.met and at_most.met)
        at_least.ratio, at_most.ratio = 79.9, 1.11
        self.assertFalse(at_least.met or at_most.met)
        self.assertIn("at least 80.00: missed", run.table([("b", at_least)]))

    def test_sources_have_the_wanted_length(self):
        for lines in (300, 3000):
            self.assertIn(kernel_source.many_kernels(lines).count("\n") - lines, range(20))
        for statements in (1000, 14000):
            self.assertEqual(kernel_source.long_kernel(statements).count("\n"), statements + 2)

    def test_wrong_use_is_one_line(self):
        script = SOURCE / "benchmarks" / "run.py"
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, script, folder, "nothing"], capture_output=True, text=True,
                                    check=False)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, "^run.py: error: expected one of compile-speed.*, found 'nothing'\n$")
            result = subprocess.run([sys.executable, script, folder], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, "^run.py: error: expected the compiler at .*/bin/mettle, found none\n$")


if __name__ == "__main__":
    unittest.main()
