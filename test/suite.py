"""What the three lit suites share: the tools on PATH and the substitutions tests may use."""

import os
import sys

import lit.formats


def tool_path(config):
    venv = os.path.join(config.mettle_source, ".venv")
    cuda = os.path.join(venv, "lib", f"python{sys.version_info.major}.{sys.version_info.minor}",
                        "site-packages", "nvidia", "cu13", "bin")
    return [os.path.join(config.mettle_build, "bin"), config.llvm_tools, cuda, os.path.join(venv, "bin")]


def opencl_vendors(config):
    """A folder that makes the ICD loader find the OpenCL runtime in .venv, and no other.

    The vendor file that comes with the runtime holds a path of its packager's machine.
    """
    folder = os.path.join(config.mettle_build, "opencl-vendors")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "intel-cpu.icd"), "w") as file:
        file.write(os.path.join(config.mettle_source, ".venv", "lib", "libintelocl.so") + "\n")
    return folder


def configure(config, lit_config, name):
    """Names the suite, puts the tools on PATH and defines %python, %source, %build and %deep.

    %deep is 1 under `make check-deep`, else 0: a property test picks its count by it.
    """
    config.name = name
    config.test_format = lit.formats.ShTest(execute_external=False)
    config.test_source_root = os.path.join(config.mettle_source, name)
    config.test_exec_root = os.path.join(config.mettle_build, name)
    config.suffixes = [".mlir", ".mettle", ".test", ".td", ".ptx"]
    config.excludes = ["Inputs", "CMakeLists.txt"]
    config.environment["PATH"] = os.pathsep.join(tool_path(config) + [os.environ.get("PATH", "")])
    config.environment["OCL_ICD_VENDORS"] = opencl_vendors(config)
    config.environment["PYTHONPATH"] = os.path.join(config.mettle_source, "python")
    config.substitutions += [
        ("%python", sys.executable),
        ("%source", config.mettle_source),
        ("%build", config.mettle_build),
        ("%deep", "1" if lit_config.params.get("deep") else "0"),
    ]
