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
enum class DeviceAttribute : int {
  MultiprocessorCount = 16,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerBlockOptin = 97,
};

/// CUfunction_attribute.
enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  MaxDynamicSharedSizeBytes = 8,
};

/// CUjit_option.
enum class JitOption : int { ErrorLogBuffer = 5, ErrorLogBufferSizeBytes = 6 };

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
