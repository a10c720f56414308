"""check_examples.py EXAMPLES: every kernel of the examples on the OpenCL device, bit for bit against numpy, in both versions.

An example without a row here is an error: a new one needs its expected result. The foreign judges see each module first.
"""

import dataclasses
import os
import subprocess
import sys
import tempfile
import typing

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Examples"))
from elementary import expf

F32 = np.float32


def floats(*shape, seed=1):
    """Numbers of all magnitudes, a few subnormal, so that each rounding counts."""
    random = np.random.default_rng(seed)
    return (random.normal(size=shape) * np.exp2(random.integers(-4, 4, size=shape))).astype(F32)


@dataclasses.dataclass
class Launch:
    """`arguments` are arrays, which the kernel may change, and numbers; `expected` maps an argument's position to its end."""
    grid: str
    block: str
    arguments: list
    expected: typing.Dict[int, np.ndarray]
    shared: int = 0
    versions: typing.Tuple[str, ...] = ("1.0", "1.4")
    judge: typing.Tuple[str, ...] = ()


def vadd():
    a, b = floats(1000), floats(1000, seed=2)
    a[:3], b[:3] = (1e-45, -0.0, np.inf), (1e-45, -0.0, -np.inf)
    return Launch("4", "256", [a, b, np.zeros(1024, F32), np.int32(1000)], {2: np.append(a + b, np.zeros(24, F32))})


def saxpy():
    x, y, alpha = floats(1000), floats(1000, seed=2), F32(1.1)
    return Launch("4", "256", [alpha, x, y, np.int32(1000)], {2: alpha * x + y})


def dot():
    a, b = floats(1000), floats(1000, seed=2)
    sums = np.append(a * b, np.zeros(24, F32)).reshape(4, 256)
    while sums.shape[1] > 1:
        sums = sums[:, ::2] + sums[:, 1::2]
    return Launch("4", "256", [a, b, np.zeros(4, F32), np.int32(1000)], {2: sums.ravel()})


def row_sum():
    data = floats(5, 700)
    sums = np.zeros(5, F32)
    for row in range(5):
        partial = np.zeros(256, F32)
        for column in range(700):
            partial[column % 256] += data[row, column]
        for value in partial:
            sums[row] += value
    return Launch("5", "256", [data, np.zeros(5, F32), np.int32(5), np.int32(700)], {1: sums})


def pipelined_row_sum():
    data, sums = floats(14, 256), np.zeros(14, F32)
    for column in data.T:
        sums += column
    return Launch("1", "64", [data, np.zeros(14, F32), np.int32(14)], {1: sums})


def dynamic_view():
    size, n = 64, 200
    data = floats(n)
    output, origin = np.zeros(n, F32), np.zeros(n, np.uint32)
    for i in range(n):
        other = i // size * size + size - 1 - i % size
        if other < n:
            output[i], origin[i] = data[other], other
    return Launch("4", str(size), [data, np.zeros(n, F32), np.zeros(n, np.uint32), np.int32(n)], {1: output, 2: origin},
                  shared=8 * size)


def stencil2d():
    data, rate = floats(50, 70), F32(0.3)
    result = data.copy()
    around = ((data[1:-1, :-2] + data[1:-1, 2:]) + data[:-2, 1:-1]) + data[2:, 1:-1]
    inside = data[1:-1, 1:-1]
    result[1:-1, 1:-1] = inside + rate * (F32(0.25) * around - inside)
    return Launch("5,4", "16,16", [data, np.zeros_like(data), np.int32(70), np.int32(50), rate], {1: result})


def transpose():
    data = floats(70, 50)
    return Launch("2,3", "32,8", [data, np.zeros((50, 70), F32), np.int32(70), np.int32(50)], {1: data.T.copy()})


def layer_norm():
    rows, columns, input_stride, output_stride = 5, 67, 70, 69
    data, weight, bias = floats(rows, input_stride), floats(columns, seed=2), floats(columns, seed=3)
    epsilon, result = F32(1e-5), np.zeros((rows, output_stride), F32)
    for row in range(rows):
        values = data[row, :columns]

        def mean_of(terms):
            lanes = np.zeros(32, F32)
            for column in range(columns):
                lanes[column % 32] += terms[column]
            while lanes.size > 1:
                lanes = lanes[::2] + lanes[1::2]
            return lanes[0] / F32(columns)

        centred = values - mean_of(values)
        scale = F32(1) / np.sqrt(mean_of(centred * centred) + epsilon)
        result[row, :columns] = centred * scale * weight + bias
    counts = [np.int32(count) for count in (rows, columns, input_stride, output_stride)]
    # An ordered sum over a subgroup is made of shuffles, which 1.0 has not, and of ctz, which upstream has not.
    return Launch("3", "64", [data, weight, bias, np.zeros_like(result), *counts, epsilon], {3: result},
                  versions=("1.4",), judge=("--no-upstream", "--only=1.4"))


def softmax():
    rows, columns, input_stride, output_stride = 5, 67, 70, 69
    data, result = floats(rows, input_stride), np.zeros((rows, output_stride), F32)
    x = data[:, :columns]
    powers = expf("mettle", x - x.max(axis=1, keepdims=True))
    for row in range(rows):
        lanes = np.zeros(32, F32)
        for column in range(columns):
            lanes[column % 32] += powers[row, column]
        while lanes.size > 1:
            lanes = lanes[::2] + lanes[1::2]
        result[row, :columns] = powers[row] * (F32(1) / lanes[0])
    counts = [np.int32(count) for count in (rows, columns, input_stride, output_stride)]
    return Launch("3", "64", [data, np.zeros_like(result), *counts], {1: result}, versions=("1.4",),
                  judge=("--no-upstream", "--only=1.4"))


LAUNCHES = [layer_norm, softmax, vadd, saxpy, dot, row_sum, pipelined_row_sum, dynamic_view, stencil2d, transpose]


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def execute(name, launch, module, folder):
    """The arguments' arrays after the launch, by position."""
    texts, paths = [], {}
    for position, argument in enumerate(launch.arguments):
        if argument.ndim:
            paths[position] = os.path.join(folder, f"{position}.bin")
            argument.tofile(paths[position])
            texts.append("array:" + paths[position])
        else:
            texts.append(f"{argument.itemsize}:{int(argument.view(np.dtype(f'u{argument.itemsize}')))}")
    run("mettle-opencl-run", f"--grid={launch.grid}", f"--block={launch.block}", f"--shared={launch.shared}", module, name,
        *texts)
    return {position: np.fromfile(path, launch.arguments[position].dtype) for position, path in paths.items()}


def check(source, judge):
    name = os.path.splitext(os.path.basename(source))[0]
    launches = [launch for launch in LAUNCHES if launch.__name__ == name]
    if not launches:
        sys.exit(f"error: expected a launch of the example '{name}' in {__file__}, found none")
    launch = launches[0]()
    with tempfile.TemporaryDirectory() as folder:
        text, module = (os.path.join(folder, name + suffix) for suffix in (".mlir", ".spv"))
        run("mettle-translate", "--import-mettle", source, "-o", text)
        run("mettle-opt", "--mettle-expand-math", text, "-o", text)
        run(sys.executable, judge, text, *launch.judge)
        for version in launch.versions:
            run("mettle-translate", "--mettle-to-spirv", f"--spirv-version={version}", text, "-o", module)
            got = execute(name, launch, module, folder)
            for position, expected in launch.expected.items():
                words = np.dtype(f"u{expected.itemsize}")
                differ = got[position].view(words) != expected.ravel().view(words)
                differ &= ~((got[position] != got[position]) & (expected.ravel() != expected.ravel()))
                if differ.any():
                    at = int(np.argmax(differ))
                    sys.exit(f"error: {name}, SPIR-V {version}: argument {position}, element {at}: expected "
                             f"{expected.ravel()[at]!r}, got {got[position][at]!r} ({differ.sum()} differ)")
    print(f"{name}: equal")


def main():
    folder, judge = sys.argv[1:3]
    for file in sorted(os.listdir(folder)):
        if file.endswith(".mettle"):
            check(os.path.join(folder, file), judge)


main()
