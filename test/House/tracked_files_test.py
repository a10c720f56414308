"""Tests scripts/tracked_files.py in a git checkout and in an unpacked archive."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(SOURCE / "scripts"))
from tracked_files import tracked_files  # noqa: E402


class TrackedFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("lib/a.cpp", "lib/b.h", "lib/deleted.cpp", "build-dev/x.cpp", ".venv/y.cpp", "notes.txt"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(name)

    def listed(self, *suffixes: str) -> list:
        return [str(path) for path in tracked_files(self.root, suffixes)]

    def test_archive(self):
        self.assertEqual(self.listed(), ["lib/a.cpp", "lib/b.h", "lib/deleted.cpp", "notes.txt"])
        self.assertEqual(self.listed(".h", ".txt"), ["lib/b.h", "notes.txt"])

    def test_checkout(self):
        git = lambda *words: subprocess.run(["git", "-C", self.root, *words], check=True, capture_output=True)
        (self.root / ".gitignore").write_text("/build*/\n/.venv/\n/notes.txt\n")
        git("init")
        git("add", "lib")
        (self.root / "lib/deleted.cpp").unlink()
        (self.root / "lib/new.cpp").write_text("")
        self.assertEqual(self.listed(), [".gitignore", "lib/a.cpp", "lib/b.h", "lib/new.cpp"])


if __name__ == "__main__":
    unittest.main()
