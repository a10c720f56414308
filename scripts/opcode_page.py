"""The reference page of the opcodes the PTX reader knows, from the rows of Opcodes.def."""

import pathlib
import re

DEFINITIONS = "include/Mettle/Assembly/PTX/Opcodes.def"
ROW = re.compile(r'^METTLE_PTX_OPCODE\((\w+), (\w+), "([^"]*)", "([^"]*)", (\w+), "([^"]*)", "([^"]*)"\)$')
ALIAS = re.compile(r'^METTLE_PTX_OPCODE_ALIAS\((\w+), "([^"]*)"\)$')

HEAD = """# Opcodes of the PTX reader

Roles, one letter an operand: `w` registers are written, an address is stored to; `r` read, an address is loaded
from; `x` read and written; `u` an address is loaded from and stored to, a register is read; `p` an address is named,
its memory left alone; `c` code. `(`: a written list may come first. `?`: what follows may be absent. `*`: any number
of further operands, read. Targets: the least SM number, or alternatives of which one must hold (`90a` only that
architecture, `100f` that family). Opcodes that stand in no row are read as opaque instructions.
"""


def opcode_page(source: pathlib.Path) -> str:
    lines = (source / DEFINITIONS).read_text().splitlines()
    aliases = {}
    for line in lines:
        if match := ALIAS.match(line):
            aliases.setdefault(match[1], []).append(match[2])
    text = HEAD
    for line, following in zip(lines, lines[1:] + [""]):
        if line.startswith("// ") and following.startswith("METTLE_PTX_OPCODE("):
            text += f"\n## {line[3:-1]}\n\n| opcode | roles | flow | targets | example |\n|---|---|---|---|---|\n"
        elif match := ROW.match(line):
            enumerator, _, name, roles, flow, targets, example = match.groups()
            names = ", ".join(f"`{one}`" for one in [name] + aliases.get(enumerator, []))
            cells = [names, f"`{roles}`" if roles else "", "" if flow == "Next" else flow, targets,
                     "`" + example.replace("|", "\\|") + "`" if example else ""]
            text += "| " + " | ".join(cells) + " |\n"
    return text
