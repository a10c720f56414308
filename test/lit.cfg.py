import os
import sys

sys.path.insert(0, os.path.join(config.mettle_source, "test"))
import suite

suite.configure(config, lit_config, "test")
