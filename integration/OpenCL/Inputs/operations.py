"""Every operation that the SPIR-V target has, with what it must return: a table of records.

An `Operation` has the text of its MLIR with %a, %b, %c for operands of type T (and %r for its result), the type of its
result, and the reference on numpy arrays of the operands' values. Where the neutral IR gives no meaning (`defined`), any
result is taken.
"""

import dataclasses
import typing

import ml_dtypes
import numpy as np

import exact
from operands import FLOATS, WIDTHS

INTEGERS = ("i8", "i16", "i32", "i64")


@dataclasses.dataclass
class Operation:
    name: str
    text: str
    result: str
    reference: typing.Callable
    defined: typing.Callable = None


def signed(x):
    return x.view(np.dtype(f"i{x.dtype.itemsize}"))


def simple(operation, reference, count=2, result="T", suffix=""):
    operands = ", ".join(("%a", "%b", "%c")[:count])
    return Operation(operation, f"%r = {operation} {operands}{suffix} : T", result, reference)


# -- integers ----------------------------------------------------------------------------------------------------------

SAFE_DIVISOR = """%zero = arith.constant 0 : T
%ones = arith.constant -1 : T
%three = arith.constant 3 : T
%p = arith.cmpi eq, %b, %zero : T
%q = arith.cmpi eq, %b, %ones : T
%s = arith.ori %p, %q : i1
%d = arith.select %s, %three, %b : T
"""
SAFE_COUNT = """%mask = arith.constant MASK : T
%n = arith.andi %b, %mask : T
"""


def divisor(b):
    ones = b.dtype.type(~b.dtype.type(0))
    return np.where((b == 0) | (b == ones), b.dtype.type(3), b)


def truncated(a, b):
    """Quotient of signed numbers toward zero, and its remainder."""
    a, b = signed(a), signed(divisor(b))
    quotient = np.abs(a.astype(object)) // np.abs(b.astype(object))
    quotient = np.where((a < 0) != (b < 0), -quotient, quotient)
    return quotient, a.astype(object) - quotient * b.astype(object)


def wrapped(values, kind):
    bits = 8 * kind.itemsize
    return np.array([int(v) & ((1 << bits) - 1) for v in values], dtype=kind)


def count_of(a, b):
    return b & b.dtype.type(8 * b.dtype.itemsize - 1)


def bits_of(a):
    shifts = np.arange(8 * a.dtype.itemsize, dtype=a.dtype)
    return (a[:, None] >> shifts & a.dtype.type(1)).astype(bool)


def leading_zeros(a):
    table = bits_of(a)[:, ::-1]
    return np.where(table.any(1), table.argmax(1), table.shape[1]).astype(a.dtype)


def trailing_zeros(a):
    table = bits_of(a)
    return np.where(table.any(1), table.argmax(1), table.shape[1]).astype(a.dtype)


def products(a, b, is_signed):
    x, y = (signed(v) if is_signed else v for v in (a, b))
    return x.astype(object) * y.astype(object)


COMPARE_INTEGERS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "slt": lambda a, b: signed(a) < signed(b), "sle": lambda a, b: signed(a) <= signed(b),
    "sgt": lambda a, b: signed(a) > signed(b), "sge": lambda a, b: signed(a) >= signed(b),
    "ult": lambda a, b: a < b, "ule": lambda a, b: a <= b, "ugt": lambda a, b: a > b, "uge": lambda a, b: a >= b,
}


def integer_operations(element):
    bits = WIDTHS[element]
    yield simple("arith.addi", lambda a, b, c: a + b)
    yield simple("arith.subi", lambda a, b, c: a - b)
    yield simple("arith.muli", lambda a, b, c: a * b)
    yield simple("arith.andi", lambda a, b, c: a & b)
    yield simple("arith.ori", lambda a, b, c: a | b)
    yield simple("arith.xori", lambda a, b, c: a ^ b)
    yield simple("arith.maxui", lambda a, b, c: np.maximum(a, b))
    yield simple("arith.minui", lambda a, b, c: np.minimum(a, b))
    yield simple("arith.maxsi", lambda a, b, c: np.maximum(signed(a), signed(b)).view(a.dtype))
    yield simple("arith.minsi", lambda a, b, c: np.minimum(signed(a), signed(b)).view(a.dtype))
    yield Operation("arith.divui", SAFE_DIVISOR + "%r = arith.divui %a, %d : T", "T", lambda a, b, c: a // divisor(b))
    yield Operation("arith.remui", SAFE_DIVISOR + "%r = arith.remui %a, %d : T", "T", lambda a, b, c: a % divisor(b))
    yield Operation("arith.divsi", SAFE_DIVISOR + "%r = arith.divsi %a, %d : T", "T",
                    lambda a, b, c: wrapped(truncated(a, b)[0], a.dtype))
    yield Operation("arith.remsi", SAFE_DIVISOR + "%r = arith.remsi %a, %d : T", "T",
                    lambda a, b, c: wrapped(truncated(a, b)[1], a.dtype))
    count = SAFE_COUNT.replace("MASK", str(bits - 1))
    yield Operation("arith.shli", count + "%r = arith.shli %a, %n : T", "T", lambda a, b, c: a << count_of(a, b))
    yield Operation("arith.shrui", count + "%r = arith.shrui %a, %n : T", "T", lambda a, b, c: a >> count_of(a, b))
    yield Operation("arith.shrsi", count + "%r = arith.shrsi %a, %n : T", "T",
                    lambda a, b, c: (signed(a) >> signed(count_of(a, b))).view(a.dtype))
    for half, shift in (("0", 0), ("1", bits)):
        for operation, is_signed in (("arith.mulsi_extended", True), ("arith.mului_extended", False)):
            yield Operation(f"{operation}#{half}", f"%x:2 = {operation} %a, %b : T\n%r = arith.ori %x#{half}, %x#{half} : T", "T",
                            lambda a, b, c, s=shift, g=is_signed: wrapped(products(a, b, g) >> s, a.dtype))
    yield Operation("arith.addui_extended", "%x, %r = arith.addui_extended %a, %b : T, i1", "i1", lambda a, b, c: (a + b) < a)
    for predicate, reference in COMPARE_INTEGERS.items():
        yield Operation(f"arith.cmpi {predicate}", f"%r = arith.cmpi {predicate}, %a, %b : T", "i1",
                        lambda a, b, c, f=reference: f(a, b))
    yield Operation("arith.select", "%p = arith.cmpi ult, %a, %b : T\n%r = arith.select %p, %b, %c : T", "T",
                    lambda a, b, c: np.where(a < b, b, c))
    yield simple("math.absi", lambda a, b, c: np.where(signed(a) < 0, ~a + a.dtype.type(1), a), count=1)
    yield simple("math.ctpop", lambda a, b, c: bits_of(a).sum(1).astype(a.dtype), count=1)
    yield simple("math.ctlz", lambda a, b, c: leading_zeros(a), count=1)
    yield simple("math.cttz", lambda a, b, c: trailing_zeros(a), count=1)
    yield from integer_conversions(element)


def integer_conversions(element):
    bits = WIDTHS[element]
    for target in INTEGERS:
        words = np.dtype(f"u{WIDTHS[target] // 8}")
        if WIDTHS[target] > bits:
            yield Operation(f"arith.extui {target}", f"%r = arith.extui %a : T to {target}", target,
                            lambda a, b, c, w=words: a.astype(w))
            yield Operation(f"arith.extsi {target}", f"%r = arith.extsi %a : T to {target}", target,
                            lambda a, b, c, w=words: signed(a).astype(np.dtype(f"i{w.itemsize}")).view(w))
        elif WIDTHS[target] < bits:
            yield Operation(f"arith.trunci {target}", f"%r = arith.trunci %a : T to {target}", target,
                            lambda a, b, c, w=words: a.astype(w))
    yield Operation("arith.trunci i1", "%r = arith.trunci %a : T to i1", "i1", lambda a, b, c: a & a.dtype.type(1) != 0)
    yield Operation("arith.extui of i1", "%p = arith.trunci %a : T to i1\n%r = arith.extui %p : i1 to T", "T",
                    lambda a, b, c: a & a.dtype.type(1))
    yield Operation("arith.extsi of i1", "%p = arith.trunci %a : T to i1\n%r = arith.extsi %p : i1 to T", "T",
                    lambda a, b, c: ~(a & a.dtype.type(1)) + a.dtype.type(1))
    for target in ("f16", "f32", "f64"):
        yield Operation(f"arith.uitofp {target}", f"%r = arith.uitofp %a : T to {target}", target,
                        lambda a, b, c, k=FLOATS[target]: a.astype(k))
        yield Operation(f"arith.sitofp {target}", f"%r = arith.sitofp %a : T to {target}", target,
                        lambda a, b, c, k=FLOATS[target]: signed(a).astype(k))


# -- floats ------------------------------------------------------------------------------------------------------------

COMPARE_FLOATS = {
    "oeq": lambda a, b: a == b, "ogt": lambda a, b: a > b, "oge": lambda a, b: a >= b, "olt": lambda a, b: a < b,
    "ole": lambda a, b: a <= b, "one": lambda a, b: (a < b) | (a > b), "ord": lambda a, b: (a == a) & (b == b),
}
COMPARE_FLOATS.update({
    "une": lambda a, b: ~COMPARE_FLOATS["oeq"](a, b), "ule": lambda a, b: ~COMPARE_FLOATS["ogt"](a, b),
    "ult": lambda a, b: ~COMPARE_FLOATS["oge"](a, b), "uge": lambda a, b: ~COMPARE_FLOATS["olt"](a, b),
    "ugt": lambda a, b: ~COMPARE_FLOATS["ole"](a, b), "ueq": lambda a, b: ~COMPARE_FLOATS["one"](a, b),
    "uno": lambda a, b: ~COMPARE_FLOATS["ord"](a, b), "true": lambda a, b: np.ones(a.shape, bool),
    "false": lambda a, b: np.zeros(a.shape, bool),
})
MODES = {"to_nearest_even": "rte", "toward_zero": "rtz", "upward": "rtp", "downward": "rtn"}


def on_bits(function):
    return lambda a, b, c: function(a.view(np.dtype(f"u{a.dtype.itemsize}")), b.view(np.dtype(f"u{b.dtype.itemsize}"))).view(a.dtype)


def sign_of(x):
    return x.dtype.type(1 << (8 * x.dtype.itemsize - 1))


def float_operations(element):
    kind = FLOATS[element]
    yield simple("arith.addf", lambda a, b, c: a + b)
    yield simple("arith.subf", lambda a, b, c: a - b)
    yield simple("arith.mulf", lambda a, b, c: a * b)
    yield simple("arith.divf", lambda a, b, c: a / b)
    yield simple("arith.negf", on_bits(lambda x, y: x ^ sign_of(x)), count=1)
    yield simple("math.absf", on_bits(lambda x, y: x & ~sign_of(x)), count=1)
    yield simple("math.sqrt", lambda a, b, c: np.sqrt(a), count=1)
    yield simple("arith.maximumf", lambda a, b, c: exact.maximum(a, b))
    yield simple("arith.minimumf", lambda a, b, c: exact.maximum(a, b, -1))
    # A product and a sum are rounded twice.
    yield Operation("mul-add", "%p = arith.mulf %a, %b : T\n%r = arith.addf %p, %c : T", "T", lambda a, b, c: a * b + c)
    for predicate, reference in COMPARE_FLOATS.items():
        yield Operation(f"arith.cmpf {predicate}", f"%r = arith.cmpf {predicate}, %a, %b : T", "i1",
                        lambda a, b, c, f=reference: f(a, b))
    yield Operation("arith.select", "%p = arith.cmpf olt, %a, %b : T\n%r = arith.select %p, %b, %c : T", "T",
                    lambda a, b, c: np.where(a < b, b, c))
    yield Operation("arith.bitcast", f"%r = arith.bitcast %a : T to i{WIDTHS[element]}", f"i{WIDTHS[element]}",
                    lambda a, b, c: a.view(np.dtype(f"u{a.dtype.itemsize}")))
    if element != "bf16":
        yield simple("math.fma", exact.fma, count=3)
        yield simple("math.ceil", lambda a, b, c: np.ceil(a), count=1)
        yield simple("math.floor", lambda a, b, c: np.floor(a), count=1)
        yield simple("math.trunc", lambda a, b, c: np.trunc(a), count=1)
        yield simple("math.roundeven", lambda a, b, c: np.rint(a), count=1)
        yield simple("math.copysign", on_bits(lambda x, y: x & ~sign_of(x) | y & sign_of(y)))
    for target in FLOATS:
        if WIDTHS[target] > WIDTHS[element]:
            yield Operation(f"arith.extf {target}", f"%r = arith.extf %a : T to {target}", target,
                            lambda a, b, c, k=FLOATS[target]: a.astype(np.float32).astype(k))
        elif WIDTHS[target] < WIDTHS[element]:
            for mode, name in MODES.items():
                yield Operation(f"arith.truncf {mode} {target}", f"%r = arith.truncf %a {mode} : T to {target}", target,
                                lambda a, b, c, k=FLOATS[target], m=name: exact.round_to(a, k, m))
    for target in INTEGERS:
        yield from float_to_integer(target)


def float_to_integer(target):
    bits = WIDTHS[target]
    words = np.dtype(f"u{bits // 8}")

    def inside(low, high):
        def defined(a, b, c):
            value = np.trunc(a.astype(np.float64))
            return (value >= low) & (value < high)
        return defined

    def converted(a, b, c):
        with np.errstate(all="ignore"):
            value = np.nan_to_num(np.trunc(a.astype(np.float64)), posinf=0, neginf=0)
        return wrapped(value.tolist(), words)

    yield Operation(f"arith.fptoui {target}", f"%r = arith.fptoui %a : T to {target}", target, converted, inside(0, 2.0**bits))
    yield Operation(f"arith.fptosi {target}", f"%r = arith.fptosi %a : T to {target}", target, converted,
                    inside(-2.0 ** (bits - 1), 2.0 ** (bits - 1)))


# -- booleans ----------------------------------------------------------------------------------------------------------

def boolean_operations():
    """Operations on i1: the lowest bits of %a, %b, %c, operands of type i8."""
    def on(text, reference):
        head = "".join(f"%{n} = arith.trunci %{o} : i8 to i1\n" for n, o in zip("pqs", "abc"))
        bits = lambda x: x & 1 != 0
        return Operation(text, head + f"%r = {text}", "i1", lambda a, b, c: reference(bits(a), bits(b), bits(c)))

    yield on("arith.addi %p, %q : i1", lambda p, q, s: p ^ q)
    yield on("arith.subi %p, %q : i1", lambda p, q, s: p ^ q)
    yield on("arith.muli %p, %q : i1", lambda p, q, s: p & q)
    yield on("arith.andi %p, %q : i1", lambda p, q, s: p & q)
    yield on("arith.ori %p, %q : i1", lambda p, q, s: p | q)
    yield on("arith.xori %p, %q : i1", lambda p, q, s: p ^ q)
    yield on("arith.maxui %p, %q : i1", lambda p, q, s: p | q)
    yield on("arith.minui %p, %q : i1", lambda p, q, s: p & q)
    yield on("arith.maxsi %p, %q : i1", lambda p, q, s: p & q)
    yield on("arith.minsi %p, %q : i1", lambda p, q, s: p | q)
    yield on("arith.select %p, %q, %s : i1", lambda p, q, s: np.where(p, q, s))
    for predicate in COMPARE_INTEGERS:
        # True is 1 unsigned and -1 signed.
        sign = -1 if predicate.startswith("s") else 1
        compare = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
                   "ge": np.greater_equal}[predicate[-2:]]
        yield on(f"arith.cmpi {predicate}, %p, %q : i1",
                 lambda p, q, s, f=compare, g=sign: f(g * p.astype(int), g * q.astype(int)))


def operations(element):
    if element == "i1":
        return list(boolean_operations())
    return list(integer_operations(element) if element in INTEGERS else float_operations(element))
