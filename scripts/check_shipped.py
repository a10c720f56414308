#!/usr/bin/env python3
"""Checks that the tools of a release build run where no LLVM is: static, stripped and small.

A build against LLVM's dylibs is for developing and is not judged.
"""

import argparse
import pathlib
import re
import subprocess
import sys

MAX_BYTES = 15 * 10**6
# What the C library and the compiler's runtime are made of; all else must be inside.
SYSTEM_LIBRARIES = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"}
# Runs during the build only.
BUILD_TOOLS = {"mettle-tblgen"}


def faults(tool: pathlib.Path):
    """What keeps `tool` from being shipped, one line each."""
    size = tool.stat().st_size
    if size > MAX_BYTES:
        yield f"{tool.name}: expected at most {MAX_BYTES} bytes, found {size}"
    listing = subprocess.run(["ldd", tool], capture_output=True, text=True, check=True).stdout
    libraries = set(re.findall(r"^\s*([^\s/]+\.so[.\d]*)", listing, re.M))
    for name in sorted(libraries - SYSTEM_LIBRARIES):
        yield f"{tool.name}: expected no library but the system's, found {name}"
    sections = subprocess.run(["readelf", "-SW", tool], capture_output=True, text=True, check=True).stdout
    if re.search(r"\s\.(symtab|debug_info)\s", sections):
        yield f"{tool.name}: expected no symbols, found a symbol table"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    args = parser.parse_args()
    cache = (args.build / "CMakeCache.txt").read_text()
    setting = lambda name: re.search(rf"^{name}:BOOL=(ON|1|TRUE)$", cache, re.M)
    if not setting("METTLE_STATIC") or setting("METTLE_SANITIZE"):
        print("not a release build: nothing to check")
        return 0
    tools = [path for path in sorted((args.build / "bin").glob("mettle*"))
             if path.is_file() and path.name not in BUILD_TOOLS]
    found = [fault for tool in tools for fault in faults(tool)]
    print("\n".join(found or [f"{len(tools)} tools are fit to ship"]))
    return 1 if found or not tools else 0


if __name__ == "__main__":
    sys.exit(main())
