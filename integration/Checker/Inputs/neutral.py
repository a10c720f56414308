"""Whether a changed instruction gives the same in every thread of a launch, as a kernel that traps if not.

`watched(text, line, after)` takes the original kernel, the line (from 0) and the text that a mutant has
there. The kernel that it returns does what the original does and computes the changed instruction beside
it: where the results differ, or where an access whose address was changed is made at all, it traps. A run without
a trap proves the change neutral for the launch, if nothing that was loaded takes part; only such kernels are
returned, with a sentence that says what was shown.
"""

import re

from ptx_lines import KernelText, REGISTER, STATEMENT, Statement, split_operands

KINDS = {"%p": "pred", "%rs": "b16", "%r": "b32", "%rd": "b64"}
#: What brings data in.
LOADS = ("ld", "ldmatrix", "atom", "red", "mma", "wgmma", "shfl", "cp", "tex", "suld", "redux", "vote", "match")


def depends_on_data(kernel, registers):
    """Whether a loaded value can reach a register, whatever the path."""
    work, seen = list(registers), set()
    while work:
        register = work.pop()
        if register in seen:
            continue
        seen.add(register)
        for s in kernel.writers[register]:
            if s.opcode in LOADS and "param" not in s.modifiers:
                return True
            work += s.read()
    return False


def statement(text, line):
    match = STATEMENT.match(text)
    if not match or match["mnemonic"].startswith("."):
        return None
    return Statement(line, "", match["guard"] or "", match["mnemonic"], split_operands(match["operands"] or ""))


def reached(text, line):
    """The same for whether any thread of the launch gets to the line."""
    kernel = KernelText(text)
    before = next((s for s in kernel.statements if s.line == line), None)
    guards = [s.guard.lstrip("!") for s in kernel.statements if s.opcode == "bra" and s.guard]
    if not before or depends_on_data(kernel, guards):
        return None, None
    return (kernel.with_lines({line: f"\ttrap;\n{before.text()}"}), "no thread of the launch gets there")


def watched(text, line, after):
    """(kernel that traps where the change shows, what a run without a trap says), or (None, None)."""
    kernel = KernelText(text)
    before = next((s for s in kernel.statements if s.line == line), None)
    changed = statement(after, line)
    if not before or not changed or changed.guard != before.guard:
        return None, None
    guards = [s.guard.lstrip("!") for s in kernel.statements if s.opcode == "bra" and s.guard]
    if depends_on_data(kernel, guards):
        return None, None
    guard = f"@{before.guard} " if before.guard else ""
    if before.opcode in ("ld", "st", "ldmatrix", "stmatrix"):
        if not before.guard or depends_on_data(kernel, [before.guard.lstrip("!")]):
            return None, None
        return (kernel.with_lines({line: f"\t{guard}trap;\n{before.text()}"}),
                "no thread of the launch makes the access")
    to = before.operands[0] if before.operands else ""
    kind = KINDS.get(re.sub(r"\d+$", "", to))
    if not kind or not REGISTER.fullmatch(to) or changed.operands[:1] != [to]:
        return None, None
    if depends_on_data(kernel, before.read() + changed.read()):
        return None, None
    differs = f"xor.pred %differs, {to}, %mutant;" if kind == "pred" else f"setp.ne.{kind} %differs, {to}, %mutant;"
    block = (f"\t{{ .reg .{kind} %mutant; .reg .pred %differs; setp.ne.b32 %differs, 0, 0; "
             f"{changed.but(operands=['%mutant', *changed.operands[1:]]).text()} {before.but(indent='').text()} "
             f"{guard}{differs} @%differs trap; }}")
    return kernel.with_lines({line: block}), "every thread of the launch computes the same"
