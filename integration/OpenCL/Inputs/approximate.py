"""approximate.py BUILD: that --approx-math reaches the device's function of each name.

No bit is promised here, so this looks for a wrong function, not for a wrong bit: results must lie near the true ones.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

SOURCE = """kernel k(x: float32*, e: float32*, l: float32*, s: float32*, c: float32*, r: float32*) {
  var i: int32 = block.x * block_dim.x + thread.x;
  e[i] = expf(x[i]);
  l[i] = logf(x[i]);
  s[i] = sinf(x[i]);
  c[i] = cosf(x[i]);
  r[i] = rsqrtf(x[i]);
}
"""
FUNCTIONS = {"e": np.exp, "l": np.log, "s": np.sin, "c": np.cos, "r": lambda x: 1 / np.sqrt(x)}


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        with open(path("k.mettle"), "w") as file:
            file.write(SOURCE)
        x = np.linspace(0.01, 3, 256, dtype=np.float32)
        np.save(path("x.npy"), x)
        for version in ("1.0", "1.4"):
            subprocess.run([f"{sys.argv[1]}/bin/mettle", "run", path("k.mettle"), "--approx-math", "--device=opencl",
                            f"--spirv-version={version}", "--grid=4", "--block=64", f"--arg=@{path('x.npy')}",
                            *["--arg=f32[256]=zeros"] * 5, *[f"--save={name}={path(name + '.npy')}" for name in FUNCTIONS]],
                           check=True, stdout=subprocess.DEVNULL)
            for name, function in FUNCTIONS.items():
                error = np.abs(np.load(path(name + ".npy")) - function(x.astype(np.float64)))
                assert error.max() < 0.01, (version, name, error.max())
    print("five functions in both versions")


main()
