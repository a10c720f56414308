"""Emission takes time in proportion to length, for each way in which a module can be long.

Every shape is made in two sizes, one eight times the other, and translated from bytecode; CPU time of
the best of three runs counts. Quadratic time would be 64 times as much; more than 24 fails, which
leaves room for caches and for a busy machine.
"""

import resource
import subprocess
import sys
import tempfile

SMALL, FACTOR, LIMIT = 10000, 8, 24.0


def straight(n):
    """One block of n instructions."""
    yield "ptx.entry @k(%p: !ptx.b64, %v0: !ptx.b32) {"
    for i in range(n):
        yield f"  %v{i + 1} = ptx.inst fma.rn.f32 %v{i}, %v0, %v{i // 2}"
    yield f"  ptx.inst st.global.b32 %p, 0, %v{n}\n  ptx.ret\n}}"


def blocks(n):
    """n / 2 blocks that swap two registers."""
    last = n // 2 - 1
    yield "ptx.entry @k(%a: !ptx.b32, %b: !ptx.b32) {\n  %q = ptx.inst setp.lt.s32 %a, %b"
    yield "  ptx.bra ^b0(%a, %b : !ptx.b32, !ptx.b32)"
    for i in range(last + 1):
        yield f"^b{i}(%x{i}: !ptx.b32, %y{i}: !ptx.b32):"
        swapped = f"(%y{i}, %x{i} : !ptx.b32, !ptx.b32)"
        yield f"  ptx.cond_bra %q, ^b{min(i + 1, last)}{swapped}, ^b{last // 2}{swapped}"
    yield "}"


def arguments(n):
    """A loop that rotates n registers."""
    names = [f"%x{i}" for i in range(n)]
    types = ", ".join(["!ptx.b32"] * n)
    yield "ptx.entry @k(%a: !ptx.b32) {"
    yield f"  ptx.bra ^loop({', '.join(['%a'] * n)} : {types})"
    yield f"^loop({', '.join(name + ': !ptx.b32' for name in names)}):"
    yield f"  ptx.bra ^loop({', '.join(names[1:] + names[:1])} : {types})\n}}"


def functions(n):
    """n / 4 functions, each called."""
    yield "ptx.func @f0(%a: !ptx.b32) -> !ptx.b32 {\n  ptx.ret %a : !ptx.b32\n}"
    for i in range(1, n // 4):
        yield f"ptx.func @f{i}(%a: !ptx.b32) -> !ptx.b32 {{"
        yield f"  %0 = ptx.call @f{i - 1}(%a) : (!ptx.b32) -> !ptx.b32\n  ptx.ret %0 : !ptx.b32\n}}"


def storage(n):
    """n / 2 static allocations."""
    yield "ptx.entry @k(%a: !ptx.b32) {"
    for i in range(n // 2):
        yield f"  %s{i} = ptx.shared 4 align 4\n  ptx.inst st.shared.b32 %s{i}, 0, %a"
    yield "  ptx.ret\n}"


def locations(n):
    """n instructions, each of another line, in 100 files."""
    yield "ptx.entry @k(%a: !ptx.b32) {"
    for i in range(n):
        yield f'  ptx.inst add.s32 %a, %a loc("file{i % 100}":{i}:1)'
    yield "  ptx.ret\n}"


def seconds(path):
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(["mettle-translate", "--ptx-to-text", "-g", path, "-o", "/dev/null"], check=True)
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return min(times)


def main():
    failed = False
    for shape in (straight, blocks, arguments, functions, storage, locations):
        times = []
        for size in (SMALL, SMALL * FACTOR):
            with tempfile.NamedTemporaryFile(suffix=".mlirbc") as file:
                subprocess.run(["mettle-opt", "--emit-bytecode", "-o", file.name], input="\n".join(shape(size)) + "\n",
                               text=True, check=True)
                times.append(seconds(file.name))
        ratio = times[1] / max(times[0], 0.01)
        failed |= ratio > LIMIT
        print(f"{shape.__name__}: {times[0]:.3f} s, {times[1]:.3f} s for {FACTOR} times the length, ratio {ratio:.1f}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
