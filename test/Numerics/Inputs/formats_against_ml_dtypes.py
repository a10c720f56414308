"""Every code of every format that ml-dtypes has, decoded; and every f16 code, every bf16 code, all
ties and their neighbours, encoded: each compared with ml-dtypes, bit for bit.

Usage: formats_against_ml_dtypes.py FOLDER (for temporary files). Prints one line per format.
"""

import subprocess
import sys

import ml_dtypes
import numpy as np

FORMATS = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    "e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "i4": ml_dtypes.int4,
    "u4": ml_dtypes.uint4,
}
BITS = {"f16": 16, "bf16": 16, "e3m2": 6, "e2m3": 6, "e2m1": 4, "i4": 4, "u4": 4}


def convert(folder, array, source, target, *options):
    np.save(f"{folder}/in.npy", array)
    subprocess.run(["mettle-gemm", "convert", f"{folder}/in.npy", f"--from={source}", f"--to={target}",
                    f"-o={folder}/out.npy", *options], check=True)
    return np.load(f"{folder}/out.npy")


def main(folder):
    for name, dtype in FORMATS.items():
        bits = BITS.get(name, 8)
        word = np.uint16 if bits == 16 else np.uint8
        codes = np.arange(1 << bits, dtype=word)
        values = codes.view(dtype).astype(np.float64) if name not in ("i4", "u4") else None
        if values is None:  # ml-dtypes stores 4-bit integers sign extended in a byte
            values = (((codes ^ 8).astype(int) - 8) if name == "i4" else codes).astype(dtype).astype(np.float64)
        decoded = convert(folder, codes, name, "f64")
        nan = np.isnan(values)
        assert np.array_equal(nan, np.isnan(decoded)), name
        assert np.array_equal(values[~nan].view(np.uint64), decoded[~nan].view(np.uint64)), name

        finite = np.unique(values[np.isfinite(values)]).astype(np.float32)
        middles = ((finite[1:].astype(np.float64) + finite[:-1]) / 2).astype(np.float32)
        inputs = np.concatenate([finite, middles, np.nextafter(middles, np.float32(np.inf)),
                                 np.nextafter(middles, np.float32(-np.inf)),
                                 np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32),
                                 (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)])
        inputs = inputs[np.isfinite(inputs)]
        if name in ("i4", "u4"):  # ml-dtypes leaves out-of-range values undefined and truncates
            inputs = inputs[(inputs > finite[0] - 1) & (inputs < finite[-1] + 1)]
            expected = inputs.astype(np.int32).astype(dtype).astype(np.int8).view(np.uint8) & 15
            got = convert(folder, inputs, "f32", name, "--rounding=rz").view(np.uint8)
        else:
            if name == "ue8m0":  # no sign, no zero; ml-dtypes rounds subnormal f32 inputs up
                inputs = inputs[inputs >= np.finfo(np.float32).tiny]
            expected = inputs.astype(dtype).view(word)
            got = convert(folder, inputs, "f32", name).view(word)
            # Which NaN an overflow gives is ours to choose; whether it is one is not.
            nan = np.isnan(expected.view(dtype).astype(np.float32))
            assert np.array_equal(nan, np.isnan(got.view(dtype).astype(np.float32))), name
            expected, got = expected[~nan], got[~nan]
        wrong = np.flatnonzero(expected != got)
        assert not len(wrong), (name, inputs[wrong[0]], expected[wrong[0]], got[wrong[0]], len(wrong))
        print(f"{name}: {len(codes)} codes decoded, {len(inputs)} values encoded")


main(sys.argv[1])
