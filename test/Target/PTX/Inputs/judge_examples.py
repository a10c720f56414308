"""Lets ptxas judge every spelling of every PTX instruction record.

Usage: judge_examples.py EXAMPLES.mlir

The file holds a module for each (ISA version, SM, features) that records need, with an entry a record
(mettle-tblgen -gen-ptx-examples). Each module must assemble for the target that the emitter chooses,
which is the lowest that has all of it. And each record that asks for more than PTX 6.3 and sm_75, the
lowest that ptxas still knows, must be refused one version, and one architecture, lower: what a record
needs is neither less nor more than the truth.
"""

import re
import subprocess
import sys

VERSIONS = [f"{major}.{minor}" for major, last in ((6, 5), (7, 8), (8, 8), (9, 4))
            for minor in range(3 if major == 6 else 0, last + 1)]
# Architectures and the versions that introduced them.
SM = {75: "6.3", 80: "7.0", 86: "7.1", 89: "7.8", 90: "7.8", 100: "8.6", 103: "8.8", 110: "9.0", 120: "8.7",
      121: "8.8"}


def assemble(text, version, target):
    """Returns the PTX lines that ptxas refuses, with its words."""
    text = re.sub(r"\.version .*\n\.target .*", f".version {version}\n.target {target}", text, count=1)
    run = subprocess.run(["ptxas", f"-arch={target}", "-", "-o", "/dev/null"], input=text,
                         capture_output=True, text=True)
    refused = {int(line): words for line, words in
               re.findall(r"line (\d+); (?:error|fatal)\s*: (.*)", run.stderr)}
    if run.returncode and not refused:
        sys.exit(f"ptxas -arch={target} failed:\n{run.stderr}")
    return refused


def records_at(text, lines):
    """The record that each PTX line belongs to: its entry's name."""
    name, names = None, []
    for line in text.splitlines():
        if entry := re.match(r"\.visible \.entry (\w+)", line):
            name = entry[1]
        names.append(name)
    return {line: names[line - 1] for line in lines}


def version_key(version):
    return tuple(map(int, version.split(".")))


def lower_targets(isa, sm, features, target):
    """(version, architecture) just below what is needed, where such a target exists."""
    below = [version for version in VERSIONS if version_key(version) < version_key(isa)]
    if below:
        number = int(re.search(r"\d+", target)[0])
        if features == "" and number in SM and version_key(SM[number]) <= version_key(below[-1]):
            yield below[-1], target
    lower = [number for number in SM if number < sm]
    if lower:
        yield max(isa, SM[max(lower)], key=version_key), f"sm_{max(lower)}"
    if features:
        plain = re.match(r"sm_\d+", features)[0]
        yield max(isa, SM[int(plain[3:])], key=version_key), plain


def main():
    groups = re.split(r"(?m)^// needs ", open(sys.argv[1]).read())[1:]
    wrong, judged, lines = [], 0, 0
    for group in groups:
        needs, module = group.split("\n", 1)
        isa, sm, *features = needs.split()
        run = subprocess.run(["mettle-translate", "--ptx-to-text"], input=module, capture_output=True, text=True)
        if run.returncode:
            sys.exit(run.stderr)
        text = run.stdout
        version, target = re.search(r"\.version (.*)\n\.target (.*)", text).groups()
        records = re.findall(r"\.visible \.entry (\w+)", text)
        judged += len(records)
        lines += module.count("ptx.inst")
        refused = assemble(text, version, target)
        for line, name in records_at(text, refused).items():
            wrong.append(f"{name}: PTX {version} {target} refuses '{text.splitlines()[line - 1].strip()}': "
                         f"{refused[line]}")
        for low_version, low_target in lower_targets(isa, int(sm), " ".join(features), target):
            refused = set(records_at(text, assemble(text, low_version, low_target)).values())
            wrong += [f"{name}: needs PTX {isa} and sm_{sm} {' '.join(features)}, but ptxas takes it for PTX "
                      f"{low_version} {low_target}" for name in records
                      if name not in refused]
    print("\n".join(wrong))
    print(f"{judged} records in {lines} spellings, {len(wrong)} wrong")
    sys.exit(bool(wrong) or judged == 0)


if __name__ == "__main__":
    main()
