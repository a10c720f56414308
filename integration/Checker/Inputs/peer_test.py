"""Pairs that the checker of arXiv 2609.11356 calls equal, or cannot tell apart by design, each by name.

peer_test.py LIBRARY CORPUS [PEER]: a pair must have two keys, or at least one kernel that is unknown. The pairs of
configurations returned different words on an H200; the others are one edit to a kernel of the corpus. With PEER,
the folder that holds bitequiv/ of github.com/facebookexperimental/triton (and a Python that has pyptx 0.1.1), each
pair's line says whether the paper's checker tells it apart.
"""

import json
import pathlib
import re
import sys
import unittest

LIBRARY, CORPUS = sys.argv[1], pathlib.Path(sys.argv[2])
PEER = sys.argv[3] if len(sys.argv) > 3 else None
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


def ask_peer(name, texts):
    """Prints what the paper's checker says of two kernels."""
    sys.path.insert(0, PEER)
    from bitequiv.ptx.forward.interp import forward_module_descriptor
    keys = [repr(forward_module_descriptor(text)) for text in texts]
    print(f"{name}: the paper's checker says {'equal' if keys[0] == keys[1] else 'different'}", flush=True)


#: x * y + z over the lanes of a warp, by PAIR.
SUM_OF_PRODUCTS = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 .ptr .global k_param_0, .param .u64 .ptr .global k_param_1)
.reqntid 32
{
.reg .b32 %r<16>;
.reg .b64 %rd<8>;
.reg .pred %p<2>;
ld.param.b64 %rd1, [k_param_0];
ld.param.b64 %rd2, [k_param_1];
mov.u32 %r1, %tid.x;
mad.wide.u32 %rd3, %r1, 8, %rd1;
ld.global.v2.b32 {%r3, %r4}, [%rd3];
PAIR
shfl.sync.bfly.b32 %r7, %r6, 16, 31, -1;
add.rn.f32 %r8, %r6, %r7;
shfl.sync.bfly.b32 %r9, %r8, 8, 31, -1;
add.rn.f32 %r10, %r8, %r9;
mad.wide.u32 %rd4, %r1, 4, %rd2;
st.global.b32 [%rd4], %r10;
ret;
}
"""


class Peer(unittest.TestCase):
    def differ(self, kernel, index, other):
        if PEER:
            ask_peer(self._testMethodName, [text_of(kernel, i) for i in (index, other)])
        self.assertNotEqual(key_of(kernel, index), key_of(kernel, other))

    def texts_differ(self, first, second):
        """Two texts of whole modules, each known."""
        if PEER:
            ask_peer(self._testMethodName, [first, second])
        keys = [CHECKER.signature(text, grid=[1]) for text in (first, second)]
        for key in keys:
            self.assertTrue(key.key, key.reason)
        self.assertNotEqual(keys[0].key, keys[1].key)

    def edited(self, kernel, index, pattern, replacement, **options):
        text = text_of(kernel, index)
        changed, count = re.subn(pattern, replacement, text, count=1)
        self.assertEqual(count, 1, f"no {pattern} in {kernel} {index}")
        if PEER:
            ask_peer(self._testMethodName, [text, changed])
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
        self.edited("softmax_rows_f16", 3, r"(?s)^(.*)@%p\d+ (ld\.global)", r"\1\2")

    def test_a_column_read_twice(self):
        self.edited("softmax_rows_f16", 3, r"(ld\.global\.b16 \{ %rs3 \}, \[ )%rd2", r"\1%rd1")

    def test_half_the_rows(self):
        self.edited("col_bias_grad_f32", 2, r"(setp\.lt\.u64 \t%p\d+, %rd7, )992", r"\g<1>480")

    def test_row_stride_doubled(self):
        self.edited("col_bias_grad_f32", 2, r"(ld\.param\.b32 \t(%r12), \[col_bias_grad_param_2\];)",
                    r"\1\n\tshl.b32 \t\2, \2, 1;")

    def test_another_scalar(self):
        scalars = [value // 2 if value else value for value in ENTRIES["col_bias_grad_f32", 2]["params"]]
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

    def test_modifiers_of_a_sum(self):
        for modifier in ("ftz", "rz", "rm"):
            self.edited("sum_axis1_full_f32", 0, r"add\.f32", f"add.{modifier}.f32")

    def test_a_chain_that_starts_from_minus_zero(self):
        self.edited("sum_axis1_loop_f16", 0, r"(mov\.b32 \t%r\d+, )0f00000000", r"\g<1>0f80000000")

    def test_contraction_left_to_ptxas(self):
        forms = {"left to it": "mul.f32 %r5, %r3, %r4;\nadd.f32 %r6, %r5, %r3;",
                 "two roundings": "mul.rn.f32 %r5, %r3, %r4;\nadd.rn.f32 %r6, %r5, %r3;",
                 "one rounding": "fma.rn.f32 %r6, %r3, %r4, %r3;"}
        texts = [SUM_OF_PRODUCTS.replace("PAIR", form) for form in forms.values()]
        for i in range(3):
            self.texts_differ(texts[i], texts[i - 1])

    def test_an_fma_of_other_values(self):
        texts = [SUM_OF_PRODUCTS.replace("PAIR", f"fma.rn.f32 %r6, {a}, {b}, {c};")
                 for a, b, c in (("%r3", "%r4", "%r3"), ("%r3", "%r4", "%r4"))]
        self.texts_differ(*texts)

    def test_a_barrier_removed(self):
        self.edited("gemm_f16", 0, r"bar\.sync \t0;", "")


if __name__ == "__main__":
    unittest.main()
