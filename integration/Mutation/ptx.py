"""Faults of PTX lowering: each operator changes every instruction of one form in a PTX text.

A form is an instruction's mnemonic. `mutants` names what a text has room for, as (operator, form); `plant` makes one of them.
"""

import re

INSTRUCTION = re.compile(r"^(\t(?:@!?%p\d+ )?)([a-z][\w.:]*)( .*)?;$")
COMPARISONS = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt", "eq": "ne", "ne": "eq", "ltu": "leu", "leu": "ltu", "gtu": "geu",
               "geu": "gtu", "equ": "neu", "neu": "equ", "lo": "ls", "ls": "lo", "hi": "hs", "hs": "hi"}
ROUNDINGS = {"rn": "rz", "rz": "rn", "rni": "rzi", "rzi": "rni", "rm": "rp", "rp": "rm", "rmi": "rpi", "rpi": "rmi"}
NONCOMMUTATIVE = {"sub", "div", "rem", "shl", "shr", "copysign"}
SIGNED = {"div", "rem", "shr", "min", "max", "setp", "cvt"}
ADDRESS = re.compile(r"\[(%rd\d+)\+(\d+)\]")


def operands(rest):
    """The operands of an instruction that has no brackets or braces, else None."""
    return None if not rest or set("[]{}()") & set(rest) else rest.strip().split(", ")


def join(prefix, name, values):
    return f"{prefix}{name} {', '.join(values)};"


def swap(prefix, name, rest):
    head, values = name.split(".")[0], operands(rest)
    if not values:
        return None
    if head in NONCOMMUTATIVE or head == "setp" and name.split(".")[1] not in ("eq", "ne", "equ", "neu"):
        return join(prefix, name, [values[0], values[2], values[1]] + values[3:])
    if head in ("fma", "mad"):
        return join(prefix, name, [values[0], values[1], values[3], values[2]]) if ".wide" not in name else None
    if head == "selp":
        return join(prefix, name, [values[0], values[2], values[1], values[3]])
    return None


def replaceModifier(name, table, first=1):
    parts = name.split(".")
    for n in range(first, len(parts)):
        if parts[n] in table:
            return ".".join(parts[:n] + [table[parts[n]]] + parts[n + 1:])
    return None


def comparison(prefix, name, rest):
    changed = replaceModifier(name, COMPARISONS) if name.startswith("setp.") else None
    return changed and f"{prefix}{changed}{rest};"


def rounding(prefix, name, rest):
    changed = replaceModifier(name, ROUNDINGS)
    return changed and f"{prefix}{changed}{rest};"


def sign(prefix, name, rest):
    """Signed for unsigned, and the reverse, in the type that an operation reads."""
    parts = name.split(".")
    if parts[0] not in SIGNED and not (parts[0] == "mul" and parts[1] in ("hi", "wide")) and parts[:2] != ["mad", "wide"]:
        return None
    if parts[0] == "setp" and parts[1] in ("eq", "ne") or not re.fullmatch(r"[su]\d+", parts[-1]):
        return None
    if parts[0] == "cvt":
        # A narrowing of integers reads no sign.
        if re.fullmatch(r"[su]\d+", parts[-2]) and int(parts[-2][1:]) <= int(parts[-1][1:]):
            return None
    parts[-1] = ("u" if parts[-1][0] == "s" else "s") + parts[-1][1:]
    if parts[0] in ("cvt",) and re.fullmatch(r"[su]\d+", parts[-2]):
        parts[-2] = parts[-1][0] + parts[-2][1:]
    return f"{prefix}{'.'.join(parts)}{rest};"


def flag(prefix, name, rest):
    """Drops a modifier that an instruction may do without, or keeps the low half for the high one."""
    parts = name.split(".")
    if parts[:2] == ["mul", "hi"]:
        return f"{prefix}{'.'.join(['mul', 'lo'] + parts[2:])}{rest};"
    for part in ("sat", "ftz", "volatile"):
        if part in parts[1:]:
            parts.remove(part)
            return f"{prefix}{'.'.join(parts)}{rest};"
    return None


def offset(prefix, name, rest):
    """One element further, from a load or a store."""
    head, match = name.split(".")[0], rest and ADDRESS.search(rest)
    if head not in ("ld", "st") or not match:
        return None
    size = int(re.sub(r"\D", "", name.split(".")[-1])) // 8
    return f"{prefix}{name}{rest[:match.start()]}[{match[1]}+{int(match[2]) + size}]{rest[match.end():]};"


def constant(prefix, name, rest):
    """An integer constant one too large."""
    values = operands(rest)
    if not values or not re.fullmatch(r"-?\d+", values[-1]) or name.split(".")[0] in ("bar", "mov"):
        return None
    return join(prefix, name, values[:-1] + [str(int(values[-1]) + 1)])


def literal(prefix, name, rest):
    """A literal one too large, or a float's next one."""
    values = operands(rest)
    if not values or name.split(".")[0] != "mov":
        return None
    if match := re.fullmatch(r"0([fd])([0-9A-Fa-f]+)", values[-1]):
        return join(prefix, name, [values[0], f"0{match[1]}{int(match[2], 16) + 1:0{len(match[2])}X}"])
    if not re.fullmatch(r"-?\d+", values[-1]) or values[-1] in ("127", "255", "32767", "65535", "2147483647", "4294967295"):
        return None
    return join(prefix, name, [values[0], str(int(values[-1]) + 1)])


def barrier(prefix, name, rest):
    return "" if name.split(".")[0] in ("bar", "barrier") or name.startswith("cp.async.wait") else None


def scope(prefix, name, rest):
    """A warp waits for itself, where a block waits. (What scopes of atomics mean is for the litmus tests in integration/Atomic: one
    machine's run returns the same bits with a smaller one.)"""
    return f"{prefix}bar.warp.sync 0xffffffff;" if name.startswith(("bar.sync", "barrier.sync")) else None


def branch(prefix, name, rest):
    """The other way at a branch."""
    if name != "bra" or "@" not in prefix:
        return None
    return f"{prefix.replace('@!', '@') if '@!' in prefix else prefix.replace('@', '@!')}{name}{rest};"


def forget(prefix, name, rest):
    """A copy for an operation of one operand."""
    parts = name.split(".")
    if parts[0] not in ("neg", "abs", "not", "cvt", "sqrt") or parts[0] == "cvt" and parts[-1] != parts[-2]:
        return None
    type = "pred" if parts[-1] == "pred" else "b" + parts[-1][1:]
    return f"{prefix}mov.{type}{rest};"


OPERATORS = {function.__name__: function for function in
             (swap, comparison, rounding, sign, flag, offset, constant, literal, barrier, scope, branch, forget)}


def changes(text, operator):
    """The lines that an operator changes: (number, mnemonic, changed line)."""
    for number, line in enumerate(text.split("\n")):
        match = INSTRUCTION.match(line)
        changed = OPERATORS[operator](match[1], match[2], match[3] or "") if match else None
        if changed is not None and changed != line:
            yield number, match[2], changed


def mutants(text):
    return {(operator, name) for operator in OPERATORS for _, name, _ in changes(text, operator)}


def plant(text, mutant):
    operator, form = mutant
    lines = text.split("\n")
    for number, name, changed in changes(text, operator):
        if name == form:
            lines[number] = changed
    return "\n".join(lines)
