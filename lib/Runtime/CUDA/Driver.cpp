//===- Driver.cpp - The CUDA driver, if there is one ----------------------===//
//
// Loading the driver's functions, its errors in words, and device queries.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/CUDA/Driver.h"

#include "DriverTable.h"

#include <dlfcn.h>

using namespace llvm;

namespace mettle::runtime::cuda {

Error DriverTable::check(CUresult result, StringRef function) const {
  if (result == success)
    return Error::success();
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(result, &name) != success || !name)
    return createStringError("CUDA driver: " + function + " failed with code " + Twine(result));
  if (cuGetErrorString(result, &text) != success || !text)
    text = "no description";
  return createStringError("CUDA driver: " + function + " failed: " + name + " (" + text + ")");
}

Driver::Driver(std::unique_ptr<DriverTable> functions) : functions(std::move(functions)) {}

Driver::~Driver() = default;

Expected<std::shared_ptr<const Driver>> Driver::load(StringRef library) {
  // Never closed: the driver keeps threads and exit handlers of its own.
  void *handle = dlopen(library.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return createStringError("no CUDA driver found (" + library + ")");

  auto table = std::make_unique<DriverTable>();
  const char *missing = nullptr;
  auto resolve = [&](auto &function, const char *symbol, bool optional) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, symbol));
    if (!function && !optional && !missing)
      missing = symbol;
  };
#define METTLE_CUDA_FUNCTION(symbol, ...) resolve(table->symbol, #symbol, /*optional=*/false);
#define METTLE_CUDA_OPTIONAL(symbol, ...) resolve(table->symbol, #symbol, /*optional=*/true);
#include "DriverFunctions.def"
  if (missing)
    return createStringError("expected " + Twine(missing) + " in the CUDA driver, found none (" +
                             library + ")");
  if (Error error = METTLE_CUDA_CALL(*table, cuInit, 0))
    return error;
  return std::shared_ptr<const Driver>(new Driver(std::move(table)));
}

Expected<unsigned> Driver::version() const {
  int version = 0;
  if (Error error = METTLE_CUDA_CALL(*functions, cuDriverGetVersion, &version))
    return error;
  return unsigned(version);
}

Expected<int> Driver::deviceCount() const {
  int count = 0;
  if (Error error = METTLE_CUDA_CALL(*functions, cuDeviceGetCount, &count))
    return error;
  return count;
}

static Error getCapability(const DriverTable &table, CUdevice device,
                           ComputeCapability &capability) {
  int major = 0, minor = 0;
  if (Error error = METTLE_CUDA_CALL(table, cuDeviceGetAttribute, &major,
                                     deviceComputeCapabilityMajor, device))
    return error;
  if (Error error = METTLE_CUDA_CALL(table, cuDeviceGetAttribute, &minor,
                                     deviceComputeCapabilityMinor, device))
    return error;
  capability = {unsigned(major), unsigned(minor)};
  return Error::success();
}

Expected<DeviceInfo> Driver::device(int ordinal) const {
  Expected<int> count = deviceCount();
  if (!count)
    return count.takeError();
  if (ordinal < 0 || ordinal >= *count)
    return createStringError("expected a CUDA device below " + Twine(*count) + ", found " +
                             Twine(ordinal));
  const DriverTable &table = *functions;
  CUdevice device;
  if (Error error = METTLE_CUDA_CALL(table, cuDeviceGet, &device, ordinal))
    return error;
  DeviceInfo info;
  info.ordinal = ordinal;
  char name[256] = "";
  if (Error error = METTLE_CUDA_CALL(table, cuDeviceGetName, name, int(sizeof(name)), device))
    return error;
  info.name = name;
  if (Error error = getCapability(table, device, info.capability))
    return error;
  int multiprocessors = 0, shared = 0;
  if (Error error = METTLE_CUDA_CALL(table, cuDeviceGetAttribute, &multiprocessors,
                                     deviceMultiprocessorCount, device))
    return error;
  if (Error error = METTLE_CUDA_CALL(table, cuDeviceGetAttribute, &shared,
                                     deviceMaxSharedMemoryPerBlockOptin, device))
    return error;
  size_t memory = 0;
  if (Error error = METTLE_CUDA_CALL(table, cuDeviceTotalMem_v2, &memory, device))
    return error;
  info.multiprocessors = unsigned(multiprocessors);
  info.sharedPerBlock = uint64_t(shared);
  info.memory = memory;
  return info;
}

std::optional<ComputeCapability> queryLocalDevice(StringRef library) {
  Expected<std::shared_ptr<const Driver>> driver = Driver::load(library);
  if (!driver) {
    consumeError(driver.takeError());
    return std::nullopt;
  }
  const DriverTable &table = (*driver)->table();
  CUdevice device;
  if (table.cuDeviceGet(&device, 0) != success)
    return std::nullopt;
  ComputeCapability capability;
  if (Error error = getCapability(table, device, capability)) {
    consumeError(std::move(error));
    return std::nullopt;
  }
  return capability;
}

} // namespace mettle::runtime::cuda
