"""Kernels in Triton that compute rows, columns and products, each in several configurations.

Compiled with two versions of Triton and with other unrolling they give different PTX of the same source;
compile.py does that. Sizes are powers of two and tails; names say what is summed.
"""

import triton
import triton.language as tl


@triton.jit
def row_sum(x, out, columns, BN: tl.constexpr, UNROLL: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BN)
    total = tl.zeros([BN], tl.float32)
    for start in tl.range(0, columns, BN, loop_unroll_factor=UNROLL):
        total += tl.load(x + row * columns + start + lanes, mask=start + lanes < columns, other=0.0).to(tl.float32)
    tl.store(out + row, tl.sum(total, 0))


@triton.jit
def column_sum(x, out, rows, columns, BM: tl.constexpr, BN: tl.constexpr, UNROLL: tl.constexpr):
    column = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], tl.float32)
    for start in tl.range(0, rows, BM, loop_unroll_factor=UNROLL):
        row = start + tl.arange(0, BM)
        inside = (row[:, None] < rows) & (column[None, :] < columns)
        total += tl.load(x + row[:, None] * columns + column[None, :], mask=inside, other=0.0).to(tl.float32)
    tl.store(out + column, tl.sum(total, 0), mask=column < columns)


@triton.jit
def softmax(x, out, columns, BN: tl.constexpr, UNROLL: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BN)
    value = tl.load(x + row * columns + lanes, mask=lanes < columns, other=-float("inf")).to(tl.float32)
    value = tl.exp(value - tl.max(value, 0))
    value = value / tl.sum(value, 0)
    tl.store(out + row * columns + lanes, value.to(out.dtype.element_ty), mask=lanes < columns)


@triton.jit
def layernorm(x, weight, bias, out, columns, BN: tl.constexpr, UNROLL: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BN)
    inside = lanes < columns
    value = tl.load(x + row * columns + lanes, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(value, 0) / columns
    centred = tl.where(inside, value - mean, 0.0)
    variance = tl.sum(centred * centred, 0) / columns
    scale = 1.0 / tl.sqrt(variance + 1e-5)
    w = tl.load(weight + lanes, mask=inside, other=0.0).to(tl.float32)
    b = tl.load(bias + lanes, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + row * columns + lanes, (centred * scale * w + b).to(out.dtype.element_ty), mask=inside)


@triton.jit
def product(a, b, out, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, UNROLL: tl.constexpr):
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    column = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros([BM, BN], tl.float32)
    for start in tl.range(0, k, BK, loop_unroll_factor=UNROLL):
        left = tl.load(a + row[:, None] * k + start + inner[None, :],
                       mask=(row[:, None] < m) & (start + inner[None, :] < k), other=0.0)
        right = tl.load(b + (start + inner[:, None]) * n + column[None, :],
                        mask=(start + inner[:, None] < k) & (column[None, :] < n), other=0.0)
        total = tl.dot(left, right, total)
    tl.store(out + row[:, None] * n + column[None, :], total.to(out.dtype.element_ty),
             mask=(row[:, None] < m) & (column[None, :] < n))


#: kernel -> (types of its arguments, values of its scalars, grid, configurations)
KERNELS = {
    "row_sum": (["*fp16", "*fp32", "i32"], {"columns": 1000}, lambda c: [64],
                [dict(BN=b, num_warps=w) for b, w in ((128, 1), (128, 4), (256, 2), (512, 4), (1024, 8))]),
    "column_sum": (["*fp32", "*fp32", "i32", "i32"], {"rows": 500, "columns": 200}, lambda c: [-(-200 // c["BN"])],
                   [dict(BM=m, BN=n, num_warps=w) for m, n, w in ((32, 16, 1), (32, 32, 4), (64, 16, 4), (128, 8, 2))]),
    "softmax": (["*fp16", "*fp16", "i32"], {"columns": 1000}, lambda c: [64],
                [dict(BN=1024, num_warps=w) for w in (1, 2, 4, 8)]),
    "layernorm": (["*fp16", "*fp16", "*fp16", "*fp16", "i32"], {"columns": 1000}, lambda c: [64],
                  [dict(BN=1024, num_warps=w) for w in (1, 2, 4, 8)]),
    "product": (["*fp16", "*fp16", "*fp16", "i32", "i32", "i32"], {"m": 128, "n": 128, "k": 256},
                lambda c: [128 // c["BM"], 128 // c["BN"]],
                [dict(BM=m, BN=n, BK=k, num_warps=w, num_stages=s) for m, n, k, w, s in
                 ((32, 32, 32, 4, 1), (32, 64, 32, 4, 3), (64, 64, 32, 4, 2), (64, 64, 64, 4, 3), (128, 64, 64, 8, 3))]),
}
FUNCTIONS = {name: globals()[name] for name in KERNELS}
