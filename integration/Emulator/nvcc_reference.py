#!/usr/bin/env python3
"""Runs nvcc's kernels in the emulator and compares them with what numpy says of the same inputs: the order of every
addition is the kernel's, so all words must agree.

Usage: nvcc_reference.py [--only-write] METTLE_EMULATE SCRATCH_FOLDER

Writes SCRATCH_FOLDER/nvcc.jsonl, an execution set of those kernels, and replays it.

n-body and the wmma GEMM have no such reference (approximate and matrix instructions); record_on_device.py compares
them with a GPU.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

import record_on_device as record

INPUTS = pathlib.Path(__file__).resolve().parent / "Inputs"
# Draws: random, of wide range, zeros of both signs, huge. Sorting takes the longest and one draw shows its network.
DRAWS = {"bitonic": 1}


def tree(x):
    """The sum that lane 0 gets from shuffles down by 16, 8, 4, 2 and 1."""
    for offset in (16, 8, 4, 2, 1):
        x = x[..., :offset] + x[..., offset:2 * offset]
    return x[..., 0]


def block_sum(x):
    """Of blocks of 256 threads: 8 warps, whose sums go through a warp that is zero beyond them."""
    warps = tree(x.reshape(x.shape[:-1] + (8, 32)))
    return tree(np.concatenate([warps, np.zeros(warps.shape[:-1] + (24,), np.float32)], axis=-1))


def reduction(x):
    value = np.zeros(65536, np.float32)
    for part in x.reshape(16, 65536):
        value = value + part
    partial = block_sum(value.reshape(256, 256))
    total = block_sum(np.float32(0) + partial)
    return [partial, np.float32(total), np.uint32(0)]


def warp_scan(x):
    for offset in (1, 2, 4, 8, 16):
        shifted = x.copy()
        shifted[..., offset:] = x[..., offset:] + x[..., :-offset]
        x = shifted
    return x


def scan(x):
    value = warp_scan(x.reshape(1024, 32, 32))
    sums = warp_scan(value[:, :, 31])
    value[:, 1:, :] = value[:, 1:, :] + sums[:, :-1, None]
    return [value]


REFERENCES = {
    "transpose": lambda x: [np.ascontiguousarray(x.reshape(1024, 1024).T)],
    "reduction": reduction,
    "scan": scan,
    "histogram": lambda x: [np.bincount(x.view(np.uint32) >> 20 & 255, minlength=256).astype(np.uint32)],
    "bitonic": lambda x: [np.sort(x.view(np.uint32))],
}


class Reference:
    """Stands for the GPU's driver in record_on_device.record."""

    def load(self, ptx, entry, dynamic_shared):
        return REFERENCES[entry]

    def launch(self, reference, grid, threads, dynamic_shared, arguments):
        arrays = [a for a in arguments if isinstance(a, bytearray)]
        with np.errstate(over="ignore", invalid="ignore"):
            results = reference(np.frombuffer(bytes(arrays[0]), np.float32))
        for array, result in zip(arrays[1:], results):
            array[:] = result.tobytes()


def main():
    only_write = sys.argv[1] == "--only-write"
    emulate, scratch = sys.argv[-2], pathlib.Path(sys.argv[-1])
    scratch.mkdir(parents=True, exist_ok=True)
    lines = []
    for launch in json.loads((INPUTS / "launches.json").read_text()):
        if launch["entry"] in REFERENCES:
            lines.append(json.dumps(record.record(Reference(), INPUTS, launch, DRAWS.get(launch["entry"], 4), 0)))
    if len(lines) != len(REFERENCES):
        sys.exit("expected a launch for every reference")
    written = scratch / "nvcc.jsonl"
    written.write_text("\n".join(lines) + "\n")
    if not only_write:
        sys.exit(subprocess.run([emulate, "replay", str(written), f"--ptx={INPUTS}"]).returncode)


if __name__ == "__main__":
    main()
