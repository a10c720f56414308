#!/usr/bin/env python3
"""Recovers the coefficient tables of an NVIDIA GPU's multi-function unit from its outputs.

Usage: fit_mufu_tables.py FOLDER > lib/Numerics/MultiFunctionTables.inc

FOLDER holds what `mettle-approximate-sweep dump FOLDER` wrote on the GPU: for each function the
words it returned for every significand of the binades listed below, MNEMONIC.EXPONENT.u32 (2^23
little-endian words) or the same file compressed, with .xz added. Needs numpy.

The unit computes, per table row, V = c0 << s0 + c1 * x + (c2 * square(x) << s2) + K with the 17 bits
x below the row index and a truncated square (docs/approximate-functions.md), and truncates V. Every
output word therefore bounds V from both sides, and a row is any integer (c0, c1, c2) within all
bounds. The search is exact: least squares finds the neighbourhood, integer arithmetic over every
point decides. K is common to a table: c0 << s0 + K is bounded for every row, so the rows' bounds
modulo 2^s0 have to meet. The script prints nothing unless each row and K are the only solution.
"""

import lzma
import os
import sys

import numpy as np

FRACTION = np.arange(1 << 23, dtype=np.int64)


def words(folder, mnemonic, exponent):
    path = os.path.join(folder, f"{mnemonic}.{exponent}.u32")
    opened = open(path, "rb") if os.path.exists(path) else lzma.open(path + ".xz")
    with opened as file:
        return np.frombuffer(file.read(), "<u4").astype(np.int64)


def square(x):
    """The unit's square of 17 bits, in units of 2^19: partial products below 2^18 do not exist."""
    high, low = x >> 9, x & 511
    cross = np.zeros_like(x)
    for bit in range(8):
        cross += (high >> bit & 1) * (low >> 9 - bit)
    return (high * high >> 1) + cross


def significand(words, unit):
    """Bounds of a significand in [1, 2) * 2^23 whose truncated value is given, in 2^-unit of an ulp."""
    return words << unit, words + 1 << unit


def truncated(words, fraction):
    """Bounds, in units of 2^-fraction, of a value whose 24 leading bits a positive word gives."""
    shift = (words >> 23) - 150 + fraction
    value = words & 0x7FFFFF | 1 << 23
    low = np.where(shift >= 0, value << np.maximum(shift, 0), value >> np.minimum(np.maximum(-shift, 0), 63))
    high = np.where(shift >= 0, value + 1 << np.maximum(shift, 0), low + 1)
    return np.where(words == 0, 0, low), np.where(words == 0, 1, high)


def row_solutions(x, squares, low, high):
    """Every (c1, c2, first, last): low <= c + c1 * x + c2 * squares < high for first <= c <= last."""
    weight = 1 / (high - low)
    basis = np.stack([np.ones(len(x)), x / 2.0**17, squares / 2.0**16], 1) * weight[:, None]
    middle = ((low - low[0]) + (high - low[0])) / 2.0 * weight
    _, c1, c2 = np.linalg.lstsq(basis, middle, rcond=None)[0]
    c1, c2 = c1 / 2.0**17, c2 / 2.0**16
    # Along the valley of near solutions c1 falls by `slope` when c2 grows by one.
    dx, ds = x - x.mean(), squares - squares.mean()
    slope = (dx * ds).sum() / (dx * dx).sum()
    some = slice(None, None, max(1, len(x) // 4096))
    found = []
    for square_factor in range(int(np.floor(c2)) - 7, int(np.floor(c2)) + 9):
        centre = int(np.floor(c1 - (square_factor - c2) * slope))
        for factor in range(centre - 7, centre + 9):
            partial = factor * x[some] + square_factor * squares[some]
            if (low[some] - partial).max() >= (high[some] - partial).min():
                continue
            partial = factor * x + square_factor * squares
            first, last = int((low - partial).max()), int((high - partial).min()) - 1
            if first <= last:
                found.append((factor, square_factor, first, last))
    return found


class Table:
    """The rows that share K and the shifts; their points are added binade by binade."""

    def __init__(self, name, rows, s0, s2, rounding):
        self.name, self.rows, self.s0, self.s2, self.rounding = name, rows, s0, s2, rounding
        self.points = []

    def add(self, position, bounds, keep=slice(None)):
        """`position` holds the row in its bits 17 and up, x below."""
        low, high = bounds
        self.points.append((position[keep], low[keep], high[keep]))

    def solve(self):
        """The rows (c0, c1, c2) and how many residues of K modulo 2^s0 all rows admit."""
        position, low, high = (np.concatenate(column) for column in zip(*self.points))
        order = np.argsort(position >> 17, kind="stable")
        starts = np.searchsorted(position[order] >> 17, np.arange(self.rows + 1))
        modulus = 1 << self.s0
        residues = np.ones(modulus, bool)
        table = []
        for row in range(self.rows):
            at = order[starts[row]:starts[row + 1]]
            x = position[at] & 0x1FFFF
            found = row_solutions(x, square(x) << self.s2, low[at], high[at])
            if len(found) != 1:
                sys.exit(f"{self.name}: expected one solution of row {row}, found {len(found)}")
            c1, c2, first, last = found[0]
            here = np.zeros(modulus, bool)
            here[np.arange(first, min(last, first + modulus - 1) + 1) % modulus] = True
            residues &= here
            c0 = last - self.rounding >> self.s0
            if not first <= (c0 << self.s0) + self.rounding <= last < (c0 + 1 << self.s0) + self.rounding:
                sys.exit(f"{self.name}: no c0 of row {row} goes with the rounding constant {self.rounding:#x}")
            if (c0 - 1 << self.s0) + self.rounding >= first:
                sys.exit(f"{self.name}: c0 of row {row} is not unique")
            table.append((c0, c1, c2))
        return table, int(residues.sum())


def print_rows(name, rows):
    print(f"constexpr Coefficients {name}Rows[{len(rows)}] = {{")
    for c0, c1, c2 in rows:
        print(f"    {{{c0:#x}, {c1}, {c2}}},")
    print("};")
    sys.stdout.flush()


def print_table(table):
    rows, residues = table.solve()
    count = "the only residue" if residues == 1 else f"one of {residues} residues"
    print(f"\n// K is {count} modulo 2^{table.s0} that all rows admit.")
    print(f"constexpr Path {table.name}Path = {{{table.s0}, {table.s2}, {table.rounding:#x}}};")
    print_rows(table.name, rows)


def quadrant(turns, words):
    """Where the sine of `turns`, in units of 2^-25, is looked up, and the bounds its word gives."""
    fraction = np.where(turns >> 23 & 1, ~turns, turns) & 0x7FFFFF
    return fraction, truncated(words & 0x7FFFFFFF, 37)


def main(folder):
    print("// Generated by scripts/fit_mufu_tables.py from the outputs of an H200. Do not edit.")

    rcp = Table("rcp", 128, 14, 1, 0x8FCE)
    rcp.add(FRACTION << 1, significand(words(folder, "rcp.approx.ftz.f32", 127) - (125 << 23), 16))
    print_table(rcp)

    # 1 / sqrt(4^n) is exact and does not go through the table.
    rsqrt, sqrt = Table("rsqrt", 128, 14, 2, 0x7FFF), Table("sqrt", 128, 14, 1, 0xFFFF)
    for odd in (0, 1):
        y = words(folder, "rsqrt.approx.ftz.f32", 127 + odd) - (125 << 23)
        rsqrt.add(FRACTION | odd << 23, significand(y, 16), slice(1 - odd, None))
        y = words(folder, "sqrt.approx.ftz.f32", 127 + odd) - (126 << 23)
        sqrt.add(FRACTION | odd << 23, significand(y, 17))
    print_table(rsqrt)
    print_table(sqrt)

    ex2 = Table("ex2", 64, 13, 0, 0x77E2)
    ex2.add(FRACTION, significand(words(folder, "ex2.approx.ftz.f32", 127) - (127 << 23), 15))
    print_table(ex2)

    # Below 1 the result is the complement of 1 - V. lg2(1) does not go through the table.
    lg2 = Table("lg2", 64, 12, 1, 0x3345)
    low, high = truncated(words(folder, "lg2.approx.ftz.f32", 127), 36)
    lg2.add(FRACTION, (low << 2, high << 2), slice(1, None))
    low, high = truncated(words(folder, "lg2.approx.ftz.f32", 126) & 0x7FFFFFFF, 36)
    lg2.add(FRACTION, ((1 << 36) - high << 2, (1 << 36) - low << 2))
    print_table(lg2)

    # The argument is multiplied by 1/2pi toward zero first; the last 25 bits of the turns count.
    sin = Table("sin", 64, 11, 0, 0)
    for mnemonic, exponent, ahead in (("sin", 126, 0), ("sin", 127, 0), ("cos", 127, 1)):
        turns = (FRACTION | 1 << 23) * 0xA2F983 >> 151 - exponent
        sin.add(*quadrant(turns + (ahead << 23), words(folder, f"{mnemonic}.approx.ftz.f32", exponent)))
    print_table(sin)

    # Every binade drops low bits of its own number and has a scale of its own.
    rows, binades = [], []
    for exponent, dropped in zip(range(119, 130), (6, 6, 6, 5, 5, 4, 4, 4, 3, 2, 3)):
        fraction = 169 - exponent - dropped
        tanh = Table(f"tanh, binade {exponent}", 1 << 6 - dropped, fraction - 26, 0, 0)
        tanh.add(FRACTION >> dropped, truncated(words(folder, "tanh.approx.f32", exponent), fraction))
        binades.append((dropped, fraction, len(rows)))
        rows += tanh.solve()[0]
    print("\n// From binade 119 on: bits dropped, fraction bits of V (c0 has 26), first row. K is 0.")
    print(f"constexpr TanhBinade tanhBinades[{len(binades)}] = {{")
    print("    " + ", ".join(f"{{{dropped}, {fraction}, {first}}}" for dropped, fraction, first in binades))
    print("};")
    print_rows("tanh", rows)


if __name__ == "__main__":
    main(sys.argv[1])
