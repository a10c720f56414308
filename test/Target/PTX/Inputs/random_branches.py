"""Random control flow with block arguments: what the emitted PTX does against what the IR says.

Usage: random_branches.py DEEP (0 or 1)

Each kernel is made as a list of blocks, whose meaning this file computes by assigning all block arguments
at once. It is also emitted, ptxas must take it, and the text is run by a simulator of the six
instructions it may hold. Both must store the same numbers. Seeds are fixed.
"""

import random
import re
import subprocess
import sys

STEPS = 200


class Block:
    """Arguments are registers of one of two classes; the end is a tuple of up to two edges."""

    def __init__(self, classes):
        self.classes = classes
        self.edges = []


def make_kernel(rng):
    """Blocks whose every edge passes arguments of the current block, or one of them plus one."""
    blocks = [Block([])] + [Block([rng.choice(("b32", "b64")) for _ in range(rng.randrange(6))])
                            for _ in range(rng.randrange(1, 8))]
    for block in blocks:
        for _ in range(rng.randrange(3) if block is not blocks[0] else rng.randrange(1, 3)):
            target = rng.randrange(1, len(blocks))
            sources = []
            for wanted in blocks[target].classes:
                same = [i for i, have in enumerate(block.classes) if have == wanted]
                sources.append(rng.choice(same) if same and rng.random() < 0.9 else None)
            block.edges.append((target, sources))
    return blocks


def value(block, source, wanted):
    """The IR name of what an edge passes: an argument, or the block's own number."""
    return f"%x{block}_{source}" if source is not None else f"%own{block}_{wanted}"


def to_ir(blocks):
    """Each block stores its arguments, counts down, and branches on the parity of the countdown."""
    lines = ["ptx.entry @k(%p: !ptx.b64, %fuel: !ptx.b64) {", "  %one = ptx.inst mov.s64 1",
             "  %zero = ptx.inst mov.s64 0"]
    for number, block in enumerate(blocks):
        if number:
            arguments = [f"%x{number}_{i}: !ptx.{c}" for i, c in enumerate(block.classes)] + [f"%f{number}: !ptx.b64"]
            lines.append(f"^b{number}({', '.join(arguments)}):")
        fuel = f"%f{number}" if number else "%fuel"
        lines.append(f"  %own{number}_b32 = ptx.inst mov.s32 {number + 100}")
        lines.append(f"  %own{number}_b64 = ptx.inst mov.s64 {number + 200}")
        for i, c in enumerate(block.classes):
            lines.append(f"  ptx.inst st.global.{c} %p, {8 * i}, %x{number}_{i}")
        lines.append(f"  %next{number} = ptx.inst sub.s64 {fuel}, %one")
        lines.append(f"  %odd{number} = ptx.inst and.b64 {fuel}, %one")
        edges = []
        for target, sources in block.edges:
            wanted = blocks[target].classes
            names = [value(number, s, c) for s, c in zip(sources, wanted)] + [f"%next{number}"]
            types = [f"!ptx.{c}" for c in wanted] + ["!ptx.b64"]
            edges.append(f"^b{target}({', '.join(names)} : {', '.join(types)})")
        if len(edges) == 2:
            lines.append(f"  %c{number} = ptx.inst setp.ne.b64 %odd{number}, %zero")
            lines.append(f"  ptx.cond_bra %c{number}, {edges[0]}, {edges[1]}")
        elif edges:
            lines.append(f"  ptx.bra {edges[0]}")
        else:
            lines.append("  ptx.ret")
    return "\n".join(lines + ["}", ""])


def expected_stores(blocks):
    """Runs the blocks, all arguments of an edge at once."""
    stores, at, arguments, fuel = [], 0, [], STEPS
    for _ in range(STEPS + 1):
        block = blocks[at]
        stores += [(8 * i, x) for i, x in enumerate(arguments)]
        if not block.edges:
            break
        target, sources = block.edges[0 if len(block.edges) == 1 or fuel & 1 else 1]
        arguments = [arguments[s] if s is not None else at + (100 if c == "b32" else 200)
                     for s, c in zip(sources, blocks[target].classes)]
        at, fuel = target, fuel - 1
    return stores


def run_ptx(text):
    """The stores of the emitted kernel, until fuel is used up."""
    body = text[text.index("{") + 1:text.rindex("}")]
    lines = [line.strip().rstrip(";") for line in body.splitlines() if line.strip()]
    code = [line for line in lines if not line.startswith(".")]
    labels = {line[:-1]: i for i, line in enumerate(code) if line.endswith(":")}
    registers, stores, at = {}, [], 0

    def read(text):
        return registers[text] if text.startswith("%") else int(text)

    while True:
        line = code[at]
        at += 1
        if line.endswith(":"):
            continue
        if guard := re.match(r"@(!?)(%p\d+) (.*)", line):
            if bool(registers[guard[2]]) == bool(guard[1]):
                continue
            line = guard[3]
        name, _, rest = line.partition(" ")
        operands = [operand.strip() for operand in rest.split(",")]
        if name == "ret":
            return stores
        if name == "bra":
            at = labels[operands[0]]
        elif name.startswith("ld.param"):
            registers[operands[0]] = 0 if operands[1] == "[k_param_0]" else STEPS
        elif name.startswith("mov."):
            registers[operands[0]] = read(operands[1])
        elif name == "sub.s64":
            registers[operands[0]] = read(operands[1]) - read(operands[2])
            if registers[operands[0]] < 0:
                return stores
        elif name == "and.b64":
            registers[operands[0]] = read(operands[1]) & read(operands[2])
        elif name == "setp.ne.b64":
            registers[operands[0]] = read(operands[1]) != read(operands[2])
        elif name.startswith("st.global"):
            stores.append((int(re.search(r"\+(\d+)\]", operands[0])[1]), read(operands[1])))
        else:
            sys.exit(f"the simulator does not know '{line}'")


def check(seeds):
    """Prints what differs; returns the number of wrong kernels and of stores."""
    wrong, stored = 0, 0
    kernels = [make_kernel(random.Random(seed)) for seed in seeds]
    run = subprocess.run(["mettle-translate", "--ptx-to-text", "--split-input-file",
                          "--output-split-marker=// next"], input="// -----\n".join(map(to_ir, kernels)),
                         capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    texts = run.stdout.split("// next\n")
    for seed, blocks, text in zip(seeds, kernels, texts, strict=True):
        expected, got = expected_stores(blocks), run_ptx(text)
        stored += len(expected)
        if expected != got:
            wrong += 1
            print(f"seed {seed}: expected {expected[:8]}, got {got[:8]}\n{text}")
    # All in one file for ptxas, each as an entry of its own.
    header = texts[0][:texts[0].index(".visible")]
    entries = "".join(re.sub(r"\bk(?=\(|_param)", f"k{seed}", text[text.index(".visible"):])
                      for seed, text in zip(seeds, texts))
    judge = subprocess.run(["ptxas", "-arch=sm_75", "-O0", "-", "-o", "/dev/null"], input=header + entries,
                           capture_output=True, text=True)
    if judge.returncode:
        sys.exit(judge.stderr)
    return wrong, stored


def main():
    batches, size = (10, 500) if sys.argv[1] == "1" else (1, 300)
    results = [check(range(batch * size, (batch + 1) * size)) for batch in range(batches)]
    wrong, stored = map(sum, zip(*results))
    print(f"{batches * size} kernels, {stored} stores, {wrong} wrong")
    sys.exit(bool(wrong) or stored < batches * size)


if __name__ == "__main__":
    main()
