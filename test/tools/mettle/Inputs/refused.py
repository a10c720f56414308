"""refused.py METTLE FOLDER...: no program that is refused reaches an emitter.

Runs `mettle` on every refuse-RULE.mettle of the folders for each target: it fails, the first message is an error at a line
and column of the file, and no output file is made. RULES are those that docs and language promise; each has its file.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

RULES = """
address_space_initializer address_space_rebind address_space_shape dynamic_private workgroup_outside_kernel
async_copy_outside_kernel async_copy_space async_copy_transaction async_copy_unbalanced
atomic_failure_order atomic_load_order atomic_store_order atomic_outside_kernel atomic_type atomic_workgroup_scope
barrier_outside_kernel divergent_barrier subgroup_uniform_barrier divergent_subgroup broadcast_lane scan_lane
direct_kernel_call external_device_call indirect_device_call recursive_device_call kernel_abi kernel_return
nested_launch no_kernel
subgroup_ballot_word subgroup_outside_kernel subgroup_shuffle_type subgroup_signature subgroup_type subgroup_vote_type
""".split()

mettle, folders = sys.argv[1], sys.argv[2:]
files = {path.stem[len("refuse-"):]: path for folder in folders for path in pathlib.Path(folder).glob("refuse-*.mettle")}
problems = [f"{rule}: no refuse-{rule}.mettle" for rule in RULES if rule not in files]
with tempfile.TemporaryDirectory() as folder:
    output = pathlib.Path(folder) / "output"
    for rule, path in sorted(files.items()):
        for target in ("--emit-ptx", "--emit-spirv"):
            result = subprocess.run([mettle, target, path, "-o", output], capture_output=True, text=True)
            first = result.stderr.split("\n", 1)[0]
            if result.returncode != 1:
                problems.append(f"{path.name} {target}: expected exit code 1, got {result.returncode}")
            if not re.match(rf"{re.escape(str(path))}:\d+:\d+: error: ", first):
                problems.append(f"{path.name} {target}: expected an error at a place of the file, got '{first}'")
            if output.exists():
                problems.append(f"{path.name} {target}: an output was written")
                output.unlink()
assert len(files) > 100, "the tests were not found"
sys.exit("\n".join(problems) or 0)
