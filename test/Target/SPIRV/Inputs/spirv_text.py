"""Reads SPIR-V binaries through spirv-dis: what the judges of our encoder share."""

import re
import subprocess
import sys

DEBUG = {"OpName", "OpMemberName", "OpLine", "OpNoLine", "OpString", "OpSource"}
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')


class Instruction:
    """One instruction: its result id or None, its opcode, and its operands as spirv-dis spells them."""

    def __init__(self, line):
        tokens = TOKEN.findall(line)
        self.result = None
        if len(tokens) > 2 and tokens[1] == "=":
            self.result = tokens[0]
            tokens = tokens[2:]
        self.opcode, *self.operands = tokens

    def ids(self):
        return [operand for operand in self.operands if operand.startswith("%")]

    def __str__(self):
        text = " ".join([self.opcode, *self.operands])
        return f"{self.result} = {text}" if self.result else text


def disassemble(path):
    """(version, instructions) of a binary."""
    text = subprocess.run(["spirv-dis", "--raw-id", "--no-indent", "--no-color", path], check=True,
                          capture_output=True, text=True).stdout
    version = re.search(r"^; Version: (\S+)", text, re.MULTILINE).group(1)
    lines = (line.split(";", 1)[0].strip() if line.startswith(";") else line.strip() for line in text.splitlines())
    return version, [Instruction(line) for line in lines if line]


def fail(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(1)
