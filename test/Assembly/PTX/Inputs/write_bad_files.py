"""Writes the files of not-ptx.test: what is not PTX, cut off, nested too deep or too long."""

import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
HEADER = ".version 8.0\n.target sm_90\n"
BODY = HEADER + ".visible .entry k()\n{\n"
files = {
    "empty": "",
    "comment": "  // nothing else\n",
    "elf": b"\x7fELF\x02\x01\x01\x00\n\n",
    "noise": bytes((i * 7 + 156) % 256 for i in range(10000)),
    "spirv": b"\x03\x02\x23\x07\x00\x00\x01\x00",
    "spirv-text": "; SPIR-V\n; Version: 1.4\n OpCapability Kernel\n",
    "amdgcn": '\t.text\n\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n\ts_load_dwordx2 s[0:1], s[4:5], 0x0\n',
    "sass": '\tcode for sm_90\n\t\tFunction : k\n\t.headerflags\t@"EF_CUDA_SM90"\n    /*0000*/  LDC R1, c[0x0][0x28] ;\n',
    "llvm": "; ModuleID = 'm'\ntarget triple = \"nvptx64-nvidia-cuda\"\n",
    "zero": (BODY + "  \0\n}\n").encode(),
    "cut-body": BODY + "\tret;\n",
    "cut-block": BODY + "\t{ ret;\n",
    "cut-instruction": BODY + "\tpmevent 1, ",
    "cut-comment": BODY + "\tret; /* } \n",
    "cut-section": HEADER + ".section .debug_str {\n.b8 1",
    "cut-initializer": HEADER + ".global .u32 x[2] = {1, ",
    "deep-blocks": BODY + "{" * 100000 + "}" * 100000 + "\n}\n",
    "deep-parentheses": BODY + ".reg .b32 r; mov.b32 r, " + "(" * 100000 + "1" + ")" * 100000 + ";\n}\n",
    "deep-signs": BODY + ".reg .b32 r; mov.b32 r, " + "~" * 100000 + "1;\n}\n",
    "deep-conditions": BODY + ".reg .b32 r; mov.b32 r, " + "1?" * 100000 + "1" + ":1" * 100000 + ";\n}\n",
    "deep-vectors": BODY + ".reg .b32 r; mov.b32 r, " + "{" * 100000 + "1" + "}" * 100000 + ";\n}\n",
    "deep-initializer": HEADER + ".global .u32 x[1] = " + "{" * 100000 + "1" + "}" * 100000 + ";\n",
    "two-mebibytes": BODY + "  membar.gl;    \n" * 131072 + "}\n",
}
for name, content in files.items():
    data = content if isinstance(content, bytes) else content.encode()
    (folder / (name + ".ptx")).write_bytes(data)
