//===- Context.cpp - One CUDA device in use -------------------------------===//
//
// Handles over the driver's own, each released once and in an order that the
// shared context state keeps right.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/CUDA/Context.h"

#include "../ArrayCopies.h"
#include "DriverTable.h"
#include "Mettle/Runtime/CUDA/Assembler.h"

using namespace llvm;

namespace mettle::runtime::cuda {

/// What all handles of a context share; the primary context is released with
/// the last of them.
struct ContextState {
  std::shared_ptr<const Driver> driver;
  DeviceInfo info;
  CUdevice device;
  /// Empty: the driver's own.
  std::string ptxas;

  const DriverTable &table() const { return driver->table(); }
  ~ContextState() { table().cuDevicePrimaryCtxRelease_v2(device); }
};

Expected<Context> Context::open(std::shared_ptr<const Driver> driver, int ordinal) {
  Expected<DeviceInfo> info = driver->device(ordinal);
  if (!info)
    return info.takeError();
  const DriverTable &table = driver->table();
  CUdevice device;
  if (Error error = METTLE_CUDA_CALL(table, cuDeviceGet, &device, ordinal))
    return error;
  CUcontext context;
  if (Error error = METTLE_CUDA_CALL(table, cuDevicePrimaryCtxRetain, &context, device))
    return error;
  auto state = std::shared_ptr<ContextState>(
      new ContextState{std::move(driver), std::move(*info), device, ""});
  if (Error error = METTLE_CUDA_CALL(table, cuCtxSetCurrent, context))
    return error;
  return Context(std::move(state));
}

const DeviceInfo &Context::device() const { return state->info; }

void Context::assembleWith(StringRef ptxas) { state->ptxas = ptxas; }

Expected<DeviceMemory> Context::allocate(uint64_t bytes) {
  // The driver refuses to allocate nothing; an empty array still has an address.
  CUdeviceptr pointer = 0;
  if (Error error =
          METTLE_CUDA_CALL(state->table(), cuMemAlloc_v2, &pointer, std::max<uint64_t>(bytes, 1)))
    return error;
  return DeviceMemory(state, pointer);
}

Expected<Module> Context::load(StringRef ptx) {
  Expected<std::string> code = state->ptxas.empty()
                                   ? ptx.str() // the driver wants text to end in a null
                                   : assemble(state->ptxas, ptx, state->info.capability);
  if (!code)
    return code.takeError();
  std::string log(1 << 16, '\0');
  int options[] = {jitErrorLogBuffer, jitErrorLogBufferSizeBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  CUmodule handle = nullptr;
  Error error = METTLE_CUDA_CALL(state->table(), cuModuleLoadDataEx, &handle, code->c_str(),
                                 unsigned(std::size(options)), options, values);
  if (!error)
    return Module(state, handle);
  StringRef said = StringRef(log.c_str()).rtrim();
  if (said.empty())
    return error;
  return createStringError(toString(std::move(error)) + "\n" + said);
}

Error Context::synchronize() { return METTLE_CUDA_CALL(state->table(), cuCtxSynchronize); }

DeviceMemory::DeviceMemory(DeviceMemory &&other)
    : state(std::move(other.state)), pointer(other.pointer) {}

DeviceMemory::~DeviceMemory() {
  if (state)
    state->table().cuMemFree_v2(pointer);
}

Error DeviceMemory::copyFrom(ArrayRef<uint8_t> host) {
  if (host.empty())
    return Error::success();
  return METTLE_CUDA_CALL(state->table(), cuMemcpyHtoD_v2, pointer, host.data(), host.size());
}

Error DeviceMemory::copyTo(MutableArrayRef<uint8_t> host) const {
  if (host.empty())
    return Error::success();
  return METTLE_CUDA_CALL(state->table(), cuMemcpyDtoH_v2, host.data(), pointer, host.size());
}

Module::Module(Module &&other) : state(std::move(other.state)), handle(other.handle) {}

Module::~Module() {
  if (state)
    state->table().cuModuleUnload(handle);
}

Error Module::checkResources(StringRef kernel, CUfunction function,
                             const LaunchConfig &config) const {
  const DriverTable &table = state->table();
  int maxThreads = 0, staticShared = 0;
  if (Error error = METTLE_CUDA_CALL(table, cuFuncGetAttribute, &maxThreads,
                                     functionMaxThreadsPerBlock, function))
    return error;
  if (Error error = METTLE_CUDA_CALL(table, cuFuncGetAttribute, &staticShared,
                                     functionSharedSizeBytes, function))
    return error;
  uint64_t threads = config.block[0] * config.block[1] * config.block[2];
  if (threads > uint64_t(maxThreads))
    return createStringError("kernel '" + kernel + "': expected at most " + Twine(maxThreads) +
                             " threads in a block on " + state->info.name + ", found " +
                             Twine(threads));
  uint64_t shared = uint64_t(staticShared) + config.dynamicShared;
  if (shared > state->info.sharedPerBlock)
    return createStringError("kernel '" + kernel + "': expected at most " +
                             Twine(state->info.sharedPerBlock) + " bytes of workgroup memory on " +
                             state->info.name + ", found " + Twine(shared));
  return METTLE_CUDA_CALL(table, cuFuncSetAttribute, function, functionMaxDynamicSharedSizeBytes,
                          int(config.dynamicShared));
}

Error Module::checkParameters(StringRef kernel, CUfunction function,
                              ArrayRef<ArrayRef<uint8_t>> arguments) const {
  const DriverTable &table = state->table();
  if (!table.cuFuncGetParamInfo)
    return Error::success();
  size_t count = 0;
  for (size_t offset, size;; ++count) {
    CUresult result = table.cuFuncGetParamInfo(function, count, &offset, &size);
    if (result == errorInvalidValue)
      break; // an index past the last parameter
    if (Error error = table.check(result, "cuFuncGetParamInfo"))
      return error;
    if (count < arguments.size() && arguments[count].size() != size)
      return createStringError("kernel '" + kernel + "': expected " + Twine(size) +
                               " bytes for argument " + Twine(count + 1) + ", found " +
                               Twine(arguments[count].size()));
  }
  if (count != arguments.size())
    return createStringError("kernel '" + kernel + "': expected " + Twine(count) +
                             " arguments, found " + Twine(arguments.size()));
  return Error::success();
}

Error Module::launch(StringRef kernel, const LaunchConfig &config,
                     ArrayRef<ArrayRef<uint8_t>> arguments) {
  const DriverTable &table = state->table();
  if (Error error = config.validate())
    return error;
  CUfunction function = nullptr;
  if (Error error =
          METTLE_CUDA_CALL(table, cuModuleGetFunction, &function, handle, kernel.str().c_str()))
    return createStringError("kernel '" + kernel + "': " + toString(std::move(error)));
  if (Error error = checkResources(kernel, function, config))
    return error;
  if (Error error = checkParameters(kernel, function, arguments))
    return error;
  SmallVector<void *> pointers;
  for (ArrayRef<uint8_t> argument : arguments)
    pointers.push_back(const_cast<uint8_t *>(argument.data()));
  return METTLE_CUDA_CALL(table, cuLaunchKernel, function, unsigned(config.grid[0]),
                          unsigned(config.grid[1]), unsigned(config.grid[2]),
                          unsigned(config.block[0]), unsigned(config.block[1]),
                          unsigned(config.block[2]), unsigned(config.dynamicShared),
                          /*stream=*/nullptr, pointers.data(), /*extra=*/nullptr);
}

Error run(Context &context, StringRef ptx, StringRef kernel, const LaunchConfig &config,
          MutableArrayRef<LaunchArgument> arguments) {
  Expected<Module> module = context.load(ptx);
  if (!module)
    return module.takeError();

  ArrayCopies<DeviceMemory> copies;
  if (Error error = copies.copyIn(context, arguments))
    return error;

  // A parameter's bytes: a scalar's own, or the address of an array's copy.
  SmallVector<uint64_t> words;
  SmallVector<size_t> sizes;
  size_t array = 0;
  for (const LaunchArgument &argument : arguments) {
    auto *scalar = std::get_if<Scalar>(&argument.value);
    words.push_back(scalar ? scalar->bits : copies[array++].address());
    sizes.push_back(scalar ? recordOf(scalar->type).bytes : sizeof(uint64_t));
  }
  SmallVector<ArrayRef<uint8_t>> parameters;
  for (size_t i = 0; i != words.size(); ++i)
    parameters.push_back({reinterpret_cast<const uint8_t *>(&words[i]), sizes[i]});
  if (Error error = module->launch(kernel, config, parameters))
    return error;
  if (Error error = context.synchronize())
    return error;
  return copies.copyOut(arguments);
}

} // namespace mettle::runtime::cuda
