//===- Context.h - One OpenCL device in use ---------------------*- C++ -*-===//
//
// RAII handles for what a launch needs: a device's context and queue, memory, a program made from
// SPIR-V. Each keeps alive what it depends on.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_OPENCL_CONTEXT_H
#define METTLE_RUNTIME_OPENCL_CONTEXT_H

#include "Mettle/Runtime/Launch.h"
#include "Mettle/Runtime/OpenCL/Loader.h"
#include "Mettle/Runtime/OpenCL/ModuleInfo.h"

namespace mettle::runtime::opencl {

struct ContextState;

/// A buffer on the device, freed with its handle.
class DeviceMemory {
public:
  DeviceMemory(DeviceMemory &&other);
  DeviceMemory &operator=(DeviceMemory &&) = delete;
  ~DeviceMemory();

  /// OpenCL's handle, which a kernel's pointer parameter takes.
  void *handle() const { return memory; }

  /// Copies all of `host` to the start of the memory.
  llvm::Error copyFrom(llvm::ArrayRef<uint8_t> host);
  /// Copies the start of the memory to all of `host`, after all launches.
  llvm::Error copyTo(llvm::MutableArrayRef<uint8_t> host) const;

private:
  friend class Context;
  DeviceMemory(std::shared_ptr<ContextState> state, void *memory)
      : state(std::move(state)), memory(memory) {}

  std::shared_ptr<ContextState> state;
  void *memory;
};

/// What a kernel is given for one parameter that its author wrote.
using KernelArgument = std::variant<llvm::ArrayRef<uint8_t>, const DeviceMemory *>;

/// SPIR-V compiled for its device.
class Program {
public:
  Program(Program &&other);
  Program &operator=(Program &&) = delete;
  ~Program();

  const ModuleInfo &info() const { return module; }

  /// Launches `kernel`. `arguments` are those that its author wrote: the workgroup memory of
  /// `config.dynamicShared` bytes is bound to the hidden argument, and it is an error if a kernel
  /// has one and there are no bytes. Numbers and sizes of arguments and the extents are checked.
  /// Returns when the launch is queued; `Context::synchronize` waits for it.
  llvm::Error launch(llvm::StringRef kernel, const LaunchConfig &config,
                     llvm::ArrayRef<KernelArgument> arguments);

private:
  friend class Context;
  Program(std::shared_ptr<ContextState> state, void *handle, ModuleInfo module)
      : state(std::move(state)), handle(handle), module(std::move(module)) {}
  llvm::Error setArguments(const KernelInfo &kernel, void *function, const LaunchConfig &config,
                           llvm::ArrayRef<KernelArgument> arguments) const;
  llvm::Error checkExtents(const KernelInfo &kernel, void *function,
                           const LaunchConfig &config) const;
  llvm::Error checkSubgroups(const KernelInfo &kernel, void *function,
                             const LaunchConfig &config) const;

  std::shared_ptr<ContextState> state;
  void *handle;
  ModuleInfo module;
};

/// A device with one queue, which runs launches and copies in their order.
class Context {
public:
  static llvm::Expected<Context> open(std::shared_ptr<const Loader> loader, unsigned ordinal = 0);

  const DeviceInfo &device() const;

  llvm::Expected<DeviceMemory> allocate(uint64_t bytes);
  /// Compiles the words of a SPIR-V module. An error names what the device lacks (the version, an
  /// extension and the capability that needs it), or carries the compiler's log.
  llvm::Expected<Program> load(llvm::ArrayRef<uint32_t> words);
  /// Waits for all launches.
  llvm::Error synchronize();

private:
  explicit Context(std::shared_ptr<ContextState> state) : state(std::move(state)) {}

  std::shared_ptr<ContextState> state;
};

/// An error that names the first thing of `module` that `device` lacks.
llvm::Error checkSupport(const DeviceInfo &device, const ModuleInfo &module);

/// Runs one kernel from start to end: copies the arrays to the device, launches, waits and copies
/// them back. When the launch fails no array has changed.
llvm::Error run(Context &context, llvm::ArrayRef<uint32_t> words, llvm::StringRef kernel,
                const LaunchConfig &config, llvm::MutableArrayRef<LaunchArgument> arguments);

} // namespace mettle::runtime::opencl

#endif // METTLE_RUNTIME_OPENCL_CONTEXT_H
