"""Tests the mutation operators and the rewritings: their text, and that ptxas accepts it."""

import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

CORPUS = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
import mutations  # noqa: E402
import neutral  # noqa: E402
import rewrites  # noqa: E402

KERNEL = """.version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)
.reqntid 32
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<12>;
	.reg .b64 	%rd<4>;
	ld.param.b64 	%rd1, [k_param_0];
	ld.param.b32 	%r1, [k_param_1];
	mov.u32 	%r2, %tid.x;
	mad.wide.u32 	%rd2, %r2, 4, %rd1;
	mov.b32 	%r3, 0f00000000;
	mov.b32 	%r4, 0;
$L__BB0_1:
	setp.lt.s32 	%p1, %r2, %r1;
	@%p1 ld.global.b32 { %r5 }, [ %rd2 + 0 ];
	mul.f32 	%r6, %r5, %r5;
	add.f32 	%r3, %r3, %r6;
	add.s32 	%r4, %r4, 32;
	setp.lt.s32 	%p2, %r4, 1024;
	@%p2 bra 	$L__BB0_1;
	shfl.sync.bfly.b32 	%r7, %r3, 16, 31, -1;
	max.f32 	%r8, %r3, %r7;
	sub.f32 	%r9, %r8, %r3;
	bar.sync 	0;
	st.global.v2.b32 [ %rd2 + 0 ], { %r8, %r9 };
	ret;
}
"""

EXPECTED = {
    "operand-order": ["sub.f32 %r9, %r3, %r8;"],
    "rounding-mode": ["mul.rz.f32 %r6, %r5, %r5;", "add.rz.f32 %r3, %r3, %r6;", "sub.rz.f32 %r9, %r8, %r3;"],
    "contraction": ["fma.rn.f32 %r3, %r5, %r5, %r3;"],
    "shuffle-offset": ["shfl.sync.bfly.b32 %r7, %r3, 8, 31, -1;"],
    "barrier-removed": [""],
    "k-order": [],
    "partial-type": ["add.f32 %r3, %r3, %r6; { .reg .b16 %mutant; cvt.rn.bf16.f32 %mutant, %r3; "
                     "mov.b32 %r3, {0, %mutant}; }"],
    "address": ["@%p1 ld.global.b32 { %r5 }, [%rd2+4];", "st.global.v2.b32 [%rd2+4], { %r8, %r9 };"],
    "predicate": ["@!%p1 ld.global.b32 { %r5 }, [ %rd2 + 0 ];"],
    "comparison": ["setp.le.s32 %p1, %r2, %r1;"],
    "loop-bound": ["setp.lt.s32 %p2, %r4, 512;"],
    "seed": ["mov.b32 %r3, 0f80000000;", "mov.b32 %r3, 0f3F800000;"],
    "swapped-output": ["st.global.v2.b32 [ %rd2 + 0 ], {%r9, %r8};"],
    "constant": ["mad.wide.u32 %rd2, %r2, 5, %rd1;", "add.s32 %r4, %r4, 33;"],
    "opcode": ["sub.f32 %r3, %r3, %r6;", "min.f32 %r8, %r3, %r7;", "add.f32 %r9, %r8, %r3;"],
    "flag": ["mul.ftz.f32 %r6, %r5, %r5;", "add.ftz.f32 %r3, %r3, %r6;", "sub.ftz.f32 %r9, %r8, %r3;"],
    "factor": ["add.f32 %r3, %r5, %r6;", "max.f32 %r8, %r6, %r7;"],
}

REWRITTEN = {
    "addresses-rewritten": "\t{ .reg .b64 %part; mul.wide.u32 %part, %r2, 4; add.s64 %rd2, %rd1, %part; }",
    "commuted": "\tadd.f32 %r3, %r6, %r3;",
    "conditions-inverted": "\tsetp.gt.s32 %p1, %r1, %r2;",
    "copies-inserted": "\t{ .reg .b32 %copy; mov.b32 %copy, %r3; add.f32 %r3, %copy, %r6; }",
}


def complaint_of_ptxas(text):
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        run = subprocess.run(["ptxas", "-O0", "-arch=sm_90a", file.name, "-o", file.name + ".cubin"],
                             capture_output=True, text=True)
        pathlib.Path(file.name + ".cubin").unlink(missing_ok=True)
    return "" if run.returncode == 0 else run.stderr.splitlines()[0]


class Operators(unittest.TestCase):
    def test_mutants_of_a_small_kernel(self):
        found = {name: [m.after for m in sites] for name, sites in mutations.mutants(KERNEL).items()}
        self.assertEqual(found, EXPECTED)

    def test_a_mutant_changes_its_line_only(self):
        before = KERNEL.split("\n")
        for sites in mutations.mutants(KERNEL).values():
            for mutant in sites:
                expected = list(before)
                if mutant.after:
                    expected[mutant.line - 1] = mutant.text.split("\n")[mutant.line - 1]
                else:
                    del expected[mutant.line - 1]
                self.assertNotEqual(mutant.text, KERNEL)
                self.assertEqual(mutant.text.split("\n"), expected)

    def test_draws_are_repeatable_and_distinct(self):
        first, again = (mutations.draw(KERNEL, 12, "seed 1") for _ in range(2))
        self.assertEqual(first, again)
        self.assertEqual(len({mutant.text for mutant in first}), 12)
        self.assertEqual(len(mutations.draw(KERNEL, 1000, "seed 1")), sum(map(len, EXPECTED.values())))

    def test_rewritings_of_a_small_kernel(self):
        for name, line in REWRITTEN.items():
            self.assertIn(line, rewrites.REWRITINGS[name](KERNEL, random.Random(1)).split("\n"))

    def test_reordering_moves_independent_neighbours_only(self):
        seen = set()
        for seed in range(40):
            text = rewrites.REWRITINGS["independent-reordered"](KERNEL, random.Random(seed))
            self.assertEqual(sorted(text), sorted(KERNEL))
            order = ["".join(line.split()[:2]) for line in text.split("\n") if "\t" in line]
            seen.add(tuple(order))
            self.assertLess(order.index("mul.f32%r6,"), order.index("add.f32%r3,"))
            self.assertLess(order.index("max.f32%r8,"), order.index("sub.f32%r9,"))
        self.assertGreater(len(seen), 3)

    def test_renaming_keeps_declarations_and_is_a_permutation(self):
        text = rewrites.REWRITINGS["registers-renamed"](KERNEL, random.Random(1))
        self.assertNotEqual(text, KERNEL)
        self.assertIn(".reg .b32 \t%r<12>;", text)
        self.assertEqual(complaint_of_ptxas(text), "")

    def test_a_neutral_change_is_watched_where_no_data_takes_part(self):
        def watched(before, after):
            line = next(i for i, text in enumerate(KERNEL.split("\n")) if text.strip() == before)
            return neutral.watched(KERNEL, line, after)

        text, why = watched("setp.lt.s32 \t%p1, %r2, %r1;", "setp.le.s32 \t%p1, %r2, %r1;")
        self.assertIn("setp.le.s32 %mutant, %r2, %r1; setp.lt.s32 %p1, %r2, %r1; xor.pred %differs, %p1, %mutant; "
                      "@%differs trap; }", text)
        self.assertEqual(why, "every thread of the launch computes the same")
        self.assertEqual(complaint_of_ptxas(text), "")
        text, why = watched("@%p1 ld.global.b32 { %r5 }, [ %rd2 + 0 ];", "@%p1 ld.global.b32 { %r5 }, [%rd2+4];")
        self.assertIn("\t@%p1 trap;", text)
        self.assertEqual(why, "no thread of the launch makes the access")
        self.assertEqual(complaint_of_ptxas(text), "")
        text, why = neutral.reached(KERNEL, next(i for i, line in enumerate(KERNEL.split("\n")) if "bar.sync" in line))
        self.assertIn("\ttrap;\n\tbar.sync 0;", text)
        self.assertEqual(why, "no thread of the launch gets there")
        # Of what was loaded a launch shows one case only.
        self.assertEqual(watched("mul.f32 \t%r6, %r5, %r5;", "mul.rz.f32 \t%r6, %r5, %r5;"), (None, None))
        self.assertEqual(watched("bar.sync \t0;", ""), (None, None))

    def test_ptxas_accepts_compilers_kernels_changed(self):
        paths = sorted(CORPUS.glob("*/0003.ptx"))
        self.assertEqual(len(paths), 32)
        for path in paths:
            text = path.read_text()
            mutant, = mutations.draw(text, 1, path.parent.name)
            self.assertEqual(complaint_of_ptxas(mutant.text), "", f"{path}: {mutant.before} -> {mutant.after}")
            name, changed = rewrites.rewrite(text, path.parent.name)
            self.assertEqual(complaint_of_ptxas(changed), "", f"{path}: {name}")


if __name__ == "__main__":
    unittest.main()
