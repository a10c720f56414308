"""Checks that each record of Diagnostics.def has a refuse-CODE.mettle that expects its text."""

import pathlib
import re
import sys

ELSEWHERE = {"nested_too_deep", "expression_too_deep", "file_too_large", "opened_here", "declared_here"}

records = re.findall(r'METTLE_DIAGNOSTIC\((\w+),\s*"((?:[^"\\]|\\.)*)"\)', pathlib.Path(sys.argv[1]).read_text())
tests = {path.stem[len("refuse-"):]: path for path in pathlib.Path(sys.argv[2]).glob("refuse-*.mettle")}
problems = []
for code, text in records:
    if code in ELSEWHERE:
        continue
    if code not in tests:
        problems.append(f"{code}: no test refuse-{code}.mettle")
        continue
    pattern = re.sub(r"\\\{\d\\\}", ".*", re.escape(text))
    if not re.search(rf"CHECK: .*error: {pattern}$", tests[code].read_text(), re.MULTILINE):
        problems.append(f"{code}: {tests[code].name} does not expect its text")
for name in sorted(tests.keys() - {code for code, _ in records}):
    problems.append(f"refuse-{name}.mettle: no such code")
assert len(records) > 50, "the records were not read"
sys.exit("\n".join(problems) or 0)
