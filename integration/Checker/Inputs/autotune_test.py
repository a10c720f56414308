"""The Python checker and the autotuner's hooks, on kernels of the corpus: autotune_test.py LIBRARY CORPUS"""

import dataclasses
import json
import pathlib
import sys
import unittest

LIBRARY, CORPUS = sys.argv[1], pathlib.Path(sys.argv[2])
del sys.argv[1:]
sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "python"))
from mettle import autotune, checker  # noqa: E402

ENTRIES = {(e["kernel"], e["index"]): e for e in map(json.loads, (CORPUS / "index.jsonl").read_text().splitlines())}
CHECKER = checker.Checker(LIBRARY)


def compiled(kernel, index):
    entry = ENTRIES[kernel, index]
    return autotune.Compiled((CORPUS / entry["ptx"]).read_text(), tuple(entry["grid"]), tuple(entry["params"]),
                             entry["entry"], (entry["threads"],), entry["dynamic_shared"])


class Config:
    """What a pruner needs of triton.Config: an identity."""

    def __init__(self, kernel, index):
        self.kernel, self.index = kernel, index


class Tuner:
    """What `attach` needs of Triton's Autotuner."""

    def __init__(self):
        self.benched = []

    def _bench(self, *args, config, **meta):
        self.benched.append(config)
        return [1.0, 1.0, 1.0]


def pruner(reference=None):
    return autotune.BitEquivalent(CHECKER, lambda config, arguments: compiled(config.kernel, config.index), reference)


class Autotune(unittest.TestCase):
    def test_signature(self):
        a, b = (pruner().signature(compiled("gemm_f16", index)) for index in (0, 72))
        self.assertEqual((len(a.key), a.key), (32, b.key))  # mma.sync and wgmma
        self.assertTrue(a.is_known)

    def test_unknown_says_why_and_where(self):
        entry = ENTRIES["gemm_f16", 0]
        found = CHECKER.signature((CORPUS / entry["ptx"]).read_text())
        self.assertFalse(found.is_known)
        self.assertTrue(found.reason.startswith("without the grid: "), found.reason)
        self.assertGreater(found.line, 0)

    def test_unusable(self):
        with self.assertRaisesRegex(ValueError, "error"):
            CHECKER.signature("this is no PTX")
        with self.assertRaisesRegex(ValueError, "expected an entry named"):
            CHECKER.signature(compiled("gemm_f16", 0).ptx, entry="other")

    def test_the_first_configuration_is_the_reference(self):
        configs = [Config("sum_axis1_loop_f32", index) for index in range(8)]
        found = pruner()
        kept = found.early_config_prune(configs, {})
        wanted = found.classes[configs[0]]
        self.assertEqual(kept, [c for c in configs if found.classes[c] == wanted])
        self.assertEqual(found.pruned, [c for c in configs if c not in kept])
        self.assertLess(len(kept), len(configs))

    def test_a_reference_handed_in(self):
        configs = [Config("sum_axis1_loop_f32", index) for index in range(8)]
        last = pruner(compiled("sum_axis1_loop_f32", 7))
        self.assertIn(configs[7], last.early_config_prune(configs, {}))
        self.assertNotIn(configs[0], last.early_config_prune(configs, {}))

    def test_unknown_is_equal_to_itself_alone(self):
        configs = [Config("gemm_f16", index) for index in (0, 1)]
        found = autotune.BitEquivalent(CHECKER, lambda config, arguments: dataclasses.replace(
            compiled(config.kernel, config.index), grid=()))
        self.assertEqual(found.early_config_prune(configs, {}), configs[:1])
        self.assertTrue(found.classes[configs[1]].startswith("unknown: "))

    def test_a_lone_survivor_is_not_benchmarked(self):
        found, tuner = pruner(), Tuner()
        found.attach(tuner)
        alone = found.early_config_prune([Config("sum_axis1_loop_f32", index) for index in (0, 7)], {})
        self.assertEqual([tuner._bench(config=config)[0] for config in alone], [0.0])
        self.assertEqual(tuner.benched, [])
        both = found.early_config_prune([Config("gemm_f16", index) for index in (0, 72)], {})
        self.assertEqual([tuner._bench(config=config)[0] for config in both], [1.0, 1.0])

    def test_hooks_after_compiling(self):
        entry = ENTRIES["gemm_f16", 0]
        launch = {"grid": tuple(entry["grid"]), "scalars": tuple(entry["params"])}
        asm = {index: {"ptx": compiled("gemm_f16", index).ptx} for index in (0, 1)}
        asm["other"] = {"ptx": asm[0]["ptx"].replace("0f00000000", "0f3F800000")}
        key = autotune.key_function(CHECKER, **launch)
        self.assertEqual(key(asm[0]), key(asm[1]))
        predicate = autotune.ir_predicate(CHECKER, **launch)
        self.assertEqual([predicate(name, asm[name]) for name in (0, 1, "other")], [True, True, False])
        self.assertEqual(predicate.pruned, ["other"])
        self.assertEqual(set(predicate.classes), {0, 1, "other"})
        handed = autotune.ir_predicate(CHECKER, reference=asm["other"], **launch)
        self.assertEqual([handed(name, asm[name]) for name in (0, "other")], [False, True])


if __name__ == "__main__":
    unittest.main()
