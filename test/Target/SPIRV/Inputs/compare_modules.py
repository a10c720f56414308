"""compare_modules.py OURS THEIRS: whether two SPIR-V binaries hold the same instructions.

They are compared as multisets, modulo ids: an id stands for the instruction that makes it, down to its operands' operands,
so that two modules with the same instructions on other values differ. Names, lines and alignments, which upstream's
serializer does not write alike, are left out.
"""

import collections
import sys

from spirv_text import DEBUG, disassemble, fail


def is_compared(instruction):
    if instruction.opcode in DEBUG:
        return False
    return not (instruction.opcode == "OpDecorate" and instruction.operands[1] == "Alignment")


def labels(instructions):
    """A label for each instruction that does not depend on how ids are numbered.

    Labels of ids are refined from opcodes and literals by their operands' labels until they tell no more ids apart
    (Weisfeiler and Leman), since phis make cycles.
    """
    of_id = {i.result: i.opcode for i in instructions if i.result}

    def label(instruction):
        operands = [of_id.get(o, "?") if o.startswith("%") else o for o in instruction.operands]
        if instruction.opcode == "OpPhi":
            pairs = sorted(zip(operands[1::2], operands[2::2]))
            operands = operands[:1] + [part for pair in pairs for part in pair]
        return hash((instruction.opcode, *operands))

    classes = 0
    while True:
        refined = {i.result: label(i) for i in instructions if i.result}
        if len(set(refined.values())) <= classes:
            return [(label(i), i) for i in instructions]
        classes = len(set(refined.values()))
        of_id = refined


def main():
    ours, theirs = ([i for i in disassemble(path)[1] if is_compared(i)] for path in sys.argv[1:3])
    counted = [collections.Counter(label for label, _ in labels(side)) for side in (ours, theirs)]
    for name, side, had, other in (("ours", ours, *counted), ("theirs", theirs, *reversed(counted))):
        for label, instruction in labels(side):
            if had[label] != other[label]:
                fail(f"only {name} has: {instruction}")
    print(f"{len(ours)} instructions are equal")


main()
