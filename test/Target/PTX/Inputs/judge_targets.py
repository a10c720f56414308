"""Holds TargetSpec's table of architectures against ptxas.

For every architecture that ptxas knows, an empty kernel is emitted for it without a version: ptxas must
take the version that the emitter chose, and refuse the one before.
"""

import re
import subprocess
import sys

KERNEL = "ptx.entry @k() {\n  ptx.ret\n}\n"
VERSIONS = [(major, minor) for major, last in ((6, 5), (7, 8), (8, 8), (9, 4)) for minor in range(last + 1)]


def takes(text, target):
    return subprocess.run(["ptxas", f"-arch={target}", "-", "-o", "/dev/null"], input=text, capture_output=True,
                          text=True).returncode == 0


def main():
    listing = subprocess.run(["ptxas", "--help"], capture_output=True, text=True).stdout
    targets = sorted(set(re.findall(r"'(sm_\d+[af]?)'", listing)))
    wrong = []
    for target in targets:
        run = subprocess.run(["mettle-translate", "--ptx-to-text", f"--gpu-arch={target}"], input=KERNEL,
                             capture_output=True, text=True)
        if run.returncode:
            wrong.append(f"{target}: {run.stderr}")
            continue
        version = tuple(map(int, re.search(r"\.version (\d+)\.(\d+)", run.stdout).groups()))
        before = VERSIONS[VERSIONS.index(version) - 1]
        if f".target {target}\n" not in run.stdout or not takes(run.stdout, target):
            wrong.append(f"{target}: ptxas refuses version {version}")
        lower = re.sub(r"\.version \S+", ".version %d.%d" % before, run.stdout)
        if takes(lower, target):
            wrong.append(f"{target}: ptxas also takes version {before}")
    print("\n".join(wrong))
    print(f"{len(targets)} architectures, {len(wrong)} wrong")
    sys.exit(bool(wrong) or len(targets) < 10)


if __name__ == "__main__":
    main()
