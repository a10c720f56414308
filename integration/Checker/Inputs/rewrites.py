"""Rewritings of a kernel's PTX that change no bit of what it returns.

The opposite of mutations.py: each rewriting takes a kernel and a random chooser and returns the text
rewritten at many places. A checker should still call the two kernels equal. Each says why it is neutral.
"""

import random
import re

from ptx_lines import KernelText, REGISTER

REWRITINGS = {}

#: Opcodes that only compute a register from registers: they may move past each other.
PURE = {"add", "sub", "mul", "mad", "fma", "and", "or", "xor", "not", "shl", "shr", "bfe", "bfi", "setp", "selp",
        "mov", "cvt", "min", "max", "neg", "abs", "prmt", "cvta", "ex2", "rcp", "sqrt", "rsqrt", "lg2", "div", "rem"}


def rewriting(function):
    REWRITINGS[function.__name__.replace("_", "-")] = function
    return function


def some(chooser, items, most=40):
    """A random part of the items, at most so many, in their order."""
    chosen = set(chooser.sample(range(len(items)), min(len(items), most)))
    return [item for i, item in enumerate(items) if i in chosen]


@rewriting
def registers_renamed(text, chooser):
    """Numbers of a class permuted: names carry no meaning."""
    kernel = KernelText(text)
    maps = {}
    for at in kernel.body:
        for match in re.finditer(r"\.reg\s+\.\w+\s+(%[a-z]+)<(\d+)>", kernel.lines[at]):
            prefix, count = match[1], int(match[2])
            numbers = list(range(count))
            chooser.shuffle(numbers)
            maps |= {f"{prefix}{i}": f"{prefix}{n}" for i, n in enumerate(numbers)}
    return kernel.with_lines({at: REGISTER.sub(lambda m: maps.get(m[0], m[0]), kernel.lines[at])
                              for at in kernel.body})


@rewriting
def independent_reordered(text, chooser):
    """Neighbours that neither read nor write what the other writes change places; only operations on
    registers move."""
    kernel = KernelText(text)
    at = {s.line: s for s in kernel.statements}
    lines = dict(enumerate(kernel.lines))
    for _ in range(4):
        for first in sorted(at):
            second = first + 1
            a, b = at.get(first), at.get(second)
            if not a or not b or a.opcode not in PURE or b.opcode not in PURE or chooser.random() < 0.5:
                continue
            if set(a.written()) & set(b.read() + b.written()) or set(b.written()) & set(a.read()):
                continue
            at[first], at[second] = b, a
            lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines[i] for i in range(len(kernel.lines)))


@rewriting
def commuted(text, chooser):
    """Factors and summands swapped. Exact for integers; for floats because a sum's or product's value
    does not depend on their order and sm_90 returns one NaN word whatever its operands' are."""
    kernel = KernelText(text)
    sites = [s for s in kernel.statements if len(s.operands) >= 3 and
             (s.opcode in ("add", "mul", "mad", "fma", "and", "or", "xor") or
              s.opcode in ("min", "max") and s.modifiers[-1][0] in "us") and
             s.operands[1] != s.operands[2]]
    # A product's literal factor stays second, where ptxas wants it.
    return kernel.with_lines({s.line: s.but(operands=[s.operands[0], s.operands[2], s.operands[1],
                                                      *s.operands[3:]]).text()
                              for s in some(chooser, sites) if REGISTER.fullmatch(s.operands[2])})


@rewriting
def addresses_rewritten(text, chooser):
    """Integer arithmetic written in another way, equal for every input."""
    kernel = KernelText(text)
    changes = {}
    for s in kernel.statements:
        literal = int(s.operands[-1]) if s.operands and re.fullmatch(r"\d+", s.operands[-1]) else None
        name, ops = s.mnemonic, s.operands
        if s.guard:
            continue
        if name in ("shl.b32", "shl.b64") and literal is not None and literal < 31:
            changes[s.line] = s.but(mnemonic=f"mul.lo.u{name[-2:]}", operands=[*ops[:2], str(1 << literal)])
        elif name in ("add.s32", "add.s64") and literal:
            changes[s.line] = s.but(mnemonic="sub" + name[3:], operands=[*ops[:2], str(-literal)])
        elif name == "and.b32" and literal and literal & (literal + 1) == 0 and literal < 2**31:
            changes[s.line] = s.but(mnemonic="bfe.u32", operands=[*ops[:2], "0", str(literal.bit_length())])
        elif name == "mul.lo.s32" and literal and literal & (literal - 1) == 0:
            changes[s.line] = s.but(mnemonic="shl.b32", operands=[*ops[:2], str(literal.bit_length() - 1)])
        elif name == "shr.u32" and literal and literal < 32:
            changes[s.line] = s.but(mnemonic="bfe.u32", operands=[*ops[:2], str(literal), str(32 - literal)])
        elif name in ("mad.lo.s32", "mad.wide.s32", "mad.wide.u32"):
            bits = "64" if "wide" in name else "32"
            changes[s.line] = (f"{s.indent}{{ .reg .b{bits} %part; mul{name[3:]} %part, {ops[1]}, {ops[2]}; "
                               f"add.s{bits} {ops[0]}, {ops[3]}, %part; }}")
    chosen = set(some(chooser, sorted(changes)))
    return kernel.with_lines({line: change if isinstance(change, str) else change.text()
                              for line, change in changes.items() if line in chosen})


@rewriting
def copies_inserted(text, chooser):
    """An operand goes through a move first."""
    kernel = KernelText(text)
    bits = {"%r": "b32", "%rd": "b64", "%rs": "b16"}
    changes = {}
    for s in some(chooser, [s for s in kernel.statements if s.opcode in PURE - {"mov"}]):
        prefix = re.match(r"%[a-z]+", s.operands[1])
        if not s.guard and prefix and prefix[0] in bits and REGISTER.fullmatch(s.operands[1]):
            kind = bits[prefix[0]]
            changes[s.line] = (f"{s.indent}{{ .reg .{kind} %copy; mov.{kind} %copy, {s.operands[1]}; "
                               f"{s.but(indent='', operands=[s.operands[0], '%copy', *s.operands[2:]]).text()} }}")
    return kernel.with_lines(changes)


@rewriting
def conditions_inverted(text, chooser):
    """An integer comparison is turned around."""
    turned = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
    kernel = KernelText(text)
    sites = [s for s in kernel.statements if s.opcode == "setp" and len(s.modifiers) == 2 and
             s.modifiers[0] in turned and s.modifiers[1][0] in "sub" and REGISTER.fullmatch(s.operands[1])
             and REGISTER.fullmatch(s.operands[2])]
    return kernel.with_lines({s.line: s.but(mnemonic=f"setp.{turned[s.modifiers[0]]}.{s.modifiers[1]}",
                                            operands=[s.operands[0], s.operands[2], s.operands[1]]).text()
                              for s in some(chooser, sites)})


def rewrite(text, seed_text):
    """The name of a rewriting that changes the kernel, drawn at random, and the new text."""
    chooser = random.Random(seed_text)
    names = sorted(REWRITINGS)
    chooser.shuffle(names)
    for name in names:
        changed = REWRITINGS[name](text, chooser)
        if changed != text:
            return name, changed
    raise ValueError("no rewriting changes this kernel")
