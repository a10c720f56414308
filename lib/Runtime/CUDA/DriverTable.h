//===- DriverTable.h - The CUDA driver's functions --------------*- C++ -*-===//
//
// Our own declarations of the few types, constants and functions of the CUDA
// driver API that Mettle uses, and the table that dlsym fills. Private to this
// library: its public headers show no CUDA type.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_RUNTIME_CUDA_DRIVERTABLE_H
#define METTLE_LIB_RUNTIME_CUDA_DRIVERTABLE_H

#include "Mettle/Runtime/CUDA/Driver.h"

namespace mettle::runtime::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = void *;
using CUmodule = void *;
using CUfunction = void *;
using CUstream = void *;

/// CUresult values that Mettle tells apart.
enum : CUresult { success = 0, errorInvalidValue = 1 };

/// CUdevice_attribute.
enum DeviceAttribute : int {
  deviceMultiprocessorCount = 16,
  deviceComputeCapabilityMajor = 75,
  deviceComputeCapabilityMinor = 76,
  deviceMaxSharedMemoryPerBlockOptin = 97,
};

/// CUfunction_attribute.
enum FunctionAttribute : int {
  functionMaxThreadsPerBlock = 0,
  functionSharedSizeBytes = 1,
  functionMaxDynamicSharedSizeBytes = 8,
};

/// CUjit_option.
enum JitOption : int { jitErrorLogBuffer = 5, jitErrorLogBufferSizeBytes = 6 };

struct DriverTable {
#define METTLE_CUDA_FUNCTION(symbol, ...) CUresult (*symbol)(__VA_ARGS__);
#define METTLE_CUDA_OPTIONAL(symbol, ...) CUresult (*symbol)(__VA_ARGS__);
#include "DriverFunctions.def"

  /// Success, or an error that names `function` and what the driver calls it.
  llvm::Error check(CUresult result, llvm::StringRef function) const;
};

} // namespace mettle::runtime::cuda

/// Calls a function of `table` and checks its result.
#define METTLE_CUDA_CALL(table, function, ...)                                                     \
  (table).check((table).function(__VA_ARGS__), #function)

#endif // METTLE_LIB_RUNTIME_CUDA_DRIVERTABLE_H
