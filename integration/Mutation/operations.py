"""Kernels that apply each operation of the language to inputs, one kernel a type, with and without what must not happen to them.

Random programs mix operations, so that a fault of one may be lost on the way; here every result is stored as it is.
"""

from generator import BITS, FLOATS, NUMBERS, UNSIGNED

FILLS = {"int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16", "uint32": "u32",
         "uint64": "u64", "float32": "f32", "float64": "f64"}
ITEMS = 64


def expressions(type):
    binary = ["+", "-", "*"]
    unary = ["-a"]
    if type in FLOATS:
        binary += ["/"]
        unary += ["a * b + c", "a * b - c"]
    else:
        last = BITS[type] - 1
        yield from [f"a {sign} (b & ({type}){last})" for sign in ("<<", ">>")]
        yield from [f"a {sign} (b | ({type})1 & ({type}){last // 2})" for sign in ("/", "%")] if type in UNSIGNED else \
            [f"a {sign} ((b & ({type}){last}) + ({type})1)" for sign in ("/", "%")]
        binary += ["&", "|", "^"]
        unary += ["~a"]
    yield from [f"a {sign} b" for sign in binary] + unary


def conditions(type):
    yield from [f"a {sign} {right}" for sign in ("<", "<=", ">", ">=", "==", "!=") for right in "bd"]
    yield from ["a < b && b < c", "a < b || b < c", "!(a < b)", "a == a", "a <= a", "a < a", "a >= a", "a > a", "a != a"]


def kernel(type):
    lines = [f"kernel test(x: {type}*, out: {type}*, flags: int32*" + "".join(f", {t}s: {t}*" for t in NUMBERS) + ") {",
             "  var i: int32 = thread.x;",
             f"  var a: {type} = x[i];", f"  var b: {type} = x[i + {ITEMS}];", f"  var c: {type} = x[i + {2 * ITEMS}];",
             # Equal to a in every other item; and read from behind, so that an index is negative.
             f"  var behind: {type}* = x + {ITEMS};", f"  var d: {type} = behind[i - {ITEMS} + (i & 1)];"]
    count = 0
    for count, expression in enumerate(expressions(type), 1):
        lines.append(f"  out[i + {(count - 1) * ITEMS}] = {expression};")
    flags = 0
    for flags, condition in enumerate(conditions(type), 1):
        lines.append(f"  flags[i + {(flags - 1) * ITEMS}] = (int32)({condition});")
    lines += [f"  {t}s[i] = ({t})a;" for t in NUMBERS]
    text = "\n".join(lines + ["}", ""])
    fill = FILLS[type]
    arguments = [f"{fill}[{3 * ITEMS}]=rand:7", f"{fill}[{count * ITEMS}]=zeros", f"i32[{flags * ITEMS}]=zeros"]
    return text, arguments + [f"{FILLS[t]}[{ITEMS}]=zeros" for t in NUMBERS]


def subgroups():
    """Minima and maxima over lanes, which the language has of lanes alone."""
    types = [type for type in NUMBERS if BITS[type] >= 32 and type not in FLOATS]
    lines = ["kernel(subgroup = 32) test(" + ", ".join(f"{t}s: {t}*, {t}r: {t}*" for t in types) + ") {", "  var i: int32 = thread.x;"]
    for t in types:
        lines += [f"  {t}r[i + {n * ITEMS}] = subgroup_reduce_{kind}({t}s[i]);" for n, kind in enumerate(("min", "max"))]
    return "\n".join(lines + ["}", ""]), [text for n, t in enumerate(types) for text in
                                          (f"{FILLS[t]}[{ITEMS}]=rand:{n}", f"{FILLS[t]}[{2 * ITEMS}]=zeros")]


def programs():
    text, arguments = subgroups()
    for _ in range(2):
        yield "subgroup minima and maxima", {"text": text, "kernel": "test", "grid": "1", "block": str(ITEMS), "shared": 0,
                                             "arguments": arguments}
    for type in NUMBERS:
        text, arguments = kernel(type)
        # Twice, since lowering with and without -O alternates.
        for _ in range(2):
            yield f"operations of {type}", {"text": text, "kernel": "test", "grid": "1", "block": str(ITEMS), "shared": 0,
                                            "arguments": arguments}
