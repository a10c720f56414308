"""Shrinks programs by a fault that is easy to see, and checks that little is left."""

import sys

from generator import arguments, generate
from judges import verdict
from shrink import shrink

build = sys.argv[1]
tried = 0
for seed in range(50):
    program = generate(seed)
    if "barrier" not in program.features():
        continue
    tried += 1

    def fails(candidate):
        # The program must stay legal, as it must when judges differ.
        return "barrier" in candidate.features() and not verdict(build, ["interp"], candidate.text(), arguments(seed))

    small = shrink(program, fails)
    body = small.functions[-1][1]
    assert len(small.functions) == 1 and len(body) == 1 and body[0].text(0).startswith("barrier("), small.text()
    if tried == 3:
        break
assert tried == 3, tried
