"""Elementary functions for models of kernels: what the interpreter returns, which integration/Math holds against exact values."""

import subprocess
import tempfile
from pathlib import Path

import numpy as np


def expf(mettle, x):
    """The language's expf of each float32."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "each.mettle").write_text("kernel each(x: float32*) { x[block.x] = expf(x[block.x]); }\n")
        np.save(folder / "x.npy", np.ascontiguousarray(x, np.float32).ravel())
        subprocess.run([mettle, "run", folder / "each.mettle", f"--grid={x.size}",
                        f"--arg=f32[{x.size}]=@{folder}/x.npy", f"--save=x={folder}/y.npy"],
                       check=True, capture_output=True)
        return np.load(folder / "y.npy").reshape(x.shape)
