import os
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.mettle_source, "test"))
import suite

suite.configure(config, lit_config, "unittests")
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.test_source_root = config.test_exec_root
config.environment["METTLE_DEEP"] = "1" if lit_config.params.get("deep") else "0"
