"""Compile speed: `mettle --emit-ptx` as a whole process, against nvcc and a C compiler of the same language.

Peers: `nvcc -ptx` of the same kernel in CUDA C++, and the compiler given by --peer-compiler (the C
compiler that the language document describes). And how the time grows with the length of a file
and of a kernel; start-up, the time of the smallest kernel, is taken off before the exponent.
SPIR-V is compared with PTX from the same source: on 3,000 lines, and on the smallest kernel, where
registering the operations of upstream's spirv dialect is most of the difference.
"""

import pathlib
import shutil
import tempfile

from kernel_source import long_kernel, many_kernels
from timing import Result, growth_exponent, milliseconds, paired_medians

VADD_CUDA = """extern "C" __global__ void vadd(float *a, float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
"""
SMALLEST = "kernel nothing() {\n}\n"


def against_peers(options, folder: pathlib.Path) -> list:
    """One row a peer that is here; the vadd of examples/."""
    source = options.source / "examples" / "vadd.mettle"
    ours = [str(options.mettle), "--emit-ptx", "--gpu-arch=sm_90a", str(source), "-o", str(folder / "ours.ptx")]
    rows = []
    nvcc = shutil.which("nvcc")
    if nvcc:
        (folder / "vadd.cu").write_text(VADD_CUDA)
        theirs = [nvcc, "-ptx", "-arch=sm_90a", str(folder / "vadd.cu"), "-o", str(folder / "nvcc.ptx")]
        mine, other = paired_medians([ours, theirs], max(3, options.runs // 5), options.clock)
        rows.append(Result("vadd, whole process", milliseconds(mine), "nvcc -ptx", milliseconds(other), other / mine,
                           "at least", 80))
    else:
        print("compile-speed: nvcc is not on PATH, so it is not compared")
    if options.peer_compiler:
        theirs = [options.peer_compiler, "--emit-ptx", str(source), "-o", str(folder / "peer.ptx")]
        mine, other = paired_medians([ours, theirs], options.runs, options.clock)
        rows.append(Result("vadd, whole process", milliseconds(mine), pathlib.Path(options.peer_compiler).name,
                           milliseconds(other), other / mine, "at least", 1 / 1.5))
    else:
        print("compile-speed: no --peer-compiler given, so none is compared")
    return rows


def against_ptx(options, folder: pathlib.Path) -> list:
    """SPIR-V from the same sources: a long file and a kernel of a few lines."""
    rows = []
    long_file = folder / "long.mettle"
    long_file.write_text(many_kernels(3000))
    for what, path in (("3,000 lines to SPIR-V", long_file),
                       ("vadd to SPIR-V", options.source / "examples" / "vadd.mettle")):
        ptx = [str(options.mettle), "--emit-ptx", "--gpu-arch=sm_90a", str(path), "-o", str(folder / "x.ptx")]
        spirv = [str(options.mettle), "--emit-spirv", str(path), "-o", str(folder / "x.spv")]
        mine, other = paired_medians([spirv, ptx], options.runs, options.clock)
        rows.append(Result(what, milliseconds(mine), "mettle --emit-ptx", milliseconds(other), mine / other,
                           "at most", 1.2))
    return rows


def growth(options, folder: pathlib.Path, what: str, write, sizes: list) -> Result:
    """The exponent with which compile time grows over `sizes`."""
    commands = []
    for size, text in [(0, SMALLEST)] + [(size, write(size)) for size in sizes]:
        path = folder / f"{write.__name__}{size}.mettle"
        path.write_text(text)
        commands.append([str(options.mettle), "--emit-ptx", "--gpu-arch=sm_90a", str(path), "-o",
                         str(folder / "grown.ptx")])
    start_up, *times = paired_medians(commands, max(3, options.runs // 5), options.clock)
    points = [(size, seconds - start_up) for size, seconds in zip(sizes, times)]
    return Result(f"{what}: {sizes[0]} to {sizes[-1]}", f"{milliseconds(times[0])} to {milliseconds(times[-1])}",
                  "time ~ length^r", "", growth_exponent(points), "at most", 1.1)


def measure(options) -> list:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return against_peers(options, folder) + against_ptx(options, folder) + [
            growth(options, folder, "lines of a file", many_kernels, [300, 600, 1200, 2000, 3000]),
            growth(options, folder, "statements of a kernel", long_kernel, [1000, 2000, 4000, 7000, 10000, 14000]),
        ]
