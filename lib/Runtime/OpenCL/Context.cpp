//===- Context.cpp - One OpenCL device in use -----------------------------===//
//
// Contexts, buffers, programs and launches.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Runtime/OpenCL/Context.h"

#include "../ArrayCopies.h"
#include "LoaderTable.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace mettle::runtime::opencl {

struct ContextState {
  std::shared_ptr<const Loader> loader;
  DeviceInfo device;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  const LoaderTable &table() const { return loader->table(); }

  ~ContextState() {
    if (queue)
      table().clReleaseCommandQueue(queue);
    if (context)
      table().clReleaseContext(context);
  }
};

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

DeviceMemory::DeviceMemory(DeviceMemory &&other)
    : state(std::move(other.state)), memory(std::exchange(other.memory, nullptr)) {}

DeviceMemory::~DeviceMemory() {
  if (memory)
    state->table().clReleaseMemObject(memory);
}

Error DeviceMemory::copyFrom(ArrayRef<uint8_t> host) {
  if (host.empty())
    return Error::success();
  return METTLE_OPENCL_CALL(state->table(), clEnqueueWriteBuffer, state->queue, memory,
                            /*blocking=*/1, 0, host.size(), host.data(), 0, nullptr, nullptr);
}

Error DeviceMemory::copyTo(MutableArrayRef<uint8_t> host) const {
  if (host.empty())
    return Error::success();
  return METTLE_OPENCL_CALL(state->table(), clEnqueueReadBuffer, state->queue, memory,
                            /*blocking=*/1, 0, host.size(), host.data(), 0, nullptr, nullptr);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Program::Program(Program &&other)
    : state(std::move(other.state)), handle(std::exchange(other.handle, nullptr)),
      module(std::move(other.module)) {}

Program::~Program() {
  if (handle)
    state->table().clReleaseProgram(handle);
}

static StringRef describe(ParameterInfo::Kind kind) {
  return kind == ParameterInfo::Kind::Scalar ? "a number" : "an array";
}

Error Program::setArguments(const KernelInfo &kernel, void *function, const LaunchConfig &config,
                            ArrayRef<KernelArgument> arguments) const {
  size_t visible = llvm::count_if(kernel.parameters, [](const ParameterInfo &p) {
    return p.kind != ParameterInfo::Kind::Workgroup;
  });
  if (arguments.size() != visible)
    return createStringError("expected " + Twine(visible) + " arguments for kernel '" +
                             kernel.name + "', got " + Twine(arguments.size()));
  size_t next = 0;
  for (auto [index, parameter] : enumerate(kernel.parameters)) {
    size_t size = sizeof(cl_mem);
    const void *value = nullptr;
    void *buffer = nullptr;
    if (parameter.kind == ParameterInfo::Kind::Workgroup) {
      if (config.dynamicShared == 0)
        return createStringError("expected the size of the dynamic workgroup memory of kernel '" +
                                 kernel.name + "' (--shared), got none");
      size = config.dynamicShared;
    } else {
      const KernelArgument &argument = arguments[next++];
      const auto *scalar = std::get_if<ArrayRef<uint8_t>>(&argument);
      bool isScalar = parameter.kind == ParameterInfo::Kind::Scalar;
      if (isScalar != (scalar != nullptr))
        return createStringError("expected argument " + Twine(next) + " of kernel '" + kernel.name +
                                 "' to be " + describe(parameter.kind));
      if (scalar) {
        if (scalar->size() != parameter.bytes)
          return createStringError("expected argument " + Twine(next) + " of kernel '" +
                                   kernel.name + "' to be " + Twine(parameter.bytes) +
                                   " bytes wide, got " + Twine(scalar->size()));
        size = scalar->size();
        value = scalar->data();
      } else {
        buffer = std::get<const DeviceMemory *>(argument)->handle();
        value = &buffer;
      }
    }
    if (Error error =
            METTLE_OPENCL_CALL(state->table(), clSetKernelArg, function, index, size, value))
      return error;
  }
  return Error::success();
}

Error Program::checkExtents(const KernelInfo &kernel, void *function,
                            const LaunchConfig &config) const {
  if (Error error = config.validate())
    return error;
  size_t most = 0;
  uint64_t localMemory = 0;
  if (Error error = METTLE_OPENCL_CALL(state->table(), clGetKernelWorkGroupInfo, function,
                                       state->device.deviceHandle, KernelQuery::WorkGroupSize,
                                       sizeof(most), &most, nullptr))
    return error;
  if (Error error = METTLE_OPENCL_CALL(state->table(), clGetKernelWorkGroupInfo, function,
                                       state->device.deviceHandle, KernelQuery::LocalMemorySize,
                                       sizeof(localMemory), &localMemory, nullptr))
    return error;
  uint64_t workItems = config.block[0] * config.block[1] * config.block[2];
  if (workItems > most)
    return createStringError("expected at most " + Twine(most) +
                             " work-items a workgroup of "
                             "kernel '" +
                             kernel.name + "' on '" + state->device.name + "', got " +
                             Twine(workItems));
  // What the kernel reports counts the memory bound to its argument.
  if (localMemory > state->device.localMemory)
    return createStringError("expected at most " + Twine(state->device.localMemory) +
                             " bytes of workgroup memory on '" + state->device.name + "', got " +
                             Twine(localMemory) + " with kernel '" + kernel.name + "'");
  return Error::success();
}

/// Mettle's subgroups are runs of the linear order of a workgroup's work-items; OpenCL leaves them
/// to the device, and one that begins another with each row is no home for a row of some lanes.
Error Program::checkSubgroups(const KernelInfo &kernel, void *function,
                              const LaunchConfig &config) const {
  const auto &[x, y, z] = config.block;
  if (!kernel.usesSubgroups || y * z == 1)
    return Error::success();
  const LoaderTable &table = state->table();
  auto query =
      reinterpret_cast<GetKernelSubGroupInfo>(table.clGetExtensionFunctionAddressForPlatform(
          state->device.platformHandle, "clGetKernelSubGroupInfoKHR"));
  if (!query)
    return createStringError("expected clGetKernelSubGroupInfoKHR on '" + state->device.name +
                             "' for a block of several rows, found none");
  auto ask = [&](SubgroupQuery what, std::array<size_t, 3> local, size_t &answer) {
    return table.check(query(function, state->device.deviceHandle, what, sizeof local, &local,
                             sizeof answer, &answer, nullptr),
                       "clGetKernelSubGroupInfoKHR");
  };
  size_t all = x * y * z, size = 0, count = 0;
  if (Error error = ask(SubgroupQuery::MaxSize, {all, 1, 1}, size))
    return error;
  if (Error error = ask(SubgroupQuery::Count, {x, y, z}, count))
    return error;
  size_t inRuns = divideCeil(all, size), inRows = divideCeil(x, size) * y * z;
  if (x % size == 0 || (count == inRuns && inRuns != inRows))
    return Error::success();
  return createStringError(
      "kernel '" + kernel.name + "' uses subgroups, which on '" + state->device.name +
      "' do not go on from row to row: expected a block "
      "with an x that is a multiple of " +
      Twine(size) + " or without y and z, got " + Twine(x) + " * " + Twine(y) + " * " + Twine(z));
}

Error Program::launch(StringRef name, const LaunchConfig &config,
                      ArrayRef<KernelArgument> arguments) {
  Expected<const KernelInfo *> kernel = module.kernel(name);
  if (!kernel)
    return kernel.takeError();
  const LoaderTable &table = state->table();
  cl_int result = success;
  cl_kernel function = table.clCreateKernel(handle, (*kernel)->name.c_str(), &result);
  if (Error error = table.check(result, "clCreateKernel"))
    return error;
  scope_exit release([&] { table.clReleaseKernel(function); });
  if (Error error = setArguments(**kernel, function, config, arguments))
    return error;
  if (Error error = checkExtents(**kernel, function, config))
    return error;
  if (Error error = checkSubgroups(**kernel, function, config))
    return error;
  size_t global[3], local[3];
  for (unsigned axis = 0; axis != 3; ++axis) {
    local[axis] = config.block[axis];
    global[axis] = config.grid[axis] * config.block[axis];
  }
  return METTLE_OPENCL_CALL(table, clEnqueueNDRangeKernel, state->queue, function, 3, nullptr,
                            global, local, 0, nullptr, nullptr);
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

Expected<Context> Context::open(std::shared_ptr<const Loader> loader, unsigned ordinal) {
  Expected<std::vector<DeviceInfo>> devices = loader->devices();
  if (!devices)
    return devices.takeError();
  if (ordinal >= devices->size())
    return createStringError("expected an OpenCL device below " + Twine(devices->size()) +
                             ", got " + Twine(ordinal));
  auto state = std::make_shared<ContextState>();
  state->loader = std::move(loader);
  state->device = std::move((*devices)[ordinal]);
  const LoaderTable &table = state->table();
  cl_int result = success;
  state->context =
      table.clCreateContext(nullptr, 1, &state->device.deviceHandle, nullptr, nullptr, &result);
  if (Error error = table.check(result, "clCreateContext"))
    return error;
  state->queue = table.clCreateCommandQueue(state->context, state->device.deviceHandle, 0, &result);
  if (Error error = table.check(result, "clCreateCommandQueue"))
    return error;
  return Context(std::move(state));
}

const DeviceInfo &Context::device() const { return state->device; }

Expected<DeviceMemory> Context::allocate(uint64_t bytes) {
  cl_int result = success;
  // OpenCL has no empty buffer.
  cl_mem memory = state->table().clCreateBuffer(state->context, memoryReadWrite,
                                                std::max<uint64_t>(bytes, 1), nullptr, &result);
  if (Error error = state->table().check(result, "clCreateBuffer"))
    return error;
  return DeviceMemory(state, memory);
}

static std::string buildLog(const LoaderTable &table, cl_program program, cl_device_id device) {
  size_t size = 0;
  if (table.clGetProgramBuildInfo(program, device, BuildQuery::Log, 0, nullptr, &size) != success)
    return "";
  std::string log(size, '\0');
  table.clGetProgramBuildInfo(program, device, BuildQuery::Log, size, log.data(), nullptr);
  return StringRef(log).rtrim('\0').trim().str();
}

Expected<Program> Context::load(ArrayRef<uint32_t> words) {
  Expected<ModuleInfo> info = ModuleInfo::read(words);
  if (!info)
    return info.takeError();
  if (Error error = checkSupport(state->device, *info))
    return error;
  const LoaderTable &table = state->table();
  // The extension's name is known before OpenCL 2.1 as well as after.
  auto create =
      reinterpret_cast<CreateProgramWithIL>(table.clGetExtensionFunctionAddressForPlatform(
          state->device.platformHandle, "clCreateProgramWithILKHR"));
  if (!create)
    return createStringError("expected clCreateProgramWithILKHR on '" + state->device.name +
                             "', found none");
  cl_int result = success;
  cl_program handle =
      create(state->context, words.data(), words.size() * sizeof(uint32_t), &result);
  if (Error error = table.check(result, "clCreateProgramWithILKHR"))
    return error;
  Program program(state, handle, std::move(*info));
  const char *options =
      state->device.offersCorrectRounding ? "-cl-fp32-correctly-rounded-divide-sqrt" : "";
  result = table.clBuildProgram(handle, 1, &state->device.deviceHandle, options, nullptr, nullptr);
  if (result == buildProgramFailure)
    return createStringError("'" + state->device.name + "' refuses the SPIR-V module: " +
                             buildLog(table, handle, state->device.deviceHandle));
  if (Error error = table.check(result, "clBuildProgram"))
    return error;
  return program;
}

Error Context::synchronize() { return METTLE_OPENCL_CALL(state->table(), clFinish, state->queue); }

//===----------------------------------------------------------------------===//
// A run from start to end
//===----------------------------------------------------------------------===//

Error run(Context &context, ArrayRef<uint32_t> words, StringRef kernel, const LaunchConfig &config,
          MutableArrayRef<LaunchArgument> arguments) {
  Expected<Program> program = context.load(words);
  if (!program)
    return program.takeError();
  ArrayCopies<DeviceMemory> copies;
  if (Error error = copies.copyIn(context, arguments))
    return error;
  std::vector<KernelArgument> values;
  size_t array = 0;
  for (const LaunchArgument &argument : arguments) {
    if (auto *scalar = std::get_if<Scalar>(&argument.value))
      values.push_back(
          ArrayRef(reinterpret_cast<const uint8_t *>(&scalar->bits), recordOf(scalar->type).bytes));
    else
      values.push_back(&copies[array++]);
  }
  if (Error error = program->launch(kernel, config, values))
    return error;
  if (Error error = context.synchronize())
    return error;
  return copies.copyOut(arguments);
}

} // namespace mettle::runtime::opencl
