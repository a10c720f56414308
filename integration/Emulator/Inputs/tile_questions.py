#!/usr/bin/env python3
"""Writes PTX that asks a GPU what tensor copies, mbarriers, sparse matrix instructions and atomics on vectors do, and the launches to ask it
with.

Usage: tile_questions.py FOLDER        FOLDER/KERNEL.ptx for each kernel below, and FOLDER/launches.json

One kernel a question, so that one which traps says which it was. A tensor copy moves one box between a tensor of bytes that
count up and shared memory full of 0xDEADBEEF; its map is made on the device. Waits are bounded: what never completes shows
as a zero in the last word of the output.
"""

import base64
import json
import pathlib
import random
import struct
import sys
import zlib

ELEMENTS = ["u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f32.ftz", "f64", "bf16", "tf32", "tf32.ftz"]
BYTES = [1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4]
HEAD = """.version 8.6
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 memory[];
"""
LAUNCHES = {}


def data(words):
    return base64.b64encode(zlib.compress(struct.pack(f"<{len(words)}I", *words), 9)).decode()


def tensor_words(count):
    """Words of every magnitude: as f32, half of them subnormal, infinite or NaN in turn."""
    chooser = random.Random("tensor")
    special = [0x00000001, 0x807FFFFF, 0x7F800001, 0x7FC01234, 0xFF800000, 0x3F801FFF, 0x3F801000, 0x00801FFF]
    return [chooser.choice(special) if i % 4 == 3 else chooser.getrandbits(32) for i in range(count)]


def add(name, text, parameters, threads=32, shared=65536):
    LAUNCHES[name] = (HEAD + text, {"ptx": name + ".ptx", "entry": name, "grid": [1], "threads": threads,
                                    "dynamic_shared": shared, "params": parameters})


def make_map(element, dims, strides, box, element_strides, swizzle, fill, interleave):
    """Instructions for lane 0: the fields of the map at %map in shared memory, of the tensor at %tensor."""
    lines = []

    def replace(field, width, value, ordinal=None):
        at = "" if ordinal is None else f"{ordinal}, "
        lines.append(f"@%first tensormap.replace.tile.{field}.shared::cta.b1024.b{width} [%map], {at}{value};")

    replace("global_address", 64, "%tensor")
    replace("rank", 32, len(dims) - 1)
    for i in range(len(dims)):
        replace("box_dim", 32, box[i], i)
        replace("global_dim", 32, dims[i], i)
        replace("element_stride", 32, element_strides[i], i)
    for i, stride in enumerate(strides):
        replace("global_stride", 64, stride, i)
    replace("elemtype", 32, element)
    replace("interleave_layout", 32, interleave)
    replace("swizzle_mode", 32, swizzle)
    replace("fill_mode", 32, fill)
    return lines


def tile(name, at, element="f16", dims=(24, 20, 3), strides=(64, 1280), box=(32, 12, 2), element_strides=None, swizzle=0, fill=0,
         interleave=0, direction="load", operation="", words=1024, host=False):
    """`host`: the map is the host's, passed by value."""
    rank, element = len(dims), ELEMENTS.index(element)
    element_strides = element_strides or (1,) * rank
    total = BYTES[element]
    for i in range(rank):
        total *= -(-box[i] // element_strides[i]) if i else box[i]
    place = "{" + ", ".join(f"%c{i}" for i in range(rank)) + "}"
    last = ".param .align 64 .b8 map[128]" if host else ".param .u64 maps"
    lines = [f".visible .entry {name}(.param .u64 in, .param .u64 out, {last})", "{",
             ".reg .pred %first, %p, %more;", ".reg .b32 %lane, %s, %i, %v, %b, %base, %done;", f".reg .b32 %c<{rank}>;",
             ".reg .b64 %in, %out, %maps, %tensor, %map, %x, %y, %state;",
             "ld.param.u64 %in, [in];", "ld.param.u64 %out, [out];", "ld.param.u64 %maps, [maps];",
             "cvta.to.global.u64 %in, %in;", "cvta.to.global.u64 %out, %out;", "cvta.to.global.u64 %maps, %maps;",
             "mov.u32 %lane, %tid.x;", "setp.eq.u32 %first, %lane, 0;", "mov.u32 %base, memory;",
             "add.u32 %v, %base, 61440;", "cvt.u64.u32 %map, %v;", "add.u32 %b, %base, 61696;",
             "mad.lo.u32 %s, %lane, 4, %v;", "mov.b32 %done, 0;", "st.shared.b32 [%s], %done;", "bar.warp.sync -1;",
             "mov.b64 %tensor, " + ("%in;" if direction == "load" else "%out;"), "cvta.global.u64 %tensor, %tensor;"]
    if host:
        lines = [line for line in lines if not line.startswith(("ld.param.u64 %maps", "cvta.to.global.u64 %maps"))]
        lines += ["mov.b64 %x, map;", "cvta.param.u64 %x, %x;", "@%first mbarrier.init.shared::cta.b64 [%b], 1;"]
    else:
        lines += make_map(element, dims, strides, box, element_strides, swizzle, fill, interleave)
        lines += ["bar.warp.sync -1;",
              "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%maps], [%map], 128;",
              "cvta.global.u64 %x, %maps;", "fence.proxy.tensormap::generic.acquire.gpu [%x], 128;",
              "@%first mbarrier.init.shared::cta.b64 [%b], 1;"]
    lines += [f"mov.b32 %c{i}, {c};" for i, c in enumerate(at)]
    # Shared memory: marked, or the tensor's bytes.
    lines += ["mov.b32 %i, %lane;", "fill:", "mad.lo.u32 %s, %i, 4, %base;", "mov.b32 %v, 0xDEADBEEF;",
              "mad.wide.u32 %y, %i, 4, %in;"]
    lines += ["ld.global.b32 %v, [%y];"] if direction != "load" else []
    lines += ["st.shared.b32 [%s], %v;", "add.u32 %i, %i, 32;", f"setp.lt.u32 %more, %i, {words};", "@%more bra fill;",
              "fence.proxy.async;", "bar.warp.sync -1;"]
    if direction == "load":
        lines += [f"@%first mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%b], {total};",
                  f"@%first cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%base], "
                  f"[%x, {place}], [%b];",
                  "mov.b32 %i, 0;", "wait:", "mbarrier.test_wait.parity.shared::cta.b64 %p, [%b], 0;",
                  "selp.b32 %done, 1, 0, %p;", "add.u32 %i, %i, 1;", "setp.lt.u32 %more, %i, 1000000;",
                  "and.pred %more, %more, !%p;".replace("!%p", "%q"), "@%more bra wait;", "bar.warp.sync -1;"]
        lines[lines.index("selp.b32 %done, 1, 0, %p;")] = "selp.b32 %done, 1, 0, %p; not.pred %q, %p;"
        lines[2] = ".reg .pred %first, %p, %q, %more;"
        lines += ["mov.b32 %i, %lane;", "show:", "mad.lo.u32 %s, %i, 4, %base;", "ld.shared.b32 %v, [%s];",
                  "mad.wide.u32 %y, %i, 4, %out;", "st.global.b32 [%y], %v;", "add.u32 %i, %i, 32;",
                  f"setp.lt.u32 %more, %i, {words};", "@%more bra show;", f"@%first st.global.b32 [%out+{4 * words}], %done;"]
    else:
        copy = "cp.async.bulk.tensor" if direction == "store" else "cp.reduce.async.bulk.tensor"
        lines += [f"@%first {copy}.{rank}d.global.shared::cta{'.' + operation if operation else ''}.tile.bulk_group "
                  f"[%x, {place}], [%base];",
                  "@%first cp.async.bulk.commit_group;", "@%first cp.async.bulk.wait_group 0;"]
    lines += ["ret;", "}", ""]
    count = words + 1 if direction == "load" else 2048
    output = {"name": "out", "dtype": "int32", "numel": count, "output": True}
    if direction != "load":
        output["data"] = data(tensor_words(4096)[2048:])
    fields = {"of": "in" if direction == "load" else "out", "element": ELEMENTS[element], "dims": dims, "strides": strides,
              "box": box, "elementStrides": element_strides, "swizzle": 16 << swizzle if swizzle else 0,
              "fill": "nan" if fill else "zeros"}
    add(name, "\n".join(lines),
        [{"name": "in", "dtype": "int32", "numel": 2048, "data": data(tensor_words(2048))}, output,
         {"name": "map", "map": fields} if host else {"name": "maps", "dtype": "uint8", "numel": 128, "scratch": True}])


for s in range(4):
    tile(f"load_swizzle{s}", (0, 0, 0), swizzle=s, box=(16 if s == 1 else 32, 12, 2))
    tile(f"store_swizzle{s}", (0, 0, 0), swizzle=s, box=(16 if s == 1 else 32, 12, 2), direction="store")
tile("load_left", (-8, 0, 0))
for c in (1, 4, 8, 12, -4):
    tile(f"load_from{c}".replace("-", "_"), (c, 0, 0))
tile("load_above", (0, -3, -1))
tile("load_right", (16, 15, 2))
tile("load_outside", (104, 0, 0))
tile("load_skip2", (0, 1, 1), element_strides=(1, 2, 1))
tile("load_skip3", (0, 0, 0), element_strides=(1, 3, 1))
tile("load_skip_z", (0, 0, 0), element_strides=(1, 1, 2))
tile("load_skip_x", (0, 0, 0), element_strides=(2, 1, 1))
tile("load_rank1", (8,), dims=(1000,), strides=(), box=(256,))
tile("load_rank2", (8, 3), dims=(32, 40), strides=(64,), box=(16, 20))
tile("load_rank4", (0, 1, 0, 1), dims=(16, 4, 3, 2), strides=(32, 128, 384), box=(16, 3, 2, 2))
tile("load_rank5", (8, 1, 0, 1, 0), dims=(16, 4, 3, 2, 2), strides=(32, 128, 384, 768), box=(8, 3, 2, 2, 2))
for e in ("u8", "u32", "u64", "f32", "f32.ftz", "f64", "bf16", "tf32", "tf32.ftz"):
    size = BYTES[ELEMENTS.index(e)]
    for f in (0, 1):
        if f == 0 or e[0] not in "u":
            tile(f"load_{e.replace('.', '_')}_fill{f}", (-16 // size, -1), element=e, dims=(48 // size, 20), strides=(64,),
                 box=(64 // size, 8), fill=f)
tile("load_f16_fill1", (-8, -1), dims=(24, 20), strides=(64,), box=(32, 8), fill=1)
tile("load_interleave1", (0, 0, 0), interleave=1, dims=(8, 20, 3), strides=(64, 1280), box=(8, 12, 2))
tile("load_interleave1_channels", (0, 1, 1), interleave=1, dims=(24, 20, 3), strides=(64, 1280), box=(8, 12, 2))
tile("load_interleave2", (0, 0, 0), interleave=2, swizzle=1, dims=(16, 20, 3), strides=(64, 1280), box=(16, 12, 2))
for n, c in enumerate([(-4, -1, 0), (-4, 0, 0), (0, -1, 0), (0, 0, -1), (16, 0, 0), (0, 7, 0), (0, 0, 1), (4, 7, 1), (3, 0, 0)]):
    tile(f"store_edge{n}", c, element="f32", dims=(20, 9, 2), strides=(96, 864), box=(8, 4, 2), swizzle=n & 1, direction="store")
tile("store_skip", (0, 1, 0), element="f32", dims=(20, 9, 2), strides=(96, 864), box=(8, 4, 2), element_strides=(1, 2, 1),
     direction="store")
for e in ("f32.ftz", "tf32", "tf32.ftz"):
    tile(f"store_{e.replace('.', '_')}", (0, 0), element=e, dims=(16, 20), strides=(64,), box=(16, 8), direction="store")
    tile(f"add_{e.replace('.', '_')}", (0, 0), element=e, dims=(16, 20), strides=(64,), box=(16, 8), direction="reduce",
         operation="add")
for e, operations in (("f32", "add"), ("f64", "add"), ("f16", "add min max"), ("bf16", "add min max"),
                      ("u32", "add min max inc dec and or xor"), ("s32", "add min max"), ("u64", "add min max and"), ("s64", "min max")):
    size = BYTES[ELEMENTS.index(e)]
    for operation in operations.split(" "):
        tile(f"{operation}_{e}", (0, 0), element=e, dims=(64 // size, 20), strides=(64,), box=(64 // size, 8), direction="reduce",
             operation=operation)

# The same through maps that the host made.
for c in (0, 1, 3, 8, -4, 100):
    tile(f"host_load_from{c}".replace("-", "_"), (c, 0, 0), host=True)
for s in (1, 2, 3):
    tile(f"host_load_swizzle{s}", (-8, -1, 1), swizzle=s, box=(16, 12, 2), host=True)
for e in ("u8", "f16", "bf16", "f32", "f64", "f32.ftz", "tf32", "tf32.ftz"):
    size = BYTES[ELEMENTS.index(e)]
    for f in range(1 if e == "u8" else 2):
        tile(f"host_load_{e.replace('.', '_')}_fill{f}", (-16 // size, -1), element=e, dims=(48 // size, 20), strides=(64,),
             box=(64 // size, 8), fill=f, host=True)
tile("host_load_skip", (0, 1, 0), element_strides=(1, 3, 1), host=True)
for n, c in enumerate([(-4, -1, 0), (0, -1, 0), (16, 7, 1), (3, 0, 0)]):
    tile(f"host_store_edge{n}", c, element="f32", dims=(20, 9, 2), strides=(96, 864), box=(8, 4, 2), direction="store", host=True)

# mbarrier: what pending_count and test_wait say over two phases.
for name, arrivals in (("arrive", ["arrive.shared::cta.b64 %state, [%b]"] * 7),
                       ("arrive_drop", ["arrive.shared::cta.b64 %state, [%b]", "arrive_drop.shared::cta.b64 %state, [%b]",
                                        "arrive.shared::cta.b64 %state, [%b]"] + ["arrive.shared::cta.b64 %state, [%b]"] * 4),
                       ("arrive_count", ["arrive.noComplete.shared::cta.b64 %state, [%b], 2",
                                         "arrive.shared::cta.b64 %state, [%b]", "arrive.release.cta.shared::cta.b64 %state, [%b], 3",
                                         "arrive.shared::cta.b64 %state, [%b], 2"])):
    text = [f".visible .entry mbarrier_{name}(.param .u64 out)", "{", ".reg .pred %p;", ".reg .b32 %b, %v, %w;",
            ".reg .b64 %out, %state;", "ld.param.u64 %out, [out];", "cvta.to.global.u64 %out, %out;", "mov.u32 %b, memory;",
            "mbarrier.init.shared::cta.b64 [%b], 3;"]
    for i, arrival in enumerate(arrivals):
        text += [f"mbarrier.{arrival};", "mbarrier.pending_count.b64 %v, %state;",
                 "mbarrier.test_wait.shared::cta.b64 %p, [%b], %state;", "selp.b32 %w, 256, 0, %p;", "or.b32 %v, %v, %w;",
                 "mbarrier.test_wait.parity.shared::cta.b64 %p, [%b], 0;", "selp.b32 %w, 512, 0, %p;", "or.b32 %v, %v, %w;",
                 f"st.global.b32 [%out+{4 * i}], %v;"]
    add("mbarrier_" + name, "\n".join(text + ["ret;", "}", ""]),
        [{"name": "out", "dtype": "int32", "numel": 8, "output": True}], threads=1)


# Sparse matrix instructions. Metadata: by lane, from all legal nibbles or, `any`, from all nibbles.
ORDERED16, ORDERED32 = [0x4, 0x8, 0xC, 0x9, 0xD, 0xE], [0x4, 0xE]


def metadata(nibbles, lanes):
    chooser = random.Random(f"metadata {nibbles}")
    return [sum(chooser.choice(nibbles) << 4 * i for i in range(8)) for _ in range(lanes)]


def float_words(kind, count):
    """Small numbers of both signs in the type, packed."""
    chooser = random.Random(kind)
    if kind == "bytes":
        return [chooser.getrandbits(32) for _ in range(count)]
    if kind == "e4m3":
        return [sum((chooser.getrandbits(1) << 7 | chooser.randrange(0x20, 0x58)) << 8 * i for i in range(4)) for _ in range(count)]
    if kind == "f16":
        return [sum((chooser.getrandbits(1) << 15 | chooser.randrange(0x3000, 0x4400)) << 16 * i for i in range(2))
                for _ in range(count)]
    if kind == "bf16":
        return [sum((chooser.getrandbits(1) << 15 | chooser.randrange(0x3E00, 0x4080)) << 16 * i for i in range(2))
                for _ in range(count)]
    return [chooser.getrandbits(1) << 31 | chooser.randrange(0x3E000000, 0x40800000) for _ in range(count)]


def sparse_mma(name, instruction, kind, a, b, c_words, nibbles, selectors, integer=False):
    threads = 32
    text = [f".visible .entry {name}(.param .u64 in, .param .u64 meta, .param .u64 out)", "{", ".reg .b32 %lane, %e;",
            f".reg .b32 %a<{a}>, %b<{b}>, %c<{c_words}>, %d<{c_words}>;", ".reg .b64 %in, %meta, %out;", "mov.u32 %lane, %tid.x;"]
    for p in ("in", "meta", "out"):
        text += [f"ld.param.u64 %{p}, [{p}];", f"cvta.to.global.u64 %{p}, %{p};", f"mad.wide.u32 %{p}, %lane, 4, %{p};"]
    text += ["ld.global.b32 %e, [%meta];"]
    for i, register in enumerate([f"%a{i}" for i in range(a)] + [f"%b{i}" for i in range(b)]):
        text.append(f"ld.global.b32 {register}, [%in+{128 * i}];")
    for i in range(c_words):
        text.append(f"mov.b32 %c{i}, {i * 3 - 5 if integer else 0};")
    group = lambda letter, count: "{" + ", ".join(f"%{letter}{i}" for i in range(count)) + "}"
    for n, selector in enumerate(selectors):
        text.append(f"{instruction} {group('d', c_words)}, {group('a', a)}, {group('b', b)}, {group('c', c_words)}, %e, {selector};")
        text += [f"st.global.b32 [%out+{128 * (n * c_words + i)}], %d{i};" for i in range(c_words)]
    add(name, "\n".join(text + ["ret;", "}", ""]),
        [{"name": "in", "dtype": "int32", "numel": 32 * (a + b), "data": data(float_words(kind, 32 * (a + b)))},
         {"name": "meta", "dtype": "int32", "numel": 32, "data": data(metadata(nibbles, 32))},
         {"name": "out", "dtype": "int32", "numel": 32 * c_words * len(selectors), "output": True}], threads, 0)


SP = "mma.sp{o}.sync.aligned.{shape}.row.col.{t};"
for ordered, o in (("ordered", "::ordered_metadata"), ("plain", "")):
    name = lambda shape, t: f"sparse_{ordered}_{shape}_{t}"
    sparse_mma(name("k16", "f16"), f"mma.sp{o}.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f16", 2, 2, 4, ORDERED16, range(4))
    sparse_mma(name("k32", "bf16"), f"mma.sp{o}.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", "bf16", 4, 4, 4, ORDERED16,
               range(2))
    sparse_mma(name("k16", "tf32"), f"mma.sp{o}.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", "tf32", 4, 4, 4, ORDERED32,
               range(2))
    sparse_mma(name("k32", "s8"), f"mma.sp{o}.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "bytes", 2, 2, 4, ORDERED16, range(2),
               True)
    sparse_mma(name("k64", "u8"), f"mma.sp{o}.sync.aligned.m16n8k64.row.col.s32.u8.s8.s32", "bytes", 4, 4, 4, ORDERED16, [0], True)
    sparse_mma(name("k64", "e4m3"), f"mma.sp{o}.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32", "e4m3", 4, 4, 4, ORDERED16, [0])
    sparse_mma(name("k64", "s4"), f"mma.sp{o}.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", "bytes", 2, 2, 4, [0x4, 0xE], range(2), True)
# What metadata that is not in order, or names one column twice, makes of a product.
sparse_mma("sparse_any_k16_f16", "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f16", 2, 2, 4, list(range(16)), range(4))
sparse_mma("sparse_any_k16_tf32", "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", "tf32", 4, 4, 4, list(range(16)), [0])


def sparse_wgmma(name, k, types, kind, in_registers, flags, nibbles, selectors, d=4, element_bits=16):
    """m64n8. A of 64 x k/2 and B of k x 8 in shared memory, without swizzle: 8 x 16-byte groups, A's at 1024, B's at 32768."""
    text = [f".visible .entry {name}(.param .u64 in, .param .u64 meta, .param .u64 out)", "{", ".reg .b32 %lane, %e, %s, %v, %i;",
            ".reg .pred %more, %q;", f".reg .b32 %a<4>, %d<{d}>;", ".reg .b64 %in, %meta, %out, %x, %da, %db;",
            "mov.u32 %lane, %tid.x;"]
    for p in ("in", "meta", "out"):
        text += [f"ld.param.u64 %{p}, [{p}];", f"cvta.to.global.u64 %{p}, %{p};"]
    text += ["mad.wide.u32 %meta, %lane, 4, %meta;", "mad.wide.u32 %out, %lane, 4, %out;", "ld.global.b32 %e, [%meta];",
             "mov.b32 %i, %lane;", "fill:", "mad.wide.u32 %x, %i, 4, %in;", "ld.global.b32 %v, [%x];", "mov.u32 %s, memory;",
             "mad.lo.u32 %s, %i, 4, %s;", "st.shared.b32 [%s], %v;", "add.u32 %i, %i, 128;", "setp.lt.u32 %more, %i, 16384;",
             "@%more bra fill;", "fence.proxy.async;", "bar.sync 0;"]
    # address >> 4, leading offset >> 4 (16), stride offset >> 4 (32); no swizzle.
    for register, address, lead, stride in (("%da", 1024, 1024, 128), ("%db", 32768, 128, 1024)):
        text += ["mov.u32 %s, memory;", f"add.u32 %s, %s, {address};", "shr.u32 %s, %s, 4;", "and.b32 %s, %s, 0x3FFF;",
                 f"cvt.u64.u32 {register}, %s;", f"or.b64 {register}, {register}, {lead >> 4 << 16 | stride >> 4 << 32};"]
    text += [f"ld.shared.b32 %a{i}, [%s+{512 * i}];".replace("%s", "%i") for i in range(4)]
    text.insert(len(text) - 4, "mov.u32 %i, memory; mad.lo.u32 %i, %lane, 4, %i;")
    registers = "{" + ", ".join(f"%d{i}" for i in range(d)) + "}"
    left = "{%a0, %a1, %a2, %a3}" if in_registers else "%da"
    for n, selector in enumerate(selectors):
        text += [f"mov.b32 %d{i}, 0;" for i in range(d)]
        text += ["setp.ne.b32 %q, 1, 0;", "wgmma.fence.sync.aligned;",
                 f"wgmma.mma_async.sp.sync.aligned.m64n8k{k}.{types} {registers}, {left}, %db, %e, {selector}, %q{flags};",
                 "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;"]
        text += [f"st.global.b32 [%out+{512 * (n * d + i)}], %d{i};" for i in range(d)]
    add(name, "\n".join(text + ["ret;", "}", ""]),
        [{"name": "in", "dtype": "int32", "numel": 16384, "data": data(float_words(kind, 16384))},
         {"name": "meta", "dtype": "int32", "numel": 128, "data": data(metadata(nibbles, 128))},
         {"name": "out", "dtype": "int32", "numel": 128 * d * len(selectors), "output": True}], 128)


for where in (0, 1):
    suffix = "_registers" if where else ""
    transposed = ", 1, 1, 0" if where else ", 1, 1, 0, 0"
    sparse_wgmma("wgmma_sparse_f16" + suffix, 32, "f32.f16.f16", "f16", where, transposed, ORDERED16, [0, 1])
    sparse_wgmma("wgmma_sparse_bf16" + suffix, 32, "f32.bf16.bf16", "bf16", where, transposed, ORDERED16, [0, 1])
    sparse_wgmma("wgmma_sparse_half" + suffix, 32, "f16.f16.f16", "f16", where, transposed, ORDERED16, [0], d=2)
    sparse_wgmma("wgmma_sparse_tf32" + suffix, 16, "f32.tf32.tf32", "tf32", where, ", 1, 1", ORDERED32, [0, 1])
    sparse_wgmma("wgmma_sparse_e4m3" + suffix, 64, "f32.e4m3.e4m3", "e4m3", where, ", 1, 1", ORDERED16, [0])
    sparse_wgmma("wgmma_sparse_s8" + suffix, 64, "s32.s8.s8", "bytes", where, "", ORDERED16, [0])


# Atomics on vectors, of special words and others, each lane at a place of its own; 128 bits.
def special_words(kind, count):
    chooser = random.Random("atomic " + kind)
    special = {"f32": [0x00000001, 0x807FFFFF, 0x7F800001, 0x7FC01234, 0xFF800000, 0x80000000, 0x3F801000, 0x00801FFF],
               "f16": [0x0001, 0x83FF, 0x7C01, 0x7E12, 0xFC00, 0x8000, 0x3C01, 0x0401],
               "bf16": [0x0001, 0x807F, 0x7F81, 0x7FC1, 0xFF80, 0x8000, 0x3F81, 0x0081]}[kind]
    bits = 32 if kind == "f32" else 16
    halves = [chooser.choice(special) if chooser.random() < 0.5 else chooser.getrandbits(bits) for _ in range(count * 32 // bits)]
    return halves if bits == 32 else [low | high << 16 for low, high in zip(halves[::2], halves[1::2])]


def vector_atomic(name, instruction, kind, vector, register_bits, repeats=8):
    """`vector` registers a lane; `repeats` places, each added to once. Behind the sums, the words that were there."""
    words = vector * register_bits // 32
    registers = lambda letter: "{" + ", ".join(f"%{letter}{i}" for i in range(vector)) + "}"
    text = [f".visible .entry {name}(.param .u64 in, .param .u64 out)", "{", ".reg .b32 %lane;", ".reg .b64 %in, %out;",
            f".reg .b{register_bits} %a<{vector}>, %o<{vector}>;", "mov.u32 %lane, %tid.x;"]
    for p in ("in", "out"):
        text += [f"ld.param.u64 %{p}, [{p}];", f"cvta.to.global.u64 %{p}, %{p};", f"mad.wide.u32 %{p}, %lane, {4 * words}, %{p};"]
    for n in range(repeats):
        at = 128 * words * n
        text += [f"ld.global.b{register_bits} %a{i}, [%in+{at + i * register_bits // 8}];" for i in range(vector)]
        reads = instruction.startswith("atom")
        text.append(f"{instruction} {registers('o') + ', ' if reads else ''}[%out+{at}], {registers('a')};")
        text += [f"st.global.b{register_bits} [%out+{128 * words * repeats + at + i * register_bits // 8}], %o{i};"
                 for i in range(vector) if reads]
    count = 32 * words * repeats
    add(name, "\n".join(text + ["ret;", "}", ""]),
        [{"name": "in", "dtype": "int32", "numel": count, "data": data(special_words(kind, count))},
         {"name": "out", "dtype": "int32", "numel": 2 * count, "output": True,
          "data": data(special_words(kind, 2 * count + 1)[1:])}], 32, 0)


for form in ("atom", "red"):
    for v in (2, 4):
        vector_atomic(f"{form}_v{v}_f32", f"{form}.global.add.v{v}.f32", "f32", v, 32)
        vector_atomic(f"{form}_v{v}_f16x2", f"{form}.global.add.noftz.v{v}.f16x2", "f16", v, 32)
        vector_atomic(f"{form}_v{v}_bf16x2", f"{form}.global.add.noftz.v{v}.bf16x2", "bf16", v, 32)
    for v in (2, 4, 8):
        vector_atomic(f"{form}_v{v}_f16", f"{form}.global.add.noftz.v{v}.f16", "f16", v, 16)
        vector_atomic(f"{form}_v{v}_bf16", f"{form}.global.add.noftz.v{v}.bf16", "bf16", v, 16)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (text, _) in LAUNCHES.items():
        (folder / f"{name}.ptx").write_text(text)
    (folder / "launches.json").write_text(json.dumps([launch for _, launch in LAUNCHES.values()]))


if __name__ == "__main__":
    main()
