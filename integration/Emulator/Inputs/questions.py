#!/usr/bin/env python3
"""Writes PTX that asks a GPU what single instructions return, and the launches to ask it with.

Usage: questions.py FOLDER        FOLDER/KERNEL.ptx for each kernel below, and FOLDER/launches.json

A kernel has a thread for each of 1,024 rows of operands: every pair of 30 special words of the operands' type (zeros,
subnormals, bounds, infinities, NaNs with payloads), then random words. Each instruction has an output of its own, named by
its text, so that `mettle-emulate replay` says which one differs, and where. The list holds what PTX leaves open or
nobody had measured: words of NaNs, conversions of what does not fit, division by zero, counts beyond the width, atomics
on floats, min and max.
"""

import base64
import json
import pathlib
import random
import struct
import sys
import zlib

THREADS, BLOCKS = 256, 4
ROWS = THREADS * BLOCKS

SPECIAL = {
    "f32": [0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x00800000, 0x80800000, 0x33800000, 0x3F000000, 0x3F7FFFFF,
            0x3F800000, 0xBF800000, 0x3FC00000, 0xC0200000, 0x477FE000, 0x477FF000, 0x43E80000, 0x47600000, 0x4F000000,
            0xCF000001, 0x4F800000, 0x5F800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFFFFFFF,
            0x7F800001, 0xFF812345, 0x7FD12345],
    "f64": [0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF, 0x0010000000000000,
            0x8010000000000000, 0x380FFFFFFFFFFFFF, 0x36A0000000000000, 0x3FE0000000000000, 0x3FEFFFFFFFFFFFFF,
            0x3FF0000000000000, 0xBFF0000000000000, 0x3FF8000000000000, 0xC004000000000000, 0x41DFFFFFFFC00000,
            0xC1E0000000200000, 0x41F0000000000000, 0x43F0000000000000, 0x47EFFFFFF0000000, 0x7FEFFFFFFFFFFFFF,
            0xFFEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0xFFFFFFFFFFFFFFFF,
            0x7FF0000000000001, 0xFFF0123456789ABC, 0x7FF8123456789ABC, 0xFFF8000000000000, 0x7FF4000020000000],
    "f16": [0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x8400, 0x1400, 0x3800, 0x3BFF, 0x3C00, 0xBC00, 0x3E00, 0xC100, 0x4248,
            0x5BFF, 0xD800, 0x5F40, 0x7000, 0xF000, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFFFF, 0x7C01, 0xFD23, 0x7E45,
            0x0200, 0x4C00],
    "bf16": [0x0000, 0x8000, 0x0001, 0x807F, 0x0080, 0x8080, 0x3380, 0x3F00, 0x3F7F, 0x3F80, 0xBF80, 0x3FC0, 0xC020, 0x4049,
             0x477F, 0x4F00, 0xCF01, 0x4F80, 0x5F80, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0xFFFF, 0x7F81, 0xFF92, 0x7FD1,
             0x0040, 0x4300],
    "b32": [0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFF, 0xFFFFFF,
            0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFF80, 0xFFFFFFFF, 0xDEADBEEF, 0x01234567, 0x80FF7F00],
    "b64": [0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 255, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000,
            0x1FFFFFF, 0x20000000000001, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0x8000000000000001, 0xFFFFFFFFFFFFFFFF,
            0xFFFFFFFF80000000, 0xFFFFFFFF7FFFFFFF, 0xDEADBEEFCAFEF00D, 0x0123456789ABCDEF, 0xFFFFFFFFFFFFFF80, 0x8000, 0x100],
    "b16": [0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 63, 127, 128, 129, 255, 256, 0x1FF, 0x3FF, 0x7FF, 0x7F80, 0x7FFF, 0x8000,
            0x8001, 0xFF80, 0xFF7F, 0xFFFF, 0xDEAD, 0x1234, 0x7E7F],
}
BITS = {"f32": 32, "f64": 64, "f16": 16, "bf16": 16, "b32": 32, "b64": 64, "b16": 16, "f16x2": 32, "bf16x2": 32}
OUTPUTS = {16: "int16", 32: "int32", 64: "int64"}


def column(kind, which):
    """The words of operand `which` (0, 1, 2) of all rows."""
    if kind.endswith("x2"):
        half = kind[:-2]
        low, high = column(half, which), column(half, (which + 1) % 3)
        return [l | h << 16 for l, h in zip(low, high)]
    special, bits, words = SPECIAL[kind], BITS[kind], []
    chooser = random.Random(f"{kind} {which}")
    for row in range(ROWS):
        pair = divmod(row, len(special))
        if pair[0] >= len(special):
            words.append(chooser.getrandbits(bits))
        else:
            words.append(special[pair[which]] if which < 2 else chooser.choice(special))
    return words


KERNELS = {}


def ask(name, operands, templates, bits):
    """Instructions on operands of these types, each giving a word of `bits`. In a template $d is the result, $a, $b, $c
    operands, $p a predicate, $t a spare register of the result's width, $m the thread's word of the output, $s one of
    shared memory. What has no $d leaves its result at $m."""
    KERNELS.setdefault(name, (operands, []))[1].extend((template, bits) for template in templates)


def each(text, **sets):
    """The template for every choice of words for its {names}."""
    texts = [text]
    for key, words in sets.items():
        texts = [one.replace("{" + key + "}", word) for one in texts for word in words.split(" ")]
    return [one.replace("._", "") for one in texts]


def truth(texts):
    return [text + " selp.b32 $d, 1, 0, $p;" for text in texts]


COMPARE = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"

ask("f32_binary", ["f32", "f32"],
    each("{op}{r}{f}{s}.f32 $d, $a, $b;", op="add sub mul", r=".rn .rz .rm .rp", f="._ .ftz", s="._ .sat")
    + each("div{r}{f}.f32 $d, $a, $b;", r=".rn .rz .rm .rp .approx .full", f="._ .ftz")
    + each("{op}{f}{n}{x}.f32 $d, $a, $b;", op="min max", f="._ .ftz", n="._ .NaN", x="._ .xorsign.abs")
    + each("copysign.f32 $d, $a, $b;")
    + each("set.{c}{f}.{t}.f32 $d, $a, $b;", c="lt neu nan", f="._ .ftz", t="u32 f32")
    + truth(each("setp.{c}{f}.f32 $p, $a, $b;", c=COMPARE, f="._ .ftz")), 32)
ask("f32_unary", ["f32", "f32"],
    each("{op}{f}.f32 $d, $a;", op="abs neg", f="._ .ftz")
    + each("{op}{r}{f}.f32 $d, $a;", op="rcp sqrt", r=".rn .rz .rm .rp .approx", f="._ .ftz")
    + each("{op}.approx{f}.f32 $d, $a;", op="ex2 lg2 rsqrt sin cos", f="._ .ftz") + ["tanh.approx.f32 $d, $a;"]
    + truth(each("testp.{c}.f32 $p, $a;", c="finite infinite number notanumber normal subnormal"))
    + each("cvt{r}{f}{s}.f32.f32 $d, $a;", r=".rni .rzi .rmi .rpi", f="._ .ftz", s="._ .sat")
    + each("cvt{f}{s}.f32.f32 $d, $a;", f="._ .ftz", s="._ .sat"), 32)
ask("f32_fma", ["f32", "f32", "f32"],
    each("fma{r}{f}{s}.f32 $d, $a, $b, $c;", r=".rn .rz .rm .rp", f="._ .ftz", s="._ .sat")
    + each("slct{f}.b32.f32 $d, $a, $b, $c;", f="._ .ftz")
    + each("mul.rn.f32 $t, $a, $b; {op}.f32 $d, $t, $c;", op="add add.rn")
    + ["mul.ftz.f32 $t, $a, $b; add.f32 $d, $t, $c;"], 32)
# Those that ptxas contracts: the emulator does not.
ask("contracted_f32", ["f32", "f32", "f32"],
    each("mul.f32 $t, $a, $b; {op}.f32 $d, $t, $c;", op="add sub")
    + each("div.full.f32 $t, $a, $b; {op}.f32 $d, $t, $c;", op="add sub")
    + ["mul.ftz.f32 $t, $a, $b; add.ftz.f32 $d, $t, $c;"], 32)
ask("contracted_f64", ["f64", "f64", "f64"], each("mul.f64 $t, $a, $b; {op}.f64 $d, $t, $c;", op="add sub"), 64)
for half in ("f16", "bf16"):
    ask("contracted_" + half, [half, half, half], each("mul.{h} $t, $a, $b; add.{h} $d, $t, $c;", h=half), 16)
ask("f64_binary", ["f64", "f64"],
    each("{op}{r}.f64 $d, $a, $b;", op="add sub mul div", r=".rn .rz .rm .rp")
    + each("{op}.f64 $d, $a, $b;", op="min max copysign"), 64)
ask("f64_fma", ["f64", "f64", "f64"], each("fma{r}.f64 $d, $a, $b, $c;", r=".rn .rz .rm .rp"), 64)
ask("f64_unary", ["f64", "f64"],
    each("{op}.f64 $d, $a;", op="abs neg rcp.rn rcp.rz sqrt.rn sqrt.rm rcp.approx.ftz rsqrt.approx.ftz")
    + each("cvt{r}{s}.f64.f64 $d, $a;", r=".rni .rzi .rmi .rpi", s="._ .sat"), 64)
ask("f64_to_32", ["f64", "f64"],
    truth(each("setp.{c}.f64 $p, $a, $b;", c=COMPARE))
    + truth(each("testp.{c}.f64 $p, $a;", c="finite infinite number notanumber normal subnormal"))
    + each("cvt{r}{f}{s}.f32.f64 $d, $a;", r=".rn .rz .rm .rp", f="._ .ftz", s="._ .sat")
    + each("cvt{r}.{t}.f64 $d, $a;", r=".rni .rzi .rmi .rpi", t="u32 s32")
    + each("cvt.rzi.sat.{t}.f64 $d, $a;", t="u32 s32")
    + each("cvt{r}.{t}.f64 $d, $a;", r=".rni .rzi", t="u16 s16 u8 s8"), 32)
ask("f64_to_64", ["f64"], each("cvt{r}{s}.{t}.f64 $d, $a;", r=".rni .rzi .rmi .rpi", s="._ .sat", t="u64 s64"), 64)
ask("f64_to_16", ["f64"], each("cvt{r}{s}.f16.f64 $d, $a;", r=".rn .rz .rm .rp", s="._ .sat")
    + each("cvt{r}.bf16.f64 $d, $a;", r=".rn .rz .rm .rp"), 16)
ask("f32_to_32", ["f32", "f32"],
    each("cvt{r}{f}{s}.{t}.f32 $d, $a;", r=".rni .rzi .rmi .rpi", f="._ .ftz", s="._ .sat", t="u32 s32")
    + each("cvt{r}.{t}.f32 $d, $a;", r=".rni .rzi", t="u16 s16 u8 s8")
    + each("cvt{r}.tf32.f32 $d, $a;", r=".rna .rn .rz .rn.relu .rz.relu .rna.satfinite")
    + each("cvt{r}{u}.{t}x2.f32 $d, $a, $b;", r=".rn .rz", u="._ .relu", t="f16 bf16"), 32)
ask("f32_to_64", ["f32"],
    each("cvt{r}{f}{s}.{t}.f32 $d, $a;", r=".rni .rzi", f="._ .ftz", s="._ .sat", t="u64 s64")
    + each("cvt{f}{s}.f64.f32 $d, $a;", f="._ .ftz", s="._ .sat"), 64)
ask("f32_to_16", ["f32", "f32"],
    each("cvt{r}{f}{s}.f16.f32 $d, $a;", r=".rn .rz .rm .rp", f="._ .ftz", s="._ .sat")
    + each("cvt{r}{u}.{t}.f32 $d, $a;", r=".rn .rz", u=".relu", t="f16 bf16")
    + each("cvt{r}.bf16.f32 $d, $a;", r=".rn .rz .rm .rp")
    + each("cvt.rn.satfinite{u}.{t}.f32 $d, $a, $b;", u="._ .relu", t="e4m3x2 e5m2x2"), 16)
for half in ("f16", "bf16"):
    arithmetic = each("{op}.rn{f}{s}.{h} $d, $a, $b;", op="add sub mul", f="._ .ftz", s="._ .sat", h="f16")
    if half == "bf16":
        arithmetic = each("{op}.rn.bf16 $d, $a, $b;", op="add sub mul")
    ask(half + "_binary", [half, half],
        arithmetic + each("{op}{f}{n}{x}.{h} $d, $a, $b;", op="min max", f="._ .ftz" if half == "f16" else "._",
                          n="._ .NaN", x="._ .xorsign.abs", h=half), 16)
    ask(half + "_fma", [half, half, half],
        each("fma.rn{u}.{h} $d, $a, $b, $c;", u="._ .relu", h=half)
        + (each("fma.rn{u}.f16 $d, $a, $b, $c;", u=".ftz .sat .ftz.sat .ftz.relu") if half == "f16" else []), 16)
    ask(half + "_unary", [half, half],
        each("{op}.{h} $d, $a;", op="abs neg ex2.approx tanh.approx" if half == "f16" else
             "abs neg ex2.approx.ftz tanh.approx", h=half)
        + (each("{op}.f16 $d, $a;", op="abs.ftz neg.ftz")
           + each("cvt{r}.f16.f16 $d, $a;", r=".rni .rzi .rmi .rpi") if half == "f16" else [])
        + each("cvt.rni.{t}.{h} $d, $a;", t="u16 s16 u8 s8" if half == "f16" else "u16 s16", h=half)
        + each("set.{c}.{h}.{h} $d, $a, $b;", c="lt neu nan", h=half)
        + (["cvt.rn.bf16.f16 $d, $a;"] if half == "f16" else ["cvt.rn.f16.bf16 $d, $a;"]), 16)
    ask(half + "_to_32", [half, half],
        each("cvt.f32.{h} $d, $a;", h=half) + (each("cvt{s}.f32.f16 $d, $a;", s=".ftz .sat") if half == "f16" else [])
        + each("cvt{r}.{t}.{h} $d, $a;", r=".rni .rzi .rmi .rpi", t="u32 s32", h=half)
        + truth(each("setp.{c}.{h} $p, $a, $b;", c=COMPARE, h=half))
        + each("set.{c}.{t}.{h} $d, $a, $b;", c="lt neu nan", t="u32", h=half), 32)
    ask(half + "_to_64", [half],
        each("cvt.f64.{h} $d, $a;", h=half) + each("cvt.rzi.{t}.{h} $d, $a;", t="u64 s64", h=half), 64)
    ask(half + "x2", [half + "x2", half + "x2", half + "x2"],
        each("{op}.{h}x2 $d, $a, $b;", op="add.rn sub.rn mul.rn min max min.NaN max.NaN", h=half)
        + each("fma.rn{u}.{h}x2 $d, $a, $b, $c;", u="._ .relu", h=half)
        + each("{op}.{h}x2 $d, $a;", op="abs neg", h=half)
        + each("set.{c}.{h}x2.{h}x2 $d, $a, $b;", c="lt neu nan", h=half)
        + truth(each("setp.{c}.{h}x2 $p|$q, $a, $b;", c="lt neu", h=half)), 32)
ask("fp8", ["b16", "b16"],
    each("cvt.rn{u}.f16x2.{t} $d, $a;", u="._ .relu", t="e4m3x2 e5m2x2"), 32)
ask("fp8_of_f16", ["f16x2"], each("cvt.rn.satfinite{u}.{t}.f16x2 $d, $a;", u="._ .relu", t="e4m3x2 e5m2x2"), 16)

ask("b32", ["b32", "b32", "b32"],
    each("{op}.{t} $d, $a, $b;", op="div rem min max mul.hi mul24.lo mul24.hi", t="u32 s32")
    + each("{op}.s32 $d, $a, $b;", op="add.sat sub.sat")
    + each("{op}.{t} $d, $a, $b, $c;", op="mad.hi mad24.lo mad24.hi sad", t="u32 s32")
    + ["mad.hi.sat.s32 $d, $a, $b, $c;", "mad24.hi.sat.s32 $d, $a, $b, $c;", "abs.s32 $d, $a;", "neg.s32 $d, $a;"]
    + each("{op} $d, $a, $b;", op="shl.b32 shr.u32 shr.s32")
    + each("shf.{d}.{m}.b32 $d, $a, $b, $c;", d="l r", m="clamp wrap")
    + each("bfe.{t} $d, $a, $b, $c;", t="u32 s32") + ["bfi.b32 $d, $a, $b, $c, $a;", "bfi.b32 $d, $c, $a, $b, $b;"]
    + each("szext.{m}.{t} $d, $a, $b;", m="clamp wrap", t="u32 s32")
    + each("bmsk.{m}.b32 $d, $a, $b;", m="clamp wrap")
    + each("bfind{m}.{t} $d, $a;", m="._ .shiftamt", t="u32 s32") + ["popc.b32 $d, $a;", "clz.b32 $d, $a;", "brev.b32 $d, $a;"]
    + ["fns.b32 $d, $a, $b, $c;", "cnot.b32 $d, $a;", "slct.b32.s32 $d, $a, $b, $c;", "lop3.b32 $d, $a, $b, $c, 0xD2;"]
    + each("prmt.b32{m} $d, $a, $b, $c;", m="._ .f4e .b4e .rc8 .ecl .ecr .rc16")
    + each("dp4a.{t}.{u} $d, $a, $b, $c;", t="u32 s32", u="u32 s32")
    + each("dp2a.{m}.{t}.{u} $d, $a, $b, $c;", m="lo hi", t="u32 s32", u="u32 s32")
    + each("cvt{r}.f32.{t} $d, $a;", r=".rn .rz .rm .rp .rn.sat", t="u32 s32")
    + each("cvt{s}.{t}.{u} $d, $a;", s=".sat", t="u8 s8 u16 s16", u="u32 s32") + ["cvt.sat.u32.s32 $d, $a;", "cvt.sat.s32.u32 $d, $a;"]
    + each("{op}.{t} $d, $a, $b;", op="min max", t="u16x2 s16x2") + ["add.u16x2 $d, $a, $b;"]
    + each("{op}{u}.s32 $d, $a, $b;", op="min max", u=".relu")
    + each("set.{c}.{t}.{u} $d, $a, $b;", c="lt ne", t="u32 f32", u="u32 s32"), 32)
ask("b32_warp", ["b32", "b32", "b32"],
    truth(each("shfl.sync.{m}.b32 $t|$p, $a, $b, $c, -1;", m="up down bfly idx"))
    + each("shfl.sync.{m}.b32 $d, $a, $b, $c, -1;", m="bfly idx")
    + each("match.any.sync.b32 $d, $a, -1;")
    + truth(["match.all.sync.b32 $t|$p, $a, -1;"])
    + each("redux.sync.{op}.{t} $d, $a, -1;", op="add min max", t="u32 s32") + each("redux.sync.{op}.b32 $d, $a, -1;", op="and or xor")
    + ["setp.lt.s32 $p, $a, $b; vote.sync.ballot.b32 $d, $p, -1;"], 32)
ask("b64", ["b64", "b64", "b64"],
    each("{op}.{t} $d, $a, $b;", op="div rem min max mul.hi", t="u64 s64") + each("mad.hi.{t} $d, $a, $b, $c;", t="u64 s64")
    + each("cvt{r}.f64.{t} $d, $a;", r=".rn .rz .rm .rp", t="u64 s64") + ["abs.s64 $d, $a;", "neg.s64 $d, $a;", "brev.b64 $d, $a;"]
    + ["cvt.sat.u64.s64 $d, $a;", "cvt.sat.s64.u64 $d, $a;"], 64)
ask("b64_by_32", ["b64", "b32", "b32"],
    each("{op} $d, $a, $b;", op="shl.b64 shr.u64 shr.s64") + each("bfe.{t} $d, $a, $b, $c;", t="u64 s64")
    + ["bfi.b64 $d, $a, $a, $b, $c;"], 64)
ask("b64_to_32", ["b64", "b64"],
    each("cvt{r}.f32.{t} $d, $a;", r=".rn .rz .rm .rp", t="u64 s64") + each("bfind{m}.{t} $d, $a;", m="._ .shiftamt", t="u64 s64")
    + ["popc.b64 $d, $a;", "clz.b64 $d, $a;"] + each("cvt.sat.{t}.{u} $d, $a;", t="u32 s32 u8 s8", u="u64 s64"), 32)
ask("b16", ["b16", "b16", "b16"],
    each("{op}.{t} $d, $a, $b;", op="div rem min max mul.hi", t="u16 s16")
    + ["abs.s16 $d, $a;", "neg.s16 $d, $a;"] + each("sad.{t} $d, $a, $b, $c;", t="u16 s16")
    + each("cvt{r}.f16.{t} $d, $a;", r=".rn .rz", t="u16 s16") + each("cvt.rn.bf16.{t} $d, $a;", t="u16 s16")
    + each("cvt.sat.{t}.{u} $d, $a;", t="u8 s8", u="u16 s16"), 16)
ask("b16_by_32", ["b16", "b32"], each("{op} $d, $a, $b;", op="shl.b16 shr.u16 shr.s16"), 16)
ask("b32_to_16", ["b32"], each("cvt{r}.{f}.{t} $d, $a;", r=".rn .rz", f="f16 bf16", t="u32 s32"), 16)
ask("b64_to_16", ["b64"], each("cvt{r}.{f}.{t} $d, $a;", r=".rn .rz", f="f16 bf16", t="u64 s64"), 16)

GLOBAL = "st.global.{w} [$m], $a; {o} "
SHARED = "st.shared.{w} [$s], $a; {o} ld.shared.{w} $d, [$s];"


def updates(width, instructions):
    """On the thread's own word, in global and in shared memory."""
    texts = []
    for one in instructions:
        texts.append(f"st.global.b{width} [$m], $a; atom.global.{one} $t, [$m], $b;")
        texts.append(f"st.global.b{width} [$m], $a; red.global.{one} [$m], $b;")
        texts.append(f"st.shared.b{width} [$s], $a; atom.shared.{one} $t, [$s], $b; ld.shared.b{width} $d, [$s];")
        texts.append(f"st.global.b{width} [$m], $a; atom.{one} $t, [$g], $b;")
        texts.append(f"st.shared.b{width} [$s], $a; cvt.u64.u32 %x, $s; cvta.shared.u64 %x, %x; atom.{one} $t, [%x], $b; "
                     f"ld.shared.b{width} $d, [$s];")
    return texts


ask("f32_atomic", ["f32", "f32"], updates(32, ["add.f32"]), 32)
ask("f64_atomic", ["f64", "f64"], updates(64, ["add.f64"]), 64)
ask("f16_atomic", ["f16", "f16"], updates(16, ["add.noftz.f16"]), 16)
ask("bf16_atomic", ["bf16", "bf16"], updates(16, ["add.noftz.bf16"]), 16)
ask("f16x2_atomic", ["f16x2", "f16x2"], updates(32, ["add.noftz.f16x2"]), 32)
ask("bf16x2_atomic", ["bf16x2", "bf16x2"], updates(32, ["add.noftz.bf16x2"]), 32)
ask("b32_atomic", ["b32", "b32"], updates(32, ["inc.u32", "dec.u32", "min.s32", "max.u32"]), 32)


def bulk(instruction):
    """By the copy engine: every warp stores its words of shared memory onto its 32 words of the output."""
    return (f"st.global.b$w [$m], $a; st.shared.b$w [$s], $b; fence.proxy.async; bar.warp.sync -1; @$first {instruction} "
            "[$wm], [$ws], $bytes; @$first cp.async.bulk.commit_group; @$first cp.async.bulk.wait_group 0; bar.warp.sync -1;")


BULK = "cp.reduce.async.bulk.global.shared::cta.bulk_group."
ask("f32_bulk", ["f32", "f32"], [bulk(BULK + "add.f32")], 32)
ask("f64_bulk", ["f64", "f64"], [bulk(BULK + "add.f64")], 64)
for half in ("f16", "bf16"):
    ask(half + "_bulk", [half, half], [bulk(BULK + one + half) for one in ("add.noftz.", "min.", "max.")], 16)
ask("b32_bulk", ["b32", "b32"],
    [bulk(BULK + one) for one in ("add.u32", "min.s32", "max.s32", "min.u32", "inc.u32", "dec.u32", "and.b32", "xor.b32")], 32)
ask("b64_bulk", ["b64", "b64"], [bulk(BULK + one) for one in ("add.u64", "min.s64", "max.u64", "or.b64")], 64)


def kernel(name):
    operands, asked = KERNELS[name]
    parameters = [f"in_{i}" for i in range(len(operands))] + [f"out_{i}" for i in range(len(asked))]
    widest = max(bits for _, bits in asked)
    lines = [".version 8.6", ".target sm_90a", ".address_size 64", "",
             f".visible .entry {name}(" + ", ".join(f".param .u64 {p}" for p in parameters) + ")",
             f".reqntid {THREADS}, 1, 1", "{",
             ".reg .pred %p, %q, %first;", ".reg .b32 %i, %lane, %s, %ws;", ".reg .b64 %w, %x, %m, %g, %wm;",
             ".reg .b16 %d16, %t16, %a16, %b16, %c16;", ".reg .b32 %d32, %t32, %a32, %b32, %c32;",
             ".reg .b64 %d64, %t64, %a64, %b64, %c64;",
             f".shared .align 128 .b8 memory[{THREADS * widest // 8}];",
             "mov.u32 %i, %ctaid.x;", f"mad.lo.u32 %i, %i, {THREADS}, 0;", "mov.u32 %lane, %tid.x;",
             "add.u32 %i, %i, %lane;", "mov.u32 %s, memory;", f"mad.lo.u32 %s, %lane, {widest // 8}, %s;",
             f"and.b32 %lane, %lane, 31;", f"mul.lo.u32 %ws, %lane, {widest // 8};", "sub.u32 %ws, %s, %ws;",
             "setp.eq.u32 %first, %lane, 0;"]
    for i, operand in enumerate(operands):
        bits, register = BITS[operand], "%" + "abc"[i] + str(BITS[operand])
        lines += [f"ld.param.u64 %w, [in_{i}];", "cvta.to.global.u64 %w, %w;",
                  f"mad.wide.u32 %x, %i, {bits // 8}, %w;", f"ld.global.b{bits} {register}, [%x];"]
    for i, (template, bits) in enumerate(asked):
        lines += [f"ld.param.u64 %w, [out_{i}];", f"mad.wide.u32 %g, %i, {bits // 8}, %w;", "cvta.to.global.u64 %m, %g;",
                  f"mul.wide.u32 %x, %lane, {bits // 8};", "sub.u64 %wm, %m, %x;"]
        text = template
        for key, value in [("$first", "%first"), ("$bytes", str(32 * bits // 8)), ("$wm", "%wm"), ("$ws", "%ws"),
                           ("$w", str(bits)), ("$m", "%m"), ("$g", "%g"), ("$s", "%s"), ("$p", "%p"), ("$q", "%q"),
                           ("$d", f"%d{bits}"), ("$t", f"%t{bits}")] + [
                               ("$" + "abc"[j], "%" + "abc"[j] + str(BITS[o])) for j, o in enumerate(operands)]:
            text = text.replace(key, value)
        lines.append(text)
        if "$d" in template:
            lines.append(f"st.global.b{bits} [%m], %d{bits};")
    return "\n".join(lines + ["ret;", "}", ""])


def launch(name):
    operands, asked = KERNELS[name]
    pack = {16: "H", 32: "I", 64: "Q"}
    parameters = [{"name": f"in_{i}", "dtype": OUTPUTS[BITS[o]], "numel": ROWS, "data": base64.b64encode(zlib.compress(
        struct.pack(f"<{ROWS}{pack[BITS[o]]}", *column(o, i)), 9)).decode()} for i, o in enumerate(operands)]
    parameters += [{"name": template, "dtype": OUTPUTS[bits], "numel": ROWS, "output": True} for template, bits in asked]
    return {"ptx": f"{name}.ptx", "entry": name, "grid": [BLOCKS], "threads": THREADS, "params": parameters}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in KERNELS:
        (folder / f"{name}.ptx").write_text(kernel(name))
    (folder / "launches.json").write_text(json.dumps([launch(name) for name in KERNELS]))


if __name__ == "__main__":
    main()
