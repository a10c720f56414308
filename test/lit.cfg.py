import os
import sys

sys.path.insert(0, os.path.join(config.mettle_source, "test"))
import lit_common

lit_common.configure(config, lit_config, "test")
