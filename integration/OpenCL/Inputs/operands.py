"""Operands that break arithmetic: specials of each type, then words of which a quarter is subnormal."""

import ml_dtypes
import numpy as np

FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16}
WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "f32": 32, "f64": 64, "bf16": 16}
FRACTIONS = {"f16": 10, "f32": 23, "f64": 52, "bf16": 7}


def word_type(element):
    return np.dtype(f"u{WIDTHS[element] // 8}")


def specials(element):
    """Words of one type at which something changes."""
    width = WIDTHS[element]
    if element not in FRACTIONS:
        values = {0, 1, 2, 3, 1 << (width - 1), (1 << (width - 1)) - 1, (1 << width) - 1, (1 << width) - 2}
        return sorted(values | {1 << bit for bit in range(width)})
    fraction = FRACTIONS[element]
    one = ((1 << (width - 2 - fraction)) - 1) << fraction
    infinity = ((1 << (width - 1 - fraction)) - 1) << fraction
    values = {0, 1, 2, (1 << fraction) - 1, 1 << fraction, one, one + 1, one - 1, one + (1 << fraction),
              infinity, infinity - 1, infinity + 1, infinity + (1 << (fraction - 1)), one + (3 << (fraction - 1))}
    return sorted(values | {value | 1 << (width - 1) for value in values})


def operands(element, count, seed):
    """`count` words: pairs of specials first, in an order of the seed's, then random ones."""
    random = np.random.default_rng(seed)
    words = word_type(element)
    table = np.array(specials(element), dtype=words)
    result = random.integers(0, 1 << WIDTHS[element], size=count, dtype=np.uint64).astype(words)
    if element in FRACTIONS:
        kind = random.integers(0, 4, size=count)
        fraction = words.type((1 << FRACTIONS[element]) - 1)
        sign = words.type(1 << (WIDTHS[element] - 1))
        result[kind == 0] &= fraction | sign
        near = random.normal(size=count).astype(FLOATS[element]).view(words)
        result[kind == 1] = near[kind == 1]
    # The first operand runs over the table fastest, the second slowest.
    index = np.arange(min(count // 2, len(table) ** 2))
    result[index] = table[(index // len(table) ** (seed % 2)) % len(table)]
    return result
