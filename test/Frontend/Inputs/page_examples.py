"""Compiles every ```mettle block of a page; the keywords of the page are those of the lexer."""

import pathlib
import re
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text()
examples = re.findall(r"^```mettle\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
assert len(examples) >= 3, "the examples were not found"
problems = []
for example in examples:
    result = subprocess.run([sys.argv[2], "--import-mettle", "-"], input=example, capture_output=True, text=True)
    if result.returncode:
        problems.append(result.stderr)
tokens = (pathlib.Path(sys.argv[1]).parents[1] / "include/Mettle/Frontend/Tokens.def").read_text()
keywords = set(re.findall(r"^METTLE_KEYWORD\((\w+)\)", tokens, re.MULTILINE))
listed = set(re.findall(r"`(\w+)`", page[page.index("\nKeywords:"):page.index("`in` is a keyword")]))
if keywords != listed:
    problems.append(f"keywords that only one of page and lexer has: {sorted(keywords ^ listed)}")
codes = set(re.findall(r"METTLE_DIAGNOSTIC\((\w+)", (pathlib.Path(sys.argv[1]).parents[1] /
                                                    "include/Mettle/Frontend/Diagnostics.def").read_text()))
# Rules that are checked behind the frontend have a test and no record.
codes |= {path.stem[len("refuse-"):] for path in (pathlib.Path(sys.argv[1]).parents[1] / "test/tools/mettle").glob("refuse-*")}
named = set(re.findall(r"\(`(\w+)`[,)]|, `(\w+)`\)", page))
for pair in named:
    for code in filter(None, pair):
        if "_" in code and code not in codes:
            problems.append(f"the page names the code {code}, which does not exist")
sys.exit("\n".join(problems) or 0)
