#!/usr/bin/env python3
"""Cuts the recorded words of an H200 down to test data: of every file, the same number of records of
every class, evenly spaced, so that the whole stays small and no class is lost.

Usage: subset_golden.py FROM TO BYTES_PER_FILE
"""

import json
import os
import sys


def subset(records, budget):
    classes = {}
    for record in records:
        classes.setdefault(record[0], []).append(record)
    share = max(1, budget // (len(records[0]) * len(classes)))
    kept = []
    for group in classes.values():
        count = min(share, len(group))
        kept += [group[i * len(group) // count] for i in range(count)]
    return kept


def main(source, target, budget):
    os.makedirs(target, exist_ok=True)
    with open(os.path.join(source, "index.jsonl")) as index, open(os.path.join(target, "index.jsonl"), "w") as out:
        for line in index:
            entry = json.loads(line)
            if entry["kind"] == "dot":
                with open(os.path.join(source, entry["file"]), "rb") as file:
                    data = file.read()
                size = entry["record"]
                kept = subset([data[i:i + size] for i in range(0, len(data), size)], budget)
                entry["cases"] = len(kept)
                with open(os.path.join(target, entry["file"]), "wb") as file:
                    file.write(b"".join(kept))
            out.write(json.dumps(entry) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
