"""The GEMM evaluator's speed in one thread: billions of multiply-adds a second at 512^3.

Peer: MMA-Sim (PyPI mmasim 2.1.1, with torch, pinned to one thread), where this Python can import it;
without it the targets are rates instead of ratios. Both count processor time, the best of some runs.
"""

import re
import subprocess
import time
from importlib.metadata import version

from timing import BenchmarkError, Result

# What, descriptor, options, least rate with AVX2 (portable for the first).
TARGETS = [
    ("f16, portable", "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f32", [], "portable", 2.0),
    ("f16", "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f32", [], "avx2", 5.0),
    ("f16, 1 % specials", "gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 -> f32", ["--specials=0.01"], "avx2", 1.0),
    ("f16 output", "gemm f16*f16 fused.F25.g16.z-21.rn10.f16 k16 -> f16", [], "avx2", 1.0),
    ("bf16", "gemm bf16*bf16 fused.F25.g16.z-133.rz23.f32 k16 -> f32", [], "avx2", 1.0),
    ("tf32", "gemm tf32*tf32 fused.F25.g8.z-133.rz23.f32 k8 -> f32", [], "avx2", 1.0),
    ("fp8 wgmma", "gemm e4m3*e4m3 fused.F13.g32.z-133.rz13.f32 k32 -> f32", [], "avx2", 1.0),
    ("fp8 mma.sync", "gemm e4m3*e4m3 fusedviaf16.F25.g16.z-133.rz23.f32 k32 -> f32", [], "avx2", 0.5),
]


def rates(tool, descriptor, options, runs):
    run = subprocess.run([tool, "bench", descriptor, f"--runs={runs}", *options], capture_output=True, text=True)
    if run.returncode:
        raise BenchmarkError(run.stderr.strip())
    return {name: float(rate) for name, rate in re.findall(r"(\w+)  ([\d.]+) GMAC/s", run.stdout)}


def mmasim_rate():
    """Its name with versions, and its rate on m16n8k16 f16, at 128^3 as its memory grows with m n k; nothing where it
    is absent."""
    try:
        import torch
        from mmasim.nv_ptx import MMA
    except ImportError:
        return None
    torch.set_num_threads(1)
    operation = MMA("Hopper", "m16n8k16.f32.f16.f16.f32")
    a, b = torch.randn(128, 128).half(), torch.randn(128, 128).half()
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        c = torch.zeros(128, 128)
        for k in range(0, 128, 16):
            c = operation(a[:, k:k + 16], b[k:k + 16], c)
        best = min(best, time.process_time() - start)
    return f"mmasim {version('mmasim')}, torch {torch.__version__}", 128 ** 3 / best * 1e-9


def measure(options):
    tool = options.build / "bin" / "mettle-gemm"
    runs = max(3, options.runs // 3)
    results = []
    best = 0.0
    for what, descriptor, extra, instruction_set, target in TARGETS:
        found = rates(tool, descriptor, extra, runs)
        rate = found.get(instruction_set)
        if rate is None:
            continue
        if what == "f16":
            best = max(found.values())
        results.append(Result(what=f"{what} ({instruction_set})", ours=f"{rate:.2f} GMAC/s", peer="target",
                              theirs=f"{target:.1f} GMAC/s", ratio=rate / target, bound="at least", target=1.0))
    found = mmasim_rate()
    if found:
        peer, rate = found
        results.append(Result(what="f16 against MMA-Sim", ours=f"{best:.2f} GMAC/s", peer=peer,
                              theirs=f"{rate:.4f} GMAC/s", ratio=best / rate, bound="at least", target=400.0))
    return results
