#!/usr/bin/env python3
"""Prints a module with a function for every scalar operation that the PTX conversion serves.

One function an operation and type, scalar and as a vector of two. `--no-bf16` leaves out what
needs sm_90, and i1 division and shifts, which are undefined but for one operand, are kept: they
must still convert.
"""

import sys

INTEGERS = ["i1", "i8", "i16", "i32", "i64", "index"]
FLOATS = ["f16", "f32", "f64", "bf16"]
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}

count = 0


def function(arguments, result, op):
    """`op` uses %0, %1, ... for the arguments and names its own types."""
    global count
    parameters = ", ".join(f"%{i}: {type}" for i, type in enumerate(arguments))
    print(f"func.func @f{count}({parameters}) -> {result} {{\n  %r = {op}\n  return %r : {result}\n}}")
    count += 1


def vector(type):
    return f"vector<2x{type}>"


def shapes(*types):
    """The types as they are, and as vectors where a vector may have them."""
    yield types
    if "index" not in types:
        yield tuple(vector(type) for type in types)


def main():
    floats = FLOATS[:-1] if "--no-bf16" in sys.argv[1:] else FLOATS
    binary = ["addi", "subi", "muli", "andi", "ori", "xori", "divui", "divsi", "remui", "remsi",
              "minui", "maxui", "minsi", "maxsi", "shli", "shrui", "shrsi"]
    for type in INTEGERS:
        for (t,) in shapes(type):
            for op in binary:
                function([t, t], t, f"arith.{op} %0, %1 : {t}")
        for predicate in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]:
            function([type, type], "i1", f"arith.cmpi {predicate}, %0, %1 : {type}")
    for type in floats:
        for (t,) in shapes(type):
            for op in ["addf", "subf", "mulf", "divf", "maximumf", "minimumf"]:
                function([t, t], t, f"arith.{op} %0, %1 : {t}")
            function([t], t, f"arith.negf %0 : {t}")
            for op in ["sqrt", "absf", "floor", "ceil", "trunc", "roundeven"]:
                function([t], t, f"math.{op} %0 : {t}")
            function([t, t], t, f"math.copysign %0, %1 : {t}")
            function([t, t, t], t, f"math.fma %0, %1, %2 : {t}")
        for predicate in ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt",
                          "uge", "ult", "ule", "une", "uno", "true"]:
            function([type, type], "i1", f"arith.cmpf {predicate}, %0, %1 : {type}")
    for name in ["exp", "log", "sin", "cos", "rsqrt"]:
        function(["f32"], "f32", f"mettle.approximate {name} %0 : f32")
    for type in INTEGERS + floats:
        function(["i1", type, type], type, f"arith.select %0, %1, %2 : {type}")
        for narrow, wide in shapes("i1", type):
            if wide != type:
                function([narrow, wide, wide], wide, f"arith.select %0, %1, %2 : {narrow}, {wide}")

    for source in INTEGERS[:-1]:
        for target in INTEGERS[:-1]:
            for s, t in shapes(source, target):
                if BITS[source] < BITS[target]:
                    for op in ["extui", "extsi"]:
                        function([s], t, f"arith.{op} %0 : {s} to {t}")
                elif BITS[source] > BITS[target]:
                    function([s], t, f"arith.trunci %0 : {s} to {t}")
        for op in ["index_cast", "index_castui"]:
            if source != "i1":
                function([source], "index", f"arith.{op} %0 : {source} to index")
                function(["index"], source, f"arith.{op} %0 : index to {source}")
        for target in floats:
            for op in ["sitofp", "uitofp"]:
                function([source], target, f"arith.{op} %0 : {source} to {target}")
            for op in ["fptosi", "fptoui"]:
                function([target], source, f"arith.{op} %0 : {target} to {source}")
    for source in floats:
        for target in floats:
            if BITS[source] < BITS[target]:
                function([source], target, f"arith.extf %0 : {source} to {target}")
            elif BITS[source] > BITS[target]:
                for mode in ["to_nearest_even", "toward_zero", "downward", "upward"]:
                    # PTX narrows f32 to bf16 by the first two only.
                    if (source, target) != ("f32", "bf16") or mode in ("to_nearest_even", "toward_zero"):
                        function([source], target, f"arith.truncf %0 {mode} : {source} to {target}")
    for float_, integer in [("f16", "i16"), ("bf16", "i16"), ("f32", "i32"), ("f64", "i64")]:
        if float_ in floats:
            function([float_], integer, f"arith.bitcast %0 : {float_} to {integer}")
            function([integer], float_, f"arith.bitcast %0 : {integer} to {float_}")
    for type in ["i8", "i16", "i32", "i64"]:
        function([type], type, f"math.absi %0 : {type}")
    for type in ["i32", "i64"]:
        for op in ["ctpop", "ctlz", "cttz"]:
            function([type], type, f"math.{op} %0 : {type}")
    for type, value in [("i1", "true"), ("i8", "-128"), ("i16", "-32768"), ("i32", "-2147483648"),
                        ("i64", "-9223372036854775808"), ("index", "-1"), ("f16", "-0.0"), ("f32", "0x7fc00001"),
                        ("f64", "1.0e-310"), ("bf16", "0x7f80")]:
        function([], type, "arith.constant true" if type == "i1" else f"arith.constant {value} : {type}")
        function([], type, f"ub.poison : {type}")
    for type, values in [("i8", "[1, -1]"), ("f32", "[0.1, -0.0]"), ("i1", "[true, false]")]:
        function([], vector(type), f"arith.constant dense<{values}> : {vector(type)}")


main()
