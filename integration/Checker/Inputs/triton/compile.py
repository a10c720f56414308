#!/usr/bin/env python3
"""Compiles kernels.py for sm_90 with the Triton that runs this, with no GPU.

    compile.py OUT

writes OUT/KERNEL-CONFIGURATION-UNROLL-VERSION.ptx and prints an index line, as the corpus has them, for each.
"""

import json
import pathlib
import re
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

import kernels


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    version = ".".join(triton.__version__.split(".")[:2])
    for name, (types, scalars, grid, configurations) in kernels.KERNELS.items():
        function = kernels.FUNCTIONS[name]
        arguments = function.arg_names[:len(types)]
        for number, configuration in enumerate(configurations):
            for unroll in (1, 2) if "start" in function.src else (1,):
                constants = {k: v for k, v in configuration.items() if k[0] == "B"} | {"UNROLL": unroll}
                options = {k: v for k, v in configuration.items() if k.startswith("num_")}
                signature = dict(zip(arguments, types)) | {k: "constexpr" for k in constants}
                # Pointers and sizes are multiples of 16 where they are, as a launch would find.
                aligned = {(i,): [["tt.divisibility", 16]] for i, a in enumerate(arguments)
                           if types[i][0] == "*" or scalars[a] % 16 == 0}
                source = ASTSource(fn=function, signature=signature, constexprs=constants, attrs=aligned)
                compiled = triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)
                text = compiled.asm["ptx"]
                path = f"{name}-{number}-{unroll}-{version}.ptx"
                (out / path).write_text(text)
                print(json.dumps({
                    "kernel": name, "index": f"{number}-{unroll}-{version}", "ptx": path,
                    "entry": re.search(r"\.entry (\w+)", text).group(1), "threads": 32 * options["num_warps"],
                    "grid": grid(configuration), "dynamic_shared": compiled.metadata.shared,
                    "params": [scalars.get(a) for a in arguments]}))


main()
