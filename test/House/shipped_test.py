"""Shows that scripts/check_shipped.py sees a foreign library, symbols and too many bytes."""

import pathlib
import shutil
import sys
import unittest

SOURCE, BUILD = pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "scripts"))
import check_shipped  # noqa: E402


class Shipped(unittest.TestCase):
    def test_library_of_llvm(self):
        found = list(check_shipped.faults(pathlib.Path(shutil.which("mlir-opt"))))
        self.assertTrue([fault for fault in found if "expected no library but the system's, found libMLIR" in fault])

    def test_symbols(self):
        program = BUILD / "unittests" / "Support" / "MettleSupportTests"
        self.assertIn("MettleSupportTests: expected no symbols, found a symbol table",
                      list(check_shipped.faults(program)))

    def test_size(self):
        self.addCleanup(setattr, check_shipped, "MAX_BYTES", check_shipped.MAX_BYTES)
        program = BUILD / "bin" / "mettle-opt"
        check_shipped.MAX_BYTES = program.stat().st_size
        self.assertFalse([fault for fault in check_shipped.faults(program) if "bytes" in fault])
        check_shipped.MAX_BYTES -= 1
        self.assertEqual([fault for fault in check_shipped.faults(program) if "bytes" in fault],
                         [f"mettle-opt: expected at most {check_shipped.MAX_BYTES} bytes, found "
                          f"{check_shipped.MAX_BYTES + 1}"])


if __name__ == "__main__":
    unittest.main()
