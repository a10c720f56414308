"""judge.py FILE [--no-upstream] [--only=VERSION]: encodes the kernels of an MLIR file and asks every foreign judge about the words.

For SPIR-V 1.0 and 1.4, or one of them: spirv-val (1.0 for OpenCL 2.0; 1.4 as such, and OpenCL's rules are checked by check_opencl.py)
and, unless the module holds what upstream does not know, upstream's deserializer, and upstream's serializer on the same
operations, whose instructions must be ours.
"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def run(*command, output=None):
    result = subprocess.run(command, capture_output=True)
    if result.returncode:
        print("error:", " ".join(command), file=sys.stderr)
        sys.stderr.write((result.stdout if output is None else b"").decode() + result.stderr.decode())
        sys.exit(1)
    if output:
        with open(output, "wb") as file:
            file.write(result.stdout)


def without_alignments(binary, folder):
    """The binary but for a decoration that upstream's deserializer refuses."""
    text, result = (os.path.join(folder, name) for name in ("plain.spvasm", "plain.spv"))
    lines = subprocess.run(["spirv-dis", "--raw-id", binary], check=True, capture_output=True).stdout.splitlines(True)
    with open(text, "wb") as file:
        file.writelines(line for line in lines if b" Alignment " not in line)
    run("spirv-as", "--preserve-numeric-ids", text, "-o", result)
    return result


def judge(source, version, environment, upstream, folder):
    translate = ["mettle-translate", source, f"--spirv-version={version}"]
    ours, theirs, module = (os.path.join(folder, version + name) for name in (".spv", ".theirs.spv", ".mlir"))
    run(*translate, "--mettle-to-spirv", "-o", ours)
    run("spirv-val", "--target-env", environment, ours)
    run(sys.executable, os.path.join(HERE, "check_opencl.py"), ours)
    run(*translate, "--mettle-to-spirv", "--spirv-debug-info", "-o", ours)
    run("spirv-val", "--target-env", environment, ours)
    if upstream:
        run("mlir-translate", "--deserialize-spirv", without_alignments(ours, folder))
        run(*translate, "--mettle-to-upstream-spirv", output=module)
        run("mlir-translate", "--no-implicit-module", "--serialize-spirv", module, "-o", theirs)
        run(sys.executable, os.path.join(HERE, "compare_modules.py"), ours, theirs)


def main():
    upstream = "--no-upstream" not in sys.argv
    source = next(argument for argument in sys.argv[1:] if not argument.startswith("--"))
    only = [argument.split("=")[1] for argument in sys.argv[1:] if argument.startswith("--only=")]
    with tempfile.TemporaryDirectory() as folder:
        for version, environment in (("1.0", "opencl2.0"), ("1.4", "spv1.4")):
            if version in only or not only:
                judge(source, version, environment, upstream, folder)


main()
