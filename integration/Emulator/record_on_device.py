#!/usr/bin/env python3
"""Runs the kernels of Inputs/launches.json on the first NVIDIA GPU and writes what they returned as an execution
set, which `mettle-emulate replay` compares with the emulator.

Usage: record_on_device.py LAUNCHES.json OUT.jsonl [--kernel NAME] [--draws N] [--words BYTES]

Needs the CUDA driver (libcuda.so.1) and Python with numpy; no CUDA toolkit: the driver compiles the PTX text. Inputs
are made by the rule of docs/emulator.md, "An execution set". One line a kernel; draws 0 to N - 1, six at most; one draw
where nothing is drawn. Outputs of at most BYTES are recorded whole, so that a replay shows where they differ. Each
launch runs in a process of its own: what one kernel does wrong is not the others' fault. Exit status 1 if one failed.
"""

import argparse
import base64
import concurrent.futures
import ctypes
import hashlib
import json
import pathlib
import subprocess
import sys
import zlib

import numpy as np

U64 = np.uint64


def splitmix64(x):
    with np.errstate(over="ignore"):
        z = x + U64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> U64(30))) * U64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> U64(27))) * U64(0x94D049BB133111EB)
    return z ^ (z >> U64(31))


def values(draw, j, count):
    """Input `j` of a draw as doubles; every step but the last rounding is exact."""
    i = np.arange(count, dtype=U64)
    u = splitmix64(U64(draw << 56 | j << 48) | i)
    v = ((u >> U64(40)).astype(np.int64) - (1 << 23)) * 2.0**-23
    if draw == 1:
        v = v * 2.0 ** ((u >> U64(8) & U64(15)).astype(np.int64) - 8)
    elif draw == 2:
        r = splitmix64(U64(2 << 56 | j << 48 | 1 << 47) | i >> U64(10)) & U64(3)
        v = np.where(r == 0, -0.0, np.where(r == 1, 0.0, np.where(
            r == 2, np.where(u & U64(3) == 0, -0.0, np.where(u & U64(3) == 1, 0.0, v)), v)))
    elif draw == 3:
        v = v * 2.0 ** ((u >> U64(8) & U64(63)).astype(np.int64) - 20)
    elif draw == 4:
        low = u & U64(255)
        v = np.select([low == 0, low == 1, low == 2, low == 3], [np.inf, -np.inf, np.nan, -0.0], v)
    elif draw == 5:
        low = u & U64(65535)
        v = np.where(u & U64(7) == 3, -0.0, v)
        v = np.select([low == 0, low == 1, low == 2], [np.inf, -np.inf, np.nan], v)
    return v


def encode(v, dtype):
    """Rounded to nearest even; NaN is the word 7fc00000 cut to the type."""
    with np.errstate(over="ignore", invalid="ignore"):
        if dtype == "float64":
            return np.where(np.isnan(v), np.array(0x7FF8 << 48, U64).view(np.float64), v).tobytes()
        f = np.where(np.isnan(v), np.array(0x7FC00000, np.uint32).view(np.float32), v.astype(np.float32))
        if dtype == "float32":
            return f.tobytes()
        if dtype == "float16":
            h = v.astype(np.float16).view(np.uint16)
            return np.where(np.isnan(v), np.uint16(0x7E00), h).astype(np.uint16).tobytes()
        if dtype == "bfloat16":
            w = f.view(np.uint32)
            rounded = ((w + np.uint32(0x7FFF) + (w >> np.uint32(16) & np.uint32(1))) >> np.uint32(16))
            return np.where(np.isnan(v), np.uint32(0x7FC0), rounded).astype(np.uint16).tobytes()
    raise ValueError(f"no rule for inputs of {dtype}")


SIZES = {"float64": 8, "float32": 4, "int64": 8, "int32": 4, "int16": 2, "float16": 2, "bfloat16": 2,
         "uint8": 1}


def initial(parameter):
    """The bytes of an array before the launch: data, zeros, or a ramp of small floats that repeats."""
    count = parameter["numel"]
    if "data" in parameter:
        return zlib.decompress(base64.b64decode(parameter["data"]))
    if parameter.get("pattern") == "ramp":
        ramp = (np.arange(64) - 31.5).astype(np.float32) * np.float32(0.125)
        return np.resize(ramp, count).astype(np.float32).tobytes()
    return bytes(count * SIZES[parameter["dtype"]])


class Driver:
    """The few calls of the CUDA driver that a launch needs."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, device)
        self.name = name.value.decode()

    def call(self, function, *arguments):
        status = getattr(self.cuda, function)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(status, ctypes.byref(text))
            sys.exit(f"{function}: {text.value.decode() if text.value else status}")

    def load(self, ptx, entry, dynamic_shared):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(5, 6)  # the error log and its size
        settings = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), 8192)
        status = self.cuda.cuModuleLoadDataEx(ctypes.byref(module), ptx + b"\0", 2, options, settings)
        if status:
            sys.exit(f"{entry}: {log.value.decode()}")
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        if dynamic_shared > 48 * 1024:
            self.call("cuFuncSetAttribute", function, 8, dynamic_shared)
        return function

    def launch(self, function, grid, threads, dynamic_shared, arguments):
        """`arguments`: bytes of a scalar, a bytearray that is copied in and out, or a TensorMap of one before it."""
        held, memory = [], []
        for argument in arguments:
            if isinstance(argument, bytearray):
                pointer = ctypes.c_uint64()
                self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(len(argument), 1)))
                host = (ctypes.c_char * len(argument)).from_buffer(argument)
                self.call("cuMemcpyHtoD_v2", pointer, host, ctypes.c_size_t(len(argument)))
                memory.append((pointer, host, len(argument)))
                held.append(pointer)
            elif isinstance(argument, TensorMap):
                held.append(argument.encode(self, held[argument.array].value))
            else:
                held.append(ctypes.create_string_buffer(argument, len(argument)))
        pointers = (ctypes.c_void_p * len(held))(*[ctypes.cast(ctypes.pointer(h), ctypes.c_void_p) for h in held])
        x, y, z = (list(grid) + [1, 1])[:3]
        self.call("cuLaunchKernel", function, x, y, z, threads, 1, 1, dynamic_shared, None, pointers, None)
        self.call("cuCtxSynchronize")
        for pointer, host, size in memory:
            self.call("cuMemcpyDtoH_v2", host, pointer, ctypes.c_size_t(size))
            self.call("cuMemFree_v2", pointer)


ELEMENTS = ["u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz"]


class TensorMap:
    """A tensor map that the driver makes: by value, of an array among the arguments."""

    def __init__(self, fields, array):
        self.fields, self.array = fields, array

    def encode(self, driver, address):
        f, rank = self.fields, len(self.fields["dims"])
        list64 = lambda words: (ctypes.c_uint64 * max(len(words), 1))(*words)
        list32 = lambda words: (ctypes.c_uint32 * rank)(*words)
        held = (ctypes.c_uint64 * 24)()
        start = ctypes.addressof(held) + -ctypes.addressof(held) % 64
        driver.call("cuTensorMapEncodeTiled", ctypes.c_void_p(start), ELEMENTS.index(f["element"]), rank, ctypes.c_void_p(address),
                    list64(f["dims"]), list64(f["strides"]), list32(f["box"]), list32(f["elementStrides"]), 0,
                    {0: 0, 32: 1, 64: 2, 128: 3}[f["swizzle"]], 0, f["fill"] == "nan")
        self.held, self.bytes = held, ctypes.string_at(start, 128)
        return (ctypes.c_char * 128).from_address(start)


def scalar(parameter):
    kinds = {"i32": np.int32, "i64": np.int64, "fp32": np.float32}
    return kinds[parameter["type"]](parameter["value"]).tobytes()


def packed(data):
    return base64.b64encode(zlib.compress(bytes(data), 9)).decode()


def result(data, words):
    """What the set says of an output."""
    said = {"sha256": hashlib.sha256(data).hexdigest()[:32], "head": bytes(data[:32]).hex()}
    return said | {"data": packed(data)} if len(data) <= words else said


def record(driver, folder, launch, draws, words):
    ptx = (folder / launch["ptx"]).read_bytes()
    shared = launch.get("dynamic_shared", 0)
    function = driver.load(ptx, launch["entry"], shared)
    parameters, outputs = [], 0
    for p in launch["params"]:
        if "value" in p:
            parameters.append({"name": p["name"], "kind": "scalar", "type": p["type"], "value": p["value"]})
            continue
        if "map" in p:
            parameters.append({"name": p["name"], "kind": "map"} | p["map"])
            continue
        entry = {"name": p["name"], "kind": "tensor", "dtype": p["dtype"], "numel": p["numel"], "align": 128}
        if "rng" in p:
            entry["rng"] = p["rng"]
        elif not p.get("output"):
            entry["data"] = packed(initial(p))
        else:
            entry["output"] = outputs
            entry["init"] = packed(initial(p))
            outputs += 1
        parameters.append(entry)
    results = []
    for draw in range(draws if any("rng" in p for p in launch["params"]) else 1):
        arguments = []
        for p in launch["params"]:
            if "value" in p:
                arguments.append(scalar(p))
            elif "map" in p:
                names = [one["name"] for one in launch["params"]]
                arguments.append(TensorMap(p["map"], names.index(p["map"]["of"])))
            elif "rng" in p:
                arguments.append(bytearray(encode(values(draw, p["rng"], p["numel"]), p["dtype"])))
            else:
                arguments.append(bytearray(initial(p)))
        driver.launch(function, launch["grid"], launch["threads"], shared, arguments)
        for p, a in zip(launch["params"], arguments):
            if isinstance(a, TensorMap) or p["name"] == "maps":
                print(f"{launch['entry']}: map {bytes(a.bytes if isinstance(a, TensorMap) else a)[:128].hex()}", flush=True)
        results.append([result(a, words) for p, a in zip(launch["params"], arguments) if p.get("output")])
    return {"kernel": launch["entry"], "index": 0, "ptx": launch["ptx"],
            "ptx_sha256": hashlib.sha256(ptx).hexdigest(), "entry": launch["entry"], "grid": launch["grid"],
            "threads": launch["threads"], "dynamic_shared": shared, "global_scratch": 0,
            "ptx_params": len(parameters), "params": parameters, "results": results}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("launches", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--kernel")
    parser.add_argument("--draws", type=int, default=6, choices=range(1, 7))
    parser.add_argument("--words", type=int, default=0, metavar="BYTES")
    options = parser.parse_args()
    launches = json.loads(options.launches.read_text())
    if options.kernel:
        launch = next(one for one in launches if one["entry"] == options.kernel)
        driver = Driver()
        line = record(driver, options.launches.parent, launch, options.draws, options.words)
        options.out.write_text(json.dumps(line) + "\n", encoding="ascii")
        print(f"{driver.name}: {launch['entry']}: {line['results'][0][0]['head'][:32]}", flush=True)
        return

    def one(launch):
        """The line of one launch, from a process of its own; empty if that failed."""
        part = options.out.with_suffix(f".{launch['entry']}.part")
        run = subprocess.run([sys.executable, __file__, str(options.launches), str(part), "--kernel", launch["entry"],
                              "--draws", str(options.draws), "--words", str(options.words)])
        line = "" if run.returncode else part.read_text(encoding="ascii")
        part.unlink(missing_ok=True)
        return line

    failed = 0
    with open(options.out, "w", encoding="ascii") as out, concurrent.futures.ThreadPoolExecutor(8) as pool:
        for launch, line in zip(launches, pool.map(one, launches)):
            out.write(line)
            if not line:
                failed += 1
                print(f"{launch['entry']}: failed", flush=True)
    print(f"{len(launches) - failed} of {len(launches)} kernels recorded in {options.out}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
