//===- Options.h - what the command line asks for -===//
//
// The options of `mettle` and `mettle run`, parsed once.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_OPTIONS_H
#define METTLE_TOOLS_METTLE_OPTIONS_H

#include "Mettle/Pipelines/CompileToSPIRV.h"
#include "Mettle/Runtime/Session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mettle::driver {

enum class Action { EmitMLIR, EmitPTX, EmitSPIRV, Run };
enum class Device { Interpreter, Emulator, CUDA, OpenCL };

struct Options {
  Action action = Action::EmitPTX;
  std::string input;
  /// Messages about Mettle source are JSON, one a line.
  bool jsonDiagnostics = false;

  // Compilation.
  std::string output = "-";
  bool optimize = false;
  bool approximateMath = false;
  /// gpu_assert and gpu_print are compiled.
  bool gpuChecks = false;
  bool debugInfo = false;
  bool dumpIR = false;
  /// Remarks of the optimizer.
  bool explain = false, jsonRemarks = false;
  /// Empty: the local device, or gb10 without one.
  std::string gpuArch;
  /// Empty: what the target needs.
  std::string ptxVersion;
  SPIRVVersion spirvVersion = SPIRVVersion::V1_4;

  // Execution.
  std::string kernel;
  runtime::SessionOptions session;
  Device device = Device::Interpreter;
  /// Compiles PTX for the GPU; empty: the driver does.
  std::string ptxas;
  /// In the emulator, look for faults that hardware ignores.
  bool check = false;
  uint64_t stepLimit = 0;
  /// 0: the kernel's, or 32.
  unsigned subgroupSize = 0;
};

/// Reads the command line. Prints help or an error and exits where there is nothing to do.
Options parseCommandLine(int argc, char **argv);

} // namespace mettle::driver

#endif // METTLE_TOOLS_METTLE_OPTIONS_H
