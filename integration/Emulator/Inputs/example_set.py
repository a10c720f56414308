#!/usr/bin/env python3
"""Writes the kernels of examples/ as an execution set: their PTX, and what the interpreter returns.

    example_set.py BUILD FOLDER      FOLDER/KERNEL.ptx and FOLDER/set.jsonl

Blocks of one dimension only: a set has no others. Inputs are the random fills of integration/Examples/examples.py.
"""

import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Examples"))
import examples  # noqa: E402

DTYPES = {"f32": "float32", "u32": "int32"}


def packed(data):
    return base64.b64encode(zlib.compress(data)).decode()


def option(launch, name, default):
    return next((one.split("=")[1] for one in launch.options if one.startswith(f"--{name}=")), default)


def record(build, folder, name):
    launch = examples.Launch(build, name, "rand")
    threads = [int(one) for one in option(launch, "block", "1").split(",")]
    if len(threads) > 1:
        return None
    ptx = folder / f"{launch.kernel}.ptx"
    subprocess.run([launch.mettle, examples.ROOT / "examples" / ptx.with_suffix(".mettle").name, "-g", "--gpu-arch=sm_90",
                    "-o", ptx], check=True)
    results, outputs, parameters = launch.run(), [], []
    for parameter, text in zip(launch.names, launch.texts):
        if "=" not in text:
            parameters.append({"name": parameter, "kind": "scalar", "type": "fp32" if "." in text else "i32",
                               "value": float(text) if "." in text else int(text)})
            continue
        before, after = examples.fill_of(launch.mettle, text).tobytes(), results[parameter].tobytes()
        entry = {"name": parameter, "kind": "tensor", "dtype": DTYPES[text[:3]], "numel": len(before) // 4, "align": 128}
        if before == after:
            entry["data"] = packed(before)
        else:
            entry |= {"output": len(outputs), "init": packed(before)}
            outputs.append({"sha256": hashlib.sha256(after).hexdigest()[:32], "head": after[:32].hex()})
        parameters.append(entry)
    return {"kernel": launch.kernel, "index": 0, "ptx": ptx.name, "ptx_sha256": hashlib.sha256(ptx.read_bytes()).hexdigest(),
            "entry": launch.kernel, "grid": [int(one) for one in option(launch, "grid", "1").split(",")],
            "threads": threads[0], "dynamic_shared": int(option(launch, "shared", "0")), "global_scratch": 0,
            "ptx_params": len(parameters), "params": parameters, "results": [outputs]}


def main():
    build, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    records = [record(build, folder, name) for name in examples.LAUNCHES]
    (folder / "set.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records if one))


if __name__ == "__main__":
    main()
