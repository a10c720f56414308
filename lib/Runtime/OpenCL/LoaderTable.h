//===- LoaderTable.h - OpenCL's functions -----------------------*- C++ -*-===//
//
// Our own declarations of the few types, constants and functions of OpenCL that Mettle uses, and
// the table that dlsym fills. Private to this library: its public headers show no OpenCL type.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_RUNTIME_OPENCL_LOADERTABLE_H
#define METTLE_LIB_RUNTIME_OPENCL_LOADERTABLE_H

#include "Mettle/Runtime/OpenCL/Loader.h"

namespace mettle::runtime::opencl {

using cl_int = int32_t;
using cl_uint = uint32_t;
using cl_bitfield = uint64_t;
using cl_platform_id = void *;
using cl_device_id = void *;
using cl_context = void *;
using cl_command_queue = void *;
using cl_mem = void *;
using cl_program = void *;
using cl_kernel = void *;
using cl_event = void *;
using ContextCallback = void (*)(const char *, const void *, size_t, void *);
using ProgramCallback = void (*)(cl_program, void *);
enum class SubgroupQuery : cl_uint;
using GetKernelSubGroupInfo = cl_int (*)(cl_kernel, cl_device_id, SubgroupQuery, size_t,
                                         const void *, size_t, void *, size_t *);
using CreateProgramWithIL = cl_program (*)(cl_context, const void *, size_t, cl_int *);

/// cl_int values that Mettle tells apart.
enum : cl_int {
  success = 0,
  deviceNotFound = -1,
  buildProgramFailure = -11,
  platformNotFound = -1001
};

/// cl_bitfield values.
enum : cl_bitfield {
  deviceTypeAll = 0xffffffff,
  memoryReadWrite = 1,
  correctlyRoundedDivideSqrt = 1 << 7
};

/// cl_platform_info.
enum class PlatformQuery : cl_uint { Name = 0x0902 };

/// cl_device_info.
enum class DeviceQuery : cl_uint {
  Type = 0x1000,
  MaxWorkGroupSize = 0x1004,
  MaxWorkItemSizes = 0x1005,
  SingleFloatConfig = 0x101b,
  GlobalMemorySize = 0x101f,
  LocalMemorySize = 0x1023,
  Name = 0x102b,
  Version = 0x102f,
  Extensions = 0x1030,
  ILVersion = 0x105b,
  SubgroupSizes = 0x4108,
};

/// cl_program_build_info.
enum class BuildQuery : cl_uint { Log = 0x1183 };

/// cl_kernel_work_group_info.
enum class KernelQuery : cl_uint { WorkGroupSize = 0x11b0, LocalMemorySize = 0x11b2 };

/// cl_kernel_sub_group_info; both are asked for the extents of a workgroup.
enum class SubgroupQuery : cl_uint { MaxSize = 0x2033, Count = 0x2034 };

struct LoaderTable {
#define METTLE_OPENCL_FUNCTION(symbol, result, ...) result (*symbol)(__VA_ARGS__);
#include "Functions.def"

  /// Success, or an error that names `function` and what OpenCL calls it.
  llvm::Error check(cl_int result, llvm::StringRef function) const;
};

} // namespace mettle::runtime::opencl

/// Calls a function of `table` that returns a cl_int and checks it.
#define METTLE_OPENCL_CALL(table, function, ...)                                                   \
  (table).check((table).function(__VA_ARGS__), #function)

#endif // METTLE_LIB_RUNTIME_OPENCL_LOADERTABLE_H
