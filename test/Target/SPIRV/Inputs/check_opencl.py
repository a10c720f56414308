"""check_opencl.py BINARY...: the rules of OpenCL that spirv-val does not check for a version after 1.0.

From the OpenCL SPIR-V Environment Specification and, for interfaces, the SPIR-V specification. Each rule is one
function whose docstring is what the error says was expected.
"""

import re
import sys

from spirv_text import disassemble, fail

CAPABILITIES = {
    "Addresses", "Kernel", "Int8", "Int16", "Int64", "Float16", "Float64", "Vector16", "GenericPointer", "Linkage", "Groups",
    "Int64Atomics", "SubgroupDispatch", "SubgroupBallotKHR", "GroupNonUniform", "GroupNonUniformVote", "GroupNonUniformArithmetic",
    "GroupNonUniformBallot", "GroupNonUniformShuffle", "GroupNonUniformShuffleRelative", "GroupNonUniformClustered",
    "AtomicFloat32AddEXT", "AtomicFloat64AddEXT", "AtomicFloat32MinMaxEXT", "AtomicFloat64MinMaxEXT",
}
DECORATIONS = {"BuiltIn", "Alignment", "Constant", "FPRoundingMode", "FPFastMathMode", "Volatile", "LinkageAttributes"}
ORDERS = {0, 2, 4, 8, 16}
MEMORIES = 0x100 | 0x200


class Module:
    def __init__(self, path):
        self.path = path
        self.version, self.all = disassemble(path)
        self.by_id = {i.result: i for i in self.all if i.result}
        self.functions, current = {}, None
        for instruction in self.all:
            if instruction.opcode == "OpFunction":
                current = self.functions.setdefault(instruction.result, [])
            if current is not None:
                current.append(instruction)

    def of(self, opcode):
        return [i for i in self.all if i.opcode == opcode]

    def reached(self, function, seen=None):
        """Functions that `function` reaches through calls, itself first."""
        seen = [] if seen is None else seen
        if function not in seen:
            seen.append(function)
            for call in self.functions[function]:
                if call.opcode == "OpFunctionCall":
                    self.reached(call.operands[1], seen)
        return seen

    def constant(self, identifier):
        return int(self.by_id[identifier].operands[1])


def capabilities(module):
    """capabilities that OpenCL kernels may have, with Kernel and Addresses among them"""
    used = {i.operands[0] for i in module.of("OpCapability")}
    yield from used - CAPABILITIES
    yield from {"Kernel", "Addresses"} - used


def models(module):
    """the memory model Physical64 OpenCL"""
    yield from (i for i in module.of("OpMemoryModel") if i.operands != ["Physical64", "OpenCL"])


def imports(module):
    """no instructions but those of OpenCL.std"""
    yield from (i for i in module.of("OpExtInstImport") if i.operands != ['"OpenCL.std"'])


def entries(module):
    """entry points for kernels that return nothing and that nothing calls"""
    called = {i.operands[1] for i in module.of("OpFunctionCall")}
    for entry in module.of("OpEntryPoint"):
        function = module.by_id[entry.operands[1]]
        returns = module.by_id[function.operands[0]].opcode
        if entry.operands[0] != "Kernel" or returns != "OpTypeVoid" or entry.operands[1] in called:
            yield entry
    if not module.of("OpEntryPoint"):
        yield "no entry point"


def contraction(module):
    """the execution mode ContractionOff on each entry point"""
    off = {i.operands[0] for i in module.of("OpExecutionMode") if i.operands[1] == "ContractionOff"}
    yield from (i for i in module.of("OpEntryPoint") if i.operands[1] not in off)


def interfaces(module):
    """an interface that lists each variable reached once: before 1.4 inputs and outputs, from 1.4 on all"""
    variables = {i.result: i.operands[1] for i in module.all if i.opcode == "OpVariable" and i.operands[1] != "Function"}
    every = tuple(map(int, module.version.split("."))) >= (1, 4)
    for entry in module.of("OpEntryPoint"):
        used = {o for f in module.reached(entry.operands[1]) for i in module.functions[f] for o in i.ids() if o in variables}
        expected = sorted(o for o in used if every or variables[o] in ("Input", "Output"))
        if sorted(o for o in entry.operands[2:] if o.startswith("%")) != expected:
            yield entry


def parameters(module):
    """kernel parameters that are numbers or pointers to global, workgroup or constant memory"""
    for entry in module.of("OpEntryPoint"):
        for parameter in (i for i in module.functions[entry.operands[1]] if i.opcode == "OpFunctionParameter"):
            kind = module.by_id[parameter.operands[0]]
            if kind.opcode == "OpTypePointer":
                if kind.operands[0] not in ("CrossWorkgroup", "Workgroup", "UniformConstant"):
                    yield parameter
            elif kind.opcode not in ("OpTypeInt", "OpTypeFloat", "OpTypeVector"):
                yield parameter


def types(module):
    """integers of 8, 16, 32 or 64 bits without a sign, floats of 16, 32 or 64, vectors of 2, 3, 4, 8 or 16"""
    for i in module.of("OpTypeInt"):
        if i.operands[0] not in ("8", "16", "32", "64") or i.operands[1] != "0":
            yield i
    yield from (i for i in module.of("OpTypeFloat") if i.operands not in (["16"], ["32"], ["64"]))
    yield from (i for i in module.of("OpTypeVector") if i.operands[1] not in ("2", "3", "4", "8", "16"))
    yield from module.of("OpTypeRuntimeArray")


def decorations(module):
    """decorations that a kernel may have"""
    yield from (i for i in module.of("OpDecorate") if i.operands[1] not in DECORATIONS)


def variables(module):
    """function variables first in the first block, workgroup variables without a value"""
    for body in module.functions.values():
        inside = [i for i in body if i.opcode not in ("OpLine", "OpNoLine", "OpFunctionParameter")][2:]
        first = next((n for n, i in enumerate(inside) if i.opcode != "OpVariable"), len(inside))
        yield from (i for i in inside[first:] if i.opcode == "OpVariable")
    yield from (i for i in module.of("OpVariable") if i.operands[1] == "Workgroup" and len(i.operands) > 2)


def accesses(module):
    """an alignment on each access, but for loads of built-ins"""
    builtins = {i.operands[0] for i in module.of("OpDecorate") if i.operands[1] == "BuiltIn"}
    for i in module.of("OpLoad"):
        if i.operands[1] not in builtins and not any("Aligned" in o for o in i.operands[2:]):
            yield i
    yield from (i for i in module.of("OpStore") if not any("Aligned" in o for o in i.operands[2:]))


def barriers(module):
    """barriers of the workgroup or the subgroup with one order and the memories of the workgroup and the device"""
    for i in module.of("OpControlBarrier"):
        execution, scope, semantics = map(module.constant, i.operands)
        if execution not in (2, 3) or scope not in (1, 2, 3):
            yield i
        elif semantics & ~MEMORIES not in ORDERS or (semantics & ~MEMORIES and not semantics & MEMORIES):
            yield i


def recursion(module):
    """no function that reaches itself"""
    for function, body in module.functions.items():
        for call in body:
            if call.opcode == "OpFunctionCall" and function in module.reached(call.operands[1]):
                yield call


RULES = [capabilities, models, imports, entries, contraction, interfaces, parameters, types, decorations, variables,
         accesses, barriers, recursion]


def main():
    for path in sys.argv[1:]:
        module = Module(path)
        for rule in RULES:
            for fault in rule(module):
                fail(f"{rule.__name__}: expected {re.sub(chr(10) + ' *', ' ', rule.__doc__)}, got {fault}")
    print(f"{len(RULES)} rules hold")


main()
