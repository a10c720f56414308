#!/usr/bin/env python3
"""Prunes a Triton kernel's configurations by bits, with the Triton that runs this and no GPU.

    prune.py LIBRARY

Compiles a row sum in eight configurations for sm_90 inside `early_config_prune` and checks what is kept: those
that differ from the first in num_stages alone, which changes no bit of a sum.
"""

import pathlib
import sys

import triton
import triton.language as tl

sys.path.insert(0, str(pathlib.Path(__file__).parents[4] / "python"))
from mettle import autotune, checker  # noqa: E402

CONFIGS = [triton.Config({"BLOCK": block}, num_warps=warps, num_stages=stages)
           for block in (256, 512) for warps in (1, 4) for stages in (2, 3)]


class Tensor:
    """What a compiler asks of one."""
    dtype = "torch.float32"

    def data_ptr(self):
        return 256


@triton.jit
def row_sum(x, y, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, N, BLOCK):
        k = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * N + k, mask=k < N, other=0.0)
    tl.store(y + row, tl.sum(total, 0))


def main():
    pruner = autotune.BitEquivalent(checker.Checker(sys.argv[1]), autotune.TritonCompiler(row_sum, (64,)))
    tuner = triton.autotune(CONFIGS, key=["N"],
                            prune_configs_by={"early_config_prune": pruner.early_config_prune})(row_sum)
    pruner.attach(tuner)
    tuner.nargs = {"x": Tensor(), "y": Tensor(), "N": 4096}
    kept = tuner.prune_configs({})
    for config in CONFIGS:
        print("kept  " if config in kept else "pruned", pruner.classes[config], config)
    assert kept == CONFIGS[:2] and len(set(pruner.classes.values())) == 4


main()
