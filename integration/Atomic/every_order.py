#!/usr/bin/env python3
"""Every atomic operation with every order, scope and memory: the text of both targets, word for word.

    every_order.py ARCH...

One kernel for each combination that the dialect allows goes to PTX, where each ARCH is what ptxas is
asked about, and to SPIR-V 1.0 and 1.4, which spirv-val judges. What must stand there is worked out
here, from the rules of the targets: PTX ISA "Memory Consistency Model" with the mapping of C++ orders
by Lustig et al. (2019), SPIR-V "Memory Semantics" and the OpenCL environment specification.
"""

import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
SUCCESS_AND_FAILURE = [(success, failure) for success in ORDERS for failure in ["relaxed", "acquire", "seq_cst"]
                       if failure == "relaxed" or success == "seq_cst"
                       or (failure == "acquire" and success in ["acquire", "acq_rel"])]
ACQUIRES, RELEASES = {"acquire", "acq_rel", "seq_cst"}, {"release", "acq_rel", "seq_cst"}
# Kind: what PTX calls it, with the type, and the SPIR-V instruction.
KINDS = {"add": ("add.u", "OpAtomicIAdd"), "sub": ("add.u", "OpAtomicISub"), "smin": ("min.s", "OpAtomicSMin"),
         "smax": ("max.s", "OpAtomicSMax"), "umin": ("min.u", "OpAtomicUMin"), "umax": ("max.u", "OpAtomicUMax"),
         "and": ("and.b", "OpAtomicAnd"), "or": ("or.b", "OpAtomicOr"), "xor": ("xor.b", "OpAtomicXor"),
         "exchange": ("exch.b", "OpAtomicExchange"), "fadd": ("add.f", "OpAtomicFAddEXT")}
BITS = {"relaxed": 0x0, "acquire": 0x2, "release": 0x4, "acq_rel": 0x8, "seq_cst": 0x10}
MEMORY = {"workgroup": 0x100, "global": 0x200}


class Case:
    """One operation: its MLIR, its lines of PTX, its instruction of SPIR-V with the literals it names."""

    def __init__(self, name, kind, order, failure, scope, space, width):
        self.name, self.space, self.width = name, space, width
        isFloat = kind == "fadd"
        element = f"{'f' if isFloat else 'i'}{width}"
        pointer = f"!mettle.ptr<{element}, {space}>"
        orders = f"{order} {failure}" if failure else order
        words = {"atomic_load": f"%r = mettle.atomic_load {orders} {scope} %p",
                 "atomic_store": f"mettle.atomic_store {orders} {scope} %v, %p",
                 "atomic_cmpxchg": f"%r = mettle.atomic_cmpxchg {orders} {scope} %p, %v, %v"}
        operation = words.get(kind, f"%r = mettle.atomic_rmw {kind} {orders} {scope} %p, %v" + " unordered" * isFloat)
        # Memory of the workgroup starts uninitialised, which no text depends on.
        place = f"  %p = mettle.alloc[1] : {pointer}\n" if space == "workgroup" else ""
        generic = space == "generic"
        source = f"!mettle.ptr<{element}, global>"
        if generic:
            # Of two memories: one alone would be named (mettle-infer-address-spaces).
            shared = f"!mettle.ptr<{element}, workgroup>"
            place = (f"  %s = mettle.alloc[1] : {shared}\n  %sg = mettle.space_cast %s : {shared} to {pointer}\n"
                     f"  %gg = mettle.space_cast %g : {source} to {pointer}\n  %zero = arith.constant 0 : i32\n"
                     f"  %c = arith.cmpi eq, %which, %zero : i32\n  %p = arith.select %c, %sg, %gg : {pointer}\n")
        parameter = "" if space == "workgroup" else f"%g: {source}, %which: i32, " if generic else f"%p: {source}, "
        self.mlir = (f"mettle.kernel @{name}({parameter}%v: {element}) {{\n{place}"
                     f"  {operation} : {pointer}\n  mettle.return\n}}\n")
        self.ptx = self.expected_ptx(kind, order, scope, space, width)
        self.spirv = self.expected_spirv(kind, order, failure, scope, space)

    @staticmethod
    def expected_ptx(kind, order, scope, space, width):
        ptx_scope = {"workgroup": "cta", "device": "gpu"}[scope]
        ptx_space = {"workgroup": ".shared", "global": ".global", "generic": ""}[space]
        lines = [f"fence.sc.{ptx_scope}"] if order == "seq_cst" else []
        if kind == "atomic_load":
            own = "acquire" if order in ACQUIRES else "relaxed"
            return lines + [f"ld.{own}.{ptx_scope}{ptx_space}.b{width}"]
        if kind == "atomic_store":
            own = "release" if order in RELEASES else "relaxed"
            return lines + [f"st.{own}.{ptx_scope}{ptx_space}.b{width}"]
        own = "acq_rel" if order == "seq_cst" else order
        what = f"cas.b{width}" if kind == "atomic_cmpxchg" else f"{KINDS[kind][0]}{width}"
        return lines + [f"atom.{own}.{ptx_scope}{ptx_space}.{what}"]

    @staticmethod
    def expected_spirv(kind, order, failure, scope, space):
        if space == "generic":
            return None
        number = {"workgroup": 2, "device": 1}[scope]

        def semantics(word):
            return 0 if word == "relaxed" else BITS[word] | MEMORY[space]

        names = {"atomic_load": "OpAtomicLoad", "atomic_store": "OpAtomicStore",
                 "atomic_cmpxchg": "OpAtomicCompareExchange"}
        literals = [number, semantics(order)] + ([semantics(failure)] if failure else [])
        return (names.get(kind) or KINDS[kind][1], literals)


def cases():
    combinations = [("atomic_load", order, None) for order in ["relaxed", "acquire", "seq_cst"]]
    combinations += [("atomic_store", order, None) for order in ["relaxed", "release", "seq_cst"]]
    combinations += [("atomic_cmpxchg", success, failure) for success, failure in SUCCESS_AND_FAILURE]
    combinations += [(kind, order, None) for kind in KINDS for order in ORDERS]
    number = itertools.count()
    for (kind, order, failure), width, (space, scope) in itertools.product(
            combinations, [32, 64], [("workgroup", "workgroup"), ("global", "workgroup"), ("global", "device"),
                                     ("generic", "workgroup"), ("generic", "device")]):
        yield Case(f"k{next(number)}", kind, order, failure, scope, space, width)


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    return result.stdout


def check_ptx(folder, all_cases, architectures):
    source = folder / "all.mlir"
    source.write_text("".join(case.mlir for case in all_cases))
    text = run("mettle-translate", "--mettle-to-ptx", source)
    bodies = dict(re.findall(r"\.entry (\w+)\(.*?\{(.*?)^\}", text, re.S | re.M))
    wrong = 0
    for case in all_cases:
        got = re.findall(r"^\s*((?:fence|ld\.(?:relaxed|acquire)|st\.(?:relaxed|release)|atom)[\w.]*)",
                         bodies[case.name], re.M)
        if got != case.ptx:
            wrong += 1
            print(f"{case.mlir}PTX has {got}, expected {case.ptx}")
    for architecture in architectures:
        ptx = folder / f"{architecture}.ptx"
        run("mettle-translate", "--mettle-to-ptx", f"--gpu-arch={architecture}", source, "-o", ptx)
        run("ptxas", f"-arch={architecture}", ptx, "-o", folder / "all.cubin")
    return wrong


def check_spirv(folder, all_cases, version, environment):
    source = folder / "spirv.mlir"
    source.write_text("".join(case.mlir for case in all_cases if case.spirv))
    binary = folder / "all.spv"
    run("mettle-translate", "--mettle-to-spirv", f"--spirv-version={version}", source, "-o", binary)
    run("spirv-val", "--target-env", environment, binary)
    text = run("spirv-dis", "--raw-id", binary)
    constants = dict(re.findall(r"(%\d+) = OpConstant %\d+ (\d+)", text))
    functions = dict(re.findall(r'OpEntryPoint Kernel (%\d+) "(\w+)"', text))
    bodies = {functions[number]: body for number, body in
              re.findall(r"(%\d+) = OpFunction (.*?)OpFunctionEnd", text, re.S) if number in functions}
    wrong = 0
    for case in all_cases:
        if not case.spirv:
            continue
        found = re.findall(r"(OpAtomic\w+) (.*)", bodies[case.name])
        name, literals = case.spirv
        # A store has no result type before its pointer.
        skip = 1 if name == "OpAtomicStore" else 2
        got = [(opcode, [int(constants[word]) for word in operands.split()[skip:skip + len(literals)]])
               for opcode, operands in found]
        if got != [(name, literals)]:
            wrong += 1
            print(f"{case.mlir}SPIR-V {version} has {got}, expected {case.spirv}")
    return wrong


def main():
    all_cases = list(cases())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wrong = check_ptx(folder, all_cases, sys.argv[1:])
        # The environment of OpenCL 2.0 knows no 64-bit atomics, which are an extension of it.
        wrong += check_spirv(folder, all_cases, "1.0", "spv1.0")
        wrong += check_spirv(folder, [case for case in all_cases if case.width == 32], "1.0", "opencl2.0")
        wrong += check_spirv(folder, all_cases, "1.4", "spv1.4")
    print(f"{len(all_cases)} combinations, {wrong} differ")
    sys.exit(wrong != 0)


main()
