import os
import shutil
import sys

sys.path.insert(0, os.path.join(config.mettle_source, "test"))
import suite

suite.configure(config, lit_config, "integration")
# The driver creates this node where an NVIDIA GPU is; the only reason a test may be skipped for.
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("cuda")
    if shutil.which("compute-sanitizer"):
        config.available_features.add("compute-sanitizer")
