"""Partitions the corpus with mettle-equiv and grades it: a slice of it, or all in a deep run.

usage: grade_corpus.py DEEP CORPUS TRUTH.jsonl.xz

The slice is every tenth configuration of each kernel whose text is below 40 kB. The tool sees the index
alone; TRUTH is for the grader. Prints the grader's table; exits 1 on a merged pair.
"""

import collections
import json
import lzma
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import grade_classes  # noqa: E402


def main():
    deep, corpus, truth = sys.argv[1] == "1", pathlib.Path(sys.argv[2]), sys.argv[3]
    entries = [json.loads(line) for line in (corpus / "index.jsonl").read_text().splitlines()]
    if not deep:
        entries = [e for e in entries if e["index"] % 10 == 0 and (corpus / e["ptx"]).stat().st_size < 40000]
    index = corpus / "slice.jsonl"
    index.write_text("".join(json.dumps(e) + "\n" for e in entries))
    report = subprocess.run(["mettle-equiv", "--classes", index, "--json"], capture_output=True, text=True,
                            check=True).stdout
    answers = {(a["kernel"], a["index"]): a for a in map(json.loads, report.splitlines())}
    kernels = collections.defaultdict(list)
    for row in map(json.loads, lzma.open(truth, "rt")):
        if (row["kernel"], row["index"]) in answers:
            kernels[row["kernel"]].append(row)
    print("kernel                     configs  true found  ratio unknown missing merged  split/equal")
    total = collections.Counter()
    for kernel, rows in sorted(kernels.items()):
        counts = grade_classes.grade(rows, answers, set())
        grade_classes.show(kernel, counts)
        total.update(counts)
    grade_classes.show("total", total)
    sys.exit(bool(total["merged"] or total["missing"]))


if __name__ == "__main__":
    main()
