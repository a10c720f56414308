"""Pairs that the checker of arXiv 2609.11356 calls equal, or cannot tell apart by design, each by name.

peer_test.py LIBRARY CORPUS: a pair must have two keys, or at least one kernel that is unknown. The pairs of
configurations returned different words on an H200; the others are one edit to a kernel of the corpus.
"""

import json
import pathlib
import re
import sys
import unittest

LIBRARY, CORPUS = sys.argv[1], pathlib.Path(sys.argv[2])
del sys.argv[1:]
sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "python"))
from mettle import checker  # noqa: E402

ENTRIES = {(e["kernel"], e["index"]): e for e in map(json.loads, (CORPUS / "index.jsonl").read_text().splitlines())}
CHECKER = checker.Checker(LIBRARY)


def text_of(kernel, index):
    return (CORPUS / ENTRIES[kernel, index]["ptx"]).read_text()


def key_of(kernel, index, text=None, scalars=None):
    entry = ENTRIES[kernel, index]
    found = CHECKER.signature(text or text_of(kernel, index), entry=entry["entry"], grid=entry["grid"],
                              dynamic_shared=entry["dynamic_shared"], scalars=scalars or entry["params"])
    return found.key or f"unknown, {kernel} {index}: {found.reason}"


class Peer(unittest.TestCase):
    def differ(self, kernel, index, other):
        self.assertNotEqual(key_of(kernel, index), key_of(kernel, other))

    def edited(self, kernel, index, pattern, replacement, **options):
        text = text_of(kernel, index)
        changed, count = re.subn(pattern, replacement, text, count=1)
        self.assertEqual(count, 1, f"no {pattern} in {kernel} {index}")
        original = key_of(kernel, index)
        self.assertFalse(original.startswith("unknown"), original)
        self.assertNotEqual(key_of(kernel, index, changed, **options), original)

    # What it merged on the corpus.
    def test_k_sliced_over_the_grid(self):
        self.differ("gemm_splitk_f16", 0, 6)

    def test_balanced_trees_of_one_height_and_first_offset(self):
        self.differ("col_bias_grad_f32", 2, 7)
        self.differ("col_bias_grad_f16", 1, 6)
        self.differ("col_bias_grad_f16", 10, 15)

    def test_opaque_tokens_without_children(self):
        self.differ("sum_axis1_full_f16", 8, 9)
        self.differ("gemm_splitk_f16", 0, 2 + 4)
        self.differ("gemm_kgroup_bf16", 5, 25)

    # Edits that left its key as it was.
    def test_outputs_swapped(self):
        self.edited("gemm_f16", 0, r"(st\.global\.v2\.b32 \[ %rd18 \+ 0 \], )\{ (%r\d+), (%r\d+) \}", r"\1{ \3, \2 }")

    def test_accumulator_seeded(self):
        self.edited("gemm_f16", 0, r"(mov\.b32 \t%r122, )0f00000000", r"\g<1>0f3F800000")

    def test_pointer_step_doubled(self):
        self.edited("gemm_f16", 0, r"(add\.s64 \t%rd22, %rd22, )32", r"\g<1>64")

    def test_half_the_trips(self):
        self.edited("gemm_f16", 0, r"(shr\.u32 \t%r65, %r7, )4", r"\g<1>5")

    def test_accumulator_negated_after_the_loop(self):
        self.edited("gemm_f16", 0, r"(cvt\.rn\.f16x2\.f32 \t%r127)", r"neg.f32 \t%r122, %r122;\n\t\1")

    def test_load_mask_dropped(self):
        # The last of the row: those before it are within it for every thread.
        self.edited("softmax_row_f16", 0, r"(?s)^(.*)@%p\d+ (ld\.global)", r"\1\2")

    def test_half_the_rows(self):
        scalars = list(ENTRIES["col_bias_grad_f32", 2]["params"])
        rows = next(i for i, value in enumerate(scalars) if value)
        scalars[rows] //= 2
        self.assertNotEqual(key_of("col_bias_grad_f32", 2, scalars=scalars), key_of("col_bias_grad_f32", 2))

    # What its keys leave out.
    def test_native_k_of_the_instruction(self):
        self.edited("gemm_f16", 0,
                    r"mma\.sync\.aligned\.m16n8k16\.row\.col(\S+) (\{[^}]*\}), \{ (%r\d+), (%r\d+), (%r\d+), (%r\d+) \}, "
                    r"\{ (%r\d+), (%r\d+) \}, (\{[^}]*\});",
                    r"mma.sync.aligned.m16n8k8.row.col\1 \2, { \3, \4 }, { \7 }, \9;\n"
                    r"\tmma.sync.aligned.m16n8k8.row.col\1 \2, { \5, \6 }, { \8 }, \2;")

    def test_f16_and_bf16(self):
        self.edited("gemm_f16", 0, r"(mma\.sync\S*\.f32)\.f16\.f16\.f32", r"\1.bf16.bf16.f32")

    def test_an_epilogue_on_other_values(self):
        self.edited("gemm_f16", 0, r"cvt\.rn\.f16x2\.f32 \t%r127, %r123, %r122", "cvt.rn.f16x2.f32 \t%r127, %r122, %r123")

    def test_a_barrier_removed(self):
        self.edited("gemm_f16", 0, r"bar\.sync \t0;", "")


if __name__ == "__main__":
    unittest.main()
