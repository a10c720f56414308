"""PTX text as compilers write it, one statement a line, open to edits.

The mutation and rewriting harnesses change single lines and must not depend on the reader that they
test, so this reads no more than they need: labels, guards, mnemonics and operands of the entry's body.
Lines that are something else (directives, blocks within a line) pass through unread.
"""

import collections
import dataclasses
import re

STATEMENT = re.compile(r"^(?P<indent>\s*)(?:@(?P<guard>!?%\w+)\s+)?(?P<mnemonic>[a-z][\w.:]*)"
                       r"(?:\s+(?P<operands>[^;]*?))?\s*;\s*(?://.*)?$")
LABEL = re.compile(r"^\s*([$\w%]+):\s*(?://.*)?$")
REGISTER = re.compile(r"%[a-z]+\d+\b")
NO_RESULT = {"st", "bra", "bar", "barrier", "ret", "exit", "cp", "red", "membar", "fence", "stmatrix",
             "wgmma", "mbarrier", "call", "trap", "prefetch", "griddepcontrol", "setmaxnreg"}


def split_operands(text):
    """The operands of a statement; commas in braces, brackets and parentheses do not separate."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += char in "{[("
        depth -= char in "}])"
        if char == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


@dataclasses.dataclass
class Statement:
    line: int
    indent: str
    guard: str
    mnemonic: str
    operands: list

    @property
    def opcode(self):
        return self.mnemonic.split(".")[0]

    @property
    def modifiers(self):
        return self.mnemonic.split(".")[1:]

    def written(self):
        """The registers it writes, in order. A matrix instruction on wgmma's accumulator writes it."""
        if not self.operands or (self.opcode in NO_RESULT and not self.mnemonic.startswith("wgmma.mma")):
            return []
        return REGISTER.findall(self.operands[0])

    def read(self):
        """The registers it reads, the guard and what a guarded write keeps among them."""
        first = 0 if not self.written() or self.guard or self.opcode == "wgmma" else 1
        registers = [r for operand in self.operands[first:] for r in REGISTER.findall(operand)]
        return registers + ([self.guard.lstrip("!")] if self.guard else [])

    def but(self, **changes):
        return dataclasses.replace(self, **changes)

    def text(self):
        guard = f"@{self.guard} " if self.guard else ""
        return f"{self.indent}{guard}{self.mnemonic} {', '.join(self.operands)}".rstrip() + ";"


class KernelText:
    """The lines of a module with one entry; `statements` are those of its body, in order."""

    def __init__(self, text):
        self.lines = text.split("\n")
        opening = next(i for i, line in enumerate(self.lines) if line.strip() == "{")
        closing = next(i for i in range(opening, len(self.lines)) if self.lines[i].strip() == "}")
        self.body = range(opening + 1, closing)
        self.statements, self.labels = [], {}
        for at in self.body:
            if label := LABEL.match(self.lines[at]):
                self.labels[label.group(1)] = at
            elif (match := STATEMENT.match(self.lines[at])) and not match["mnemonic"].startswith("."):
                self.statements.append(Statement(at, match["indent"], match["guard"] or "", match["mnemonic"],
                                                 split_operands(match["operands"] or "")))
        self.writers = collections.defaultdict(list)
        for statement in self.statements:
            for register in set(statement.written()):
                self.writers[register].append(statement)

    def with_lines(self, changes):
        """The text with some lines replaced; None deletes one."""
        lines = [changes.get(at, line) for at, line in enumerate(self.lines)]
        return "\n".join(line for line in lines if line is not None)

    def definition(self, register, before):
        """The last statement above a line that writes a register, if it is in the same block."""
        above = [statement for statement in self.writers[register] if statement.line < before]
        if not above or any(above[-1].line <= at < before for at in self.labels.values()):
            return None
        return above[-1]

    def has_backward_branch(self, predicate, after):
        """Whether a branch below a line on this predicate goes up: the predicate is a loop's bound."""
        return any(s.opcode == "bra" and s.guard.lstrip("!") == predicate and s.line > after and
                   self.labels.get(s.operands[0], s.line) < s.line for s in self.statements)
