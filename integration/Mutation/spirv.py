"""Faults of SPIR-V lowering: each operator changes every instruction of one form in a SPIR-V binary.

A form is an opcode, with the number of the OpenCL.std instruction where there is one. `mutants` names what a module has room
for, as (operator, form); `plant` makes one of them.
"""

import struct

NAMES = {12: "OpExtInst", 16: "OpExecutionMode", 43: "OpConstant", 61: "OpLoad", 62: "OpStore", 71: "OpDecorate", 83: "OpCopyObject", 67: "OpPtrAccessChain",
         109: "OpConvertFToU", 110: "OpConvertFToS", 111: "OpConvertSToF", 112: "OpConvertUToF", 113: "OpUConvert",
         114: "OpSConvert", 126: "OpSNegate", 127: "OpFNegate", 128: "OpIAdd", 130: "OpISub", 131: "OpFSub", 132: "OpIMul",
         134: "OpUDiv", 135: "OpSDiv", 136: "OpFDiv", 137: "OpUMod", 138: "OpSRem", 140: "OpFRem", 168: "OpLogicalNot",
         169: "OpSelect", 170: "OpIEqual", 171: "OpINotEqual", 172: "OpUGreaterThan", 173: "OpSGreaterThan",
         174: "OpUGreaterThanEqual", 175: "OpSGreaterThanEqual", 176: "OpULessThan", 177: "OpSLessThan",
         178: "OpULessThanEqual", 179: "OpSLessThanEqual", 180: "OpFOrdEqual", 182: "OpFOrdNotEqual", 183: "OpFUnordNotEqual",
         184: "OpFOrdLessThan", 186: "OpFOrdGreaterThan", 188: "OpFOrdLessThanEqual", 190: "OpFOrdGreaterThanEqual",
         194: "OpShiftRightLogical", 195: "OpShiftRightArithmetic", 196: "OpShiftLeftLogical", 200: "OpNot",
         197: "OpBitwiseOr", 198: "OpBitwiseXor", 199: "OpBitwiseAnd", 224: "OpControlBarrier", 250: "OpBranchConditional"}
SWAPPED = {130, 131, 134, 135, 136, 137, 138, 140, 194, 195, 196} | set(range(172, 180)) | {184, 186, 188, 190}
COMPARED = {170: 171, 171: 170, 180: 182, 182: 180, 183: 180, 172: 174, 174: 172, 173: 175, 175: 173, 176: 178, 178: 176,
            177: 179, 179: 177, 184: 188, 188: 184, 186: 190, 190: 186}
SIGNED = {134: 135, 135: 134, 137: 138, 138: 137, 194: 195, 195: 194, 113: 114, 114: 113, 109: 110, 110: 109, 111: 112, 112: 111,
          **{n: n ^ 1 for n in range(172, 180)}}
EXTENDED_SIGNED = {156: 157, 157: 156, 158: 159, 159: 158, 160: 203, 203: 160}  # s_ and u_ max, min, mul_hi
COPY = 83


class Module:
    def __init__(self, digits):
        data = bytes.fromhex(digits)
        words = struct.unpack(f"<{len(data) // 4}I", data)
        self.head, self.instructions, at = list(words[:5]), [], 5
        while at < len(words):
            size = words[at] >> 16
            self.instructions.append((words[at] & 0xffff, list(words[at + 1:at + size])))
            at += size
        # Integer constants: id -> (type, words)
        self.integers = {p[0] for op, p in self.instructions if op == 21}
        self.constants = {p[1]: p for op, p in self.instructions if op == 43 and p[0] in self.integers}
        self.added = []

    def another(self, id, value):
        """A constant of the type of `id`."""
        kind, self.head[3] = self.constants[id][0], self.head[3] + 1
        words = [(value >> 32 * n) & 0xffffffff for n in range(len(self.constants[id]) - 2)]
        self.added.append((id, [kind, self.head[3] - 1] + words))
        return self.head[3] - 1

    def digits(self):
        out = []
        for op, p in self.instructions:
            out.append((op, p))
            if op == 43:
                out += [(43, q) for id, q in self.added if id == p[1]]
        words = list(self.head)
        for op, p in out:
            words += [(len(p) + 1) << 16 | op] + p
        return struct.pack(f"<{len(words)}I", *words).hex()


def swap(module, op, p):
    if op in SWAPPED:
        return op, p[:2] + [p[3], p[2]]
    if op == 169:
        return op, p[:3] + [p[4], p[3]]
    if op == 12 and p[3] == 26:  # fma
        return op, p[:5] + [p[6], p[5]]
    return None


def comparison(module, op, p):
    return (COMPARED[op], p) if op in COMPARED else None


def sign(module, op, p):
    if op in SIGNED:
        return SIGNED[op], p
    return (op, p[:3] + [EXTENDED_SIGNED[p[3]]] + p[4:]) if op == 12 and p[3] in EXTENDED_SIGNED else None


def rounding(module, op, p):
    """Another mode of a conversion, another rounding to an integer."""
    if op == 71 and p[1] == 39:
        return op, [p[0], 39, 0 if p[2] else 1]
    table = {53: 66, 66: 53, 12: 25, 25: 12, 55: 66}  # rint, trunc, ceil, floor, round
    return (op, p[:3] + [table[p[3]]] + p[4:]) if op == 12 and p[3] in table else None


def flag(module, op, p):
    """Drops a decoration of arithmetic or the promise not to contract."""
    if op == 71 and p[1] in (28, 39, 40):
        return ()
    return () if op == 16 and p[1] == 31 else None


def constant(module, op, p):
    """An integer constant one too large."""
    if op not in (128, 130, 132, 134, 135, 137, 138, 194, 195, 196, 197, 198, 199, 67) and not 170 <= op <= 179:
        return None
    for n in (3, 2):
        if p[n] in module.constants:
            value = sum(word << 32 * k for k, word in enumerate(module.constants[p[n]][2:]))
            return op, p[:n] + [module.another(p[n], value + 1)] + p[n + 1:]
    return None


def barrier(module, op, p):
    return () if op == 224 else None


def scope(module, op, p):
    """A subgroup waits, where a workgroup waits."""
    return (op, [module.another(p[0], 3)] + p[1:]) if op == 224 else None


def branch(module, op, p):
    return (op, [p[0], p[2], p[1]] + p[3:]) if op == 250 else None


def forget(module, op, p):
    """A copy for an operation of one operand."""
    if op in (126, 127, 168, 200):
        return COPY, p
    return (COPY, p[:2] + [p[4]]) if op == 12 and p[3] in (23, 61, 141) else None  # fabs, sqrt, s_abs


OPERATORS = {function.__name__: function for function in
             (swap, comparison, sign, rounding, flag, constant, barrier, scope, branch, forget)}


def form(op, p):
    return NAMES.get(op, f"Op{op}") + (f" {p[3]}" if op == 12 else f" {p[1]}" if op in (16, 71) else "")


def mutants(digits):
    module = Module(digits)
    return {(operator, form(op, p)) for operator, change in OPERATORS.items() for op, p in module.instructions
            if change(module, op, p) is not None}


def plant(digits, mutant):
    operator, where = mutant
    module = Module(digits)
    result = []
    for op, p in module.instructions:
        changed = OPERATORS[operator](module, op, p) if form(op, p) == where else None
        result += [(op, p)] if changed is None else [changed] if changed else []
    module.instructions = result
    return module.digits()
