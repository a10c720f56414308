"""How fast the emulator runs kernels, and how much faster than the interpreter of our own language.

Active-lane instructions a second on one core, processor time, every check on, against what was asked for: see
emulate_kernels.cpp for the kernels. Then saxpy of examples/ through the emulator and through the interpreter:
processor time of a launch, without what a launch of a single block takes. GPGPU-Sim is no peer: its build needs a CUDA
toolkit of at most version 11.
"""

import json
import subprocess

from timing import BenchmarkError, Result, paired_medians

# Lane instructions a second that were asked for.
ASKED = {"saxpy": 2e9, "reduction": 2e9, "strided saxpy": 1e9}
ELEMENTS = 1 << 22


def kernels(options) -> list:
    program = options.build / "benchmarks" / "emulate-kernels"
    if not program.exists():
        raise BenchmarkError(f"expected the program {program}, found none")
    best = {}
    for _ in range(max(options.runs // 4, 1)):
        run = subprocess.run([str(program), '"checks": true'], capture_output=True, text=True, check=False)
        if run.returncode:
            raise BenchmarkError(run.stderr.strip().splitlines()[0])
        for line in map(json.loads, run.stdout.splitlines()):
            key = line["kernel"], line["isa"]
            best[key] = max(best.get(key, 0), line["lane_instructions_per_second"])
    chosen = next(isa for isa in ("avx512", "avx2", "portable") if ("saxpy", isa) in best)
    return [Result(f"{kernel}, checked, {chosen}", f"{best[kernel, chosen] / 1e9:.2f} G/s", "asked for",
                   f"{asked / 1e9:.0f} G/s", best[kernel, chosen] / asked, "at least", 1)
            for kernel, asked in ASKED.items()]


def against_interpreter(options) -> Result:
    def command(device, blocks):
        return [str(options.mettle), "run", str(options.source / "examples" / "saxpy.mettle"), f"--device={device}",
                f"--grid={blocks}", "--block=256", "--arg=2", f"--arg=f32[{ELEMENTS}]=ones",
                f"--arg=f32[{ELEMENTS}]=ones", f"--arg={ELEMENTS}"]

    whole = ELEMENTS // 256
    times = paired_medians([command(device, blocks) for device in ("emulate", "interp") for blocks in (1, whole)],
                           options.runs, "cpu")
    ours, theirs = times[1] - times[0], times[3] - times[2]
    if ours <= 0:
        raise BenchmarkError("the launch took no longer than one of a single block: the machine is too busy")
    return Result(f"saxpy of {ELEMENTS} elements", f"{ours * 1e3:.0f} ms", "interpreter", f"{theirs * 1e3:.0f} ms",
                  theirs / ours)


def measure(options) -> list:
    return [*kernels(options), against_interpreter(options)]
