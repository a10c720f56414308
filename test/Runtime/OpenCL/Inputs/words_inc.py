"""words_inc.py BINARY: a SPIR-V binary as the numbers of a C array, ten a line."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
words = struct.unpack(f"<{len(data) // 4}I", data)
for start in range(0, len(words), 10):
    print(" ".join(f"0x{word:x}," for word in words[start:start + 10]))
