"""One-change faults in a kernel's PTX, by fixed operators.

Each operator yields, for a kernel, every change of its kind that it can make there. A change is a
mutant: what was done, the line, and the changed text. `mutants(text)` lists them operator by
operator; `draw` takes a number of them with a seed, spread over the operators that have any.
"""

import dataclasses
import random
import re

from ptx_lines import KernelText

FLOAT = {"f16", "bf16", "f16x2", "bf16x2", "f32", "f64"}
BYTES = {"8": 1, "16": 2, "32": 4, "64": 8}
OPERATORS = {}


@dataclasses.dataclass
class Mutant:
    operator: str
    line: int
    before: str
    after: str
    text: str


def operator(function):
    """Registers a generator of ({line: text or None}, line) pairs under its own name."""
    OPERATORS[function.__name__.replace("_", "-")] = function
    return function


def one(statement, **changes):
    return {statement.line: statement.but(**changes).text()}


def is_float(statement):
    return bool(FLOAT & set(statement.modifiers))


def is_integer_immediate(operand):
    return re.fullmatch(r"-?\d+", operand) is not None


def swapped(items, i, j):
    items = list(items)
    items[i], items[j] = items[j], items[i]
    return items


def replaced(items, i, value):
    return items[:i] + [value] + items[i + 1:]


@operator
def operand_order(kernel):
    """The operands of a subtraction, a division, a shift or a select change places."""
    for s in kernel.statements:
        if s.opcode in ("sub", "div", "shl", "shr", "selp") and s.operands[1] != s.operands[2]:
            yield one(s, operands=swapped(s.operands, 1, 2)), s.line


@operator
def rounding_mode(kernel):
    """A float operation or conversion rounds toward zero, or away where it did that."""
    for s in kernel.statements:
        modes = [m for m in s.modifiers if m in ("rn", "rz")]
        if s.opcode in ("add", "sub", "mul", "fma") and is_float(s) and "f32" in s.modifiers and not modes:
            yield one(s, mnemonic=s.mnemonic.replace(s.opcode, s.opcode + ".rz", 1)), s.line
        elif s.opcode in ("add", "sub", "mul", "fma", "cvt") and modes:
            other = "rz" if modes[0] == "rn" else "rn"
            if not any("e4m3" in m or "e5m2" in m or m == "satfinite" for m in s.modifiers):
                yield one(s, mnemonic=s.mnemonic.replace("." + modes[0], "." + other, 1)), s.line


@operator
def contraction(kernel):
    """A product and a sum become one fma, or an fma becomes a product and a sum."""
    for s in kernel.statements:
        kind = s.mnemonic.split(".")[-1]
        if kind != "f32":
            continue
        if s.opcode == "add":
            for i in (1, 2):
                product = kernel.definition(s.operands[i], s.line)
                if product and product.opcode == "mul" and product.mnemonic.endswith(kind):
                    operands = [s.operands[0], *product.operands[1:], s.operands[3 - i]]
                    yield one(s, mnemonic="fma.rn." + kind, operands=operands), s.line
        elif s.opcode == "fma" and s.mnemonic == "fma.rn.f32":
            d, a, b, c = s.operands
            yield {s.line: f"\t{{ .reg .b32 %mutant; mul.rn.f32 %mutant, {a}, {b}; "
                           f"add.rn.f32 {d}, %mutant, {c}; }}"}, s.line


@operator
def shuffle_offset(kernel):
    """A shuffle takes another lane."""
    for s in kernel.statements:
        if s.opcode == "shfl" and is_integer_immediate(s.operands[2]):
            lane = int(s.operands[2])
            yield one(s, operands=replaced(s.operands, 2, str(lane // 2 if lane > 1 else 2))), s.line


@operator
def barrier_removed(kernel):
    """A barrier is gone."""
    for s in kernel.statements:
        if s.opcode in ("bar", "barrier"):
            yield {s.line: None}, s.line


@operator
def k_order(kernel):
    """Two neighbouring matrix instructions on one accumulator take each other's factors."""
    chains = {}
    for s in kernel.statements:
        if s.opcode == "mma" and "sync" in s.modifiers and len(s.operands) >= 4:
            last = chains.get(s.operands[3])
            if last and last.mnemonic == s.mnemonic:
                yield {last.line: last.but(operands=[last.operands[0], *s.operands[1:3], *last.operands[3:]]).text(),
                       s.line: s.but(operands=[s.operands[0], *last.operands[1:3], *s.operands[3:]]).text()}, s.line
            chains[s.operands[0]] = s


@operator
def partial_type(kernel):
    """A sum passes through a narrower type."""
    for s in kernel.statements:
        if s.opcode in ("add", "fma") and s.mnemonic.endswith(".f32"):
            d = s.operands[0]
            narrow = (f"{{ .reg .b16 %mutant; cvt.rn.bf16.f32 %mutant, {d}; "
                      f"mov.b32 {d}, {{0, %mutant}}; }}")
            yield {s.line: s.text() + " " + narrow}, s.line


@operator
def address(kernel):
    """A memory access goes one element further."""
    for s in kernel.statements:
        if s.opcode not in ("ld", "st", "ldmatrix", "stmatrix") or "param" in s.modifiers:
            continue
        size = BYTES.get(s.modifiers[-1].lstrip("bfsu"), 16) if s.opcode in ("ld", "st") else 16
        for i, operand in enumerate(s.operands):
            if match := re.fullmatch(r"\[\s*([%\w]+)\s*(?:\+\s*(-?\d+)\s*)?\]", operand):
                offset = int(match[2] or 0) + size
                yield one(s, operands=replaced(s.operands, i, f"[{match[1]}+{offset}]")), s.line


@operator
def predicate(kernel):
    """A guard is negated."""
    for s in kernel.statements:
        if s.guard and s.opcode != "bra":
            yield one(s, guard=s.guard[1:] if s.guard[0] == "!" else "!" + s.guard), s.line


@operator
def comparison(kernel):
    """A comparison includes or excludes equality."""
    near = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt", "eq": "ne", "ne": "eq", "ltu": "leu", "gtu": "geu"}
    for s in kernel.statements:
        if s.opcode == "setp" and s.modifiers[0] in near and not kernel.has_backward_branch(s.operands[0], s.line):
            yield one(s, mnemonic=s.mnemonic.replace("." + s.modifiers[0], "." + near[s.modifiers[0]], 1)), s.line


@operator
def loop_bound(kernel):
    """A loop runs another number of times."""
    near = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt", "ne": "lt", "eq": "ge"}
    for s in kernel.statements:
        if s.opcode != "setp" or not kernel.has_backward_branch(s.operands[0], s.line):
            continue
        if is_integer_immediate(s.operands[2]) and s.modifiers[0] in ("lt", "le", "gt", "ge"):
            yield one(s, operands=replaced(s.operands, 2, str(int(s.operands[2]) // 2))), s.line
        elif s.modifiers[0] in ("lt", "le", "gt", "ge"):
            yield one(s, mnemonic=s.mnemonic.replace("." + s.modifiers[0], "." + near[s.modifiers[0]], 1)), s.line


@operator
def seed(kernel):
    """A float constant is another one; 0.0 becomes -0.0 or 1.0."""
    for s in kernel.statements:
        for i, operand in enumerate(s.operands[1:], 1):
            if re.fullmatch(r"0f[0-9A-Fa-f]{8}", operand):
                word = int(operand[2:], 16)
                for other in ((0x80000000, 0x3f800000) if word == 0 else (word ^ 1,)):
                    yield one(s, operands=replaced(s.operands, i, f"0f{other:08X}")), s.line


@operator
def swapped_output(kernel):
    """Two elements of a vector that is stored change places."""
    for s in kernel.statements:
        if s.opcode in ("st", "stmatrix"):
            elements = [e.strip() for e in s.operands[1].strip("{} ").split(",")]
            if len(elements) > 1 and elements[0] != elements[1]:
                vector = "{" + ", ".join(swapped(elements, 0, 1)) + "}"
                yield one(s, operands=replaced(s.operands, 1, vector)), s.line


@operator
def constant(kernel):
    """An integer constant of address arithmetic is one more."""
    for s in kernel.statements:
        if s.opcode in ("add", "and", "or", "xor", "shl", "shr", "mul", "mad", "bfe") and not is_float(s):
            for i, operand in enumerate(s.operands[1:], 1):
                if is_integer_immediate(operand):
                    yield one(s, operands=replaced(s.operands, i, str(int(operand) + 1))), s.line


@operator
def opcode(kernel):
    """Another operation of the same shape."""
    other = {"min": "max", "max": "min", "add": "sub", "sub": "add"}
    for s in kernel.statements:
        if s.opcode in other and is_float(s):
            yield one(s, mnemonic=s.mnemonic.replace(s.opcode, other[s.opcode], 1)), s.line


@operator
def flag(kernel):
    """A modifier that changes results comes or goes."""
    for s in kernel.statements:
        for modifier in ("ftz", "NaN", "sat", "trans"):
            if modifier in s.modifiers:
                yield one(s, mnemonic=s.mnemonic.replace("." + modifier, "", 1)), s.line
        if s.opcode in ("add", "sub", "mul") and s.mnemonic.endswith(".f32") and "ftz" not in s.modifiers:
            yield one(s, mnemonic=s.mnemonic[:-4] + ".ftz.f32"), s.line


@operator
def factor(kernel):
    """A float operation reads another register that is read nearby in its place."""
    last = {}
    for s in kernel.statements:
        if s.opcode in ("add", "mul", "fma", "max", "min") and is_float(s):
            kind = s.modifiers[-1]
            if kind in last and last[kind] not in s.operands and s.operands[1].startswith("%"):
                yield one(s, operands=replaced(s.operands, 1, last[kind])), s.line
            last[kind] = s.operands[2]


def sites(kernel):
    """{operator: [(changes, line)]} of all changes that the operators can make."""
    return {name: list(function(kernel)) for name, function in OPERATORS.items()}


def mutant(kernel, name, changes, line):
    after = changes[line]
    return Mutant(name, line + 1, kernel.lines[line].strip(), (after or "").strip(), kernel.with_lines(changes))


def mutants(text):
    """{operator: [Mutant]} of all changes that the operators can make."""
    kernel = KernelText(text)
    return {name: [mutant(kernel, name, *site) for site in found] for name, found in sites(kernel).items()}


def draw(text, count, seed_text):
    """`count` mutants of a kernel, or all there are: an operator at random, then a site of it."""
    kernel = KernelText(text)
    found = {name: places for name, places in sites(kernel).items() if places}
    chooser = random.Random(seed_text)
    drawn = []
    while found and len(drawn) < count:
        name = chooser.choice(sorted(found))
        drawn.append(mutant(kernel, name, *found[name].pop(chooser.randrange(len(found[name])))))
        if not found[name]:
            del found[name]
    return drawn
