#!/usr/bin/env python3
"""Lists the files that belong to the tree: what the house checks look at.

Inside a git checkout that is what git tracks or would track; in an unpacked archive, everything
but build and environment folders. As a program it prints the names, for xargs.
"""

import argparse
import pathlib
import subprocess
import sys

IGNORED = ("build*", ".venv", "__pycache__", ".git")


def tracked_files(root: pathlib.Path, suffixes: tuple = ()) -> list:
    """Paths relative to `root`, sorted; only those ending in one of `suffixes`, if any are given."""
    listing = subprocess.run(
        ["git", "-c", f"safe.directory={root.resolve()}", "-C", str(root), "ls-files", "-z", "--cached",
         "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False) if (root / ".git").exists() else None
    if listing is not None and listing.returncode == 0:
        paths = [pathlib.PurePosixPath(name) for name in listing.stdout.split("\0") if name]
        paths = [path for path in paths if (root / path).is_file()]
    else:
        paths = [pathlib.PurePosixPath(path.relative_to(root).as_posix()) for path in root.rglob("*") if path.is_file()]
        paths = [path for path in paths if not any(
            pathlib.PurePosixPath(part).match(pattern) for part in path.parts for pattern in IGNORED)]
    return sorted(path for path in paths if not suffixes or path.name.endswith(suffixes))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("suffixes", nargs="*")
    args = parser.parse_args()
    for path in tracked_files(args.root, tuple(args.suffixes)):
        print(args.root / path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
