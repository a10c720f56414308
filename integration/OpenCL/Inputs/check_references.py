"""check_references.py: whether exact.py rounds as rational arithmetic does, since everything else is compared with it."""

import math
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np

import exact
from operands import operands

# Digits, least and largest exponent of a normal number.
FORMATS = {np.float16: (11, -14, 15), ml_dtypes.bfloat16: (8, -126, 127), np.float32: (24, -126, 127)}


def rounded(value, digits, least, largest, mode):
    """The number of the format next to a rational one, or an infinity."""
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if Fraction(2) ** exponent > magnitude:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, least) - digits + 1)
    count, rest = divmod(magnitude / unit, 1)
    negative = value < 0
    count += {"rte": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and count % 2 == 1), "rtz": False,
              "rtp": rest > 0 and not negative, "rtn": rest > 0 and negative}[mode]
    result = count * unit
    most = (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** largest
    if result > most:
        grows = mode == "rte" or mode == ("rtn" if negative else "rtp")
        result = math.inf if grows else most
    return float(-result if negative else result)


def wrong_roundings(kind, wide, mode, count):
    values = operands(wide, count, 1).view({"f32": np.float32, "f64": np.float64}[wide])
    random = np.random.default_rng(2)
    scaled = random.normal(size=count) * np.exp2(random.integers(-40, 20, size=count))
    values = np.concatenate([values, scaled.astype(values.dtype)])
    got = exact.round_to(values, kind, mode).astype(np.float64)
    finite = np.isfinite(values)
    expected = [rounded(Fraction(v), *FORMATS[kind], mode) for v in values[finite].tolist()]
    kept = np.isnan(got[np.isnan(values)]).all() and (got[np.isinf(values)] == values[np.isinf(values)]).all()
    return int((got[finite] != np.array(expected)).sum()) + (not kept)


def wrong_products(count):
    a, b, c = (operands("f16", count, seed).view(np.float16) for seed in (1, 2, 3))
    finite = np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    got = exact.fma(a, b, c)[finite].astype(np.float64)
    rational = (Fraction(x) * Fraction(y) + Fraction(z) for x, y, z in zip(*(v[finite].tolist() for v in (a, b, c))))
    return int((got != np.array([rounded(v, *FORMATS[np.float16], "rte") for v in rational])).sum())


def main():
    count = int(sys.argv[1])
    faults = 0
    with np.errstate(all="ignore"):
        for kind in FORMATS:
            for wide in ("f32", "f64"):
                if kind != np.float32 or wide == "f64":
                    faults += sum(wrong_roundings(kind, wide, mode, count) for mode in ("rte", "rtz", "rtp", "rtn"))
        faults += wrong_products(count)
    print(f"{faults} roundings differ")
    sys.exit(faults != 0)


main()
