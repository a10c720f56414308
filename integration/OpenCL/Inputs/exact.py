"""What numpy does not have with one rounding: fused multiply-add, directed rounding, extrema of IEEE 754-2019."""

import ctypes
import ctypes.util

import ml_dtypes
import numpy as np

LIBM = ctypes.CDLL(ctypes.util.find_library("m"))
for name, kind in (("fma", ctypes.c_double), ("fmaf", ctypes.c_float)):
    getattr(LIBM, name).restype = kind
    getattr(LIBM, name).argtypes = [kind] * 3


def fma(a, b, c):
    if a.dtype == np.float16:
        return round_to(exact_sum_to_odd(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)), np.float16, "rte")
    function = LIBM.fmaf if a.dtype == np.float32 else LIBM.fma
    return np.array([function(x, y, z) for x, y, z in zip(a.tolist(), b.tolist(), c.tolist())], dtype=a.dtype)


def exact_sum_to_odd(x, y):
    """x + y in f64, odd in the last place where it is inexact (the error is Knuth's, exact)."""
    total = x + y
    part = total - x
    error = (x - (total - part)) + (y - part)
    inexact = np.isfinite(total) & (error != 0) & (total.view(np.uint64) & 1 == 0)
    toward = np.where(error > 0, np.inf, -np.inf)
    return np.where(inexact, np.nextafter(total, toward), total)


def next_word(value, up):
    """The neighbour of each number above or below it, by its bits: ml_dtypes has no nextafter for all."""
    words = np.dtype(f"u{value.dtype.itemsize}")
    bits = value.view(words)
    sign = words.type(1 << (8 * value.dtype.itemsize - 1))
    negative = bits & sign != 0
    grows = negative != up
    zero = bits & ~sign == 0
    one = words.type(1)
    step = np.where(grows, bits + one, bits - one)
    smallest = np.where(up, one, sign | one).astype(words)
    return np.where(zero, smallest, step).astype(words).view(value.dtype)


def round_to(value, kind, mode):
    """f32 or f64 in a narrower format: to nearest even, toward zero, up or down."""
    wide = value.astype(np.float64)
    if kind == ml_dtypes.bfloat16:
        nearest = f64_to_bf16(wide)
    else:
        nearest = wide.astype(kind)
    if mode == "rte":
        return nearest
    back = nearest.astype(np.float64)
    above, below = back > wide, back < wide
    if mode == "rtz":
        above, below = above & (wide > 0), below & (wide < 0)
    else:
        above, below = above & (mode == "rtn"), below & (mode == "rtp")
    result = np.where(above, next_word(nearest, False).view(nearest.dtype), nearest)
    return np.where(below, next_word(nearest, True).view(nearest.dtype), result).astype(kind)


def f64_to_bf16(wide):
    """One rounding: f32 to odd first, for ml_dtypes goes through f32."""
    with np.errstate(all="ignore"):
        single = wide.astype(np.float32)
    bits = single.view(np.uint32)
    back = single.astype(np.float64)
    inexact = np.isfinite(wide) & (back != wide)
    # Toward zero, then odd.
    bits = np.where(inexact & (np.abs(back) > np.abs(wide)), bits - np.uint32(1), bits)
    bits = np.where(inexact, bits | np.uint32(1), bits)
    return bits.view(np.float32).astype(ml_dtypes.bfloat16)


def maximum(a, b, sign=1):
    """arith.maximumf: NaN if one is, and +0 above -0; with sign -1 the minimum."""
    words = np.dtype(f"u{a.dtype.itemsize}")
    merge = np.bitwise_and if sign > 0 else np.bitwise_or
    equal = merge(a.view(words), b.view(words)).view(a.dtype)
    larger = np.where(a > b if sign > 0 else a < b, a, b)
    result = np.where(a == b, equal, larger)
    return np.where((a != a) | (b != b), np.array(np.nan, a.dtype), result).astype(a.dtype)
