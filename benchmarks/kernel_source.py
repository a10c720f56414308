"""Writes kernel files of a wanted length, for measuring how compile time grows.

Two kinds: a file of many kernels of ordinary shape, and one kernel of many statements. Both are
deterministic, and what they hold is what people write: index arithmetic, bounds checks, loops,
loads, stores and float arithmetic.
"""

KERNEL = """kernel scale_sum{0}(x: float32*, y: float32*, n: int32, a: float32) {{
  var i: int32 = block.x * block_dim.x + thread.x;
  var total: float32 = 0.0;
  var k: int32 = 0;
  while (k < {1}) {{
    if (i + k < n) {{
      total = total + x[i + k] * a;
    }}
    k = k + 1;
  }}
  if (i < n) {{
    y[i] = total - x[i] * {2}.5;
  }}
}}

"""


def many_kernels(lines: int) -> str:
    """A file of at least `lines` lines."""
    height = KERNEL.count("\n")
    return "".join(KERNEL.format(i, i % 7 + 2, i % 11) for i in range(-(-lines // height)))


def long_kernel(statements: int) -> str:
    """A file with one kernel of `statements` statements."""
    body = ["  var i: int32 = block.x * block_dim.x + thread.x;", "  var v: float32 = x[i];",
            "  var w: float32 = x[i + 1];", "  var k: int32 = i;"]
    while len(body) < statements - 1:
        step = len(body)
        body += [f"  v = v * w + x[i + {step % 97}];",
                 f"  w = w - v * {step % 13}.25;",
                 f"  k = k * {step % 5 + 3} + i;",
                 f"  if (k > {step}) {{ w = w + v; }}",
                 f"  y[i + {step % 89}] = w;"]
    body = body[:statements - 1] + ["  y[i] = v;"]
    return "kernel long(x: float32*, y: float32*) {\n" + "\n".join(body) + "\n}\n"
