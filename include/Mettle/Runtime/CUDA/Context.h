//===- Context.h - One CUDA device in use -----------------------*- C++ -*-===//
//
// RAII handles for what a launch needs: a device's primary context, memory, a
// module made from PTX text, a kernel. Each keeps alive what it depends on. They
// are used from the thread that opened the context.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_CUDA_CONTEXT_H
#define METTLE_RUNTIME_CUDA_CONTEXT_H

#include "Mettle/Runtime/CUDA/Driver.h"
#include "Mettle/Runtime/Launch.h"

namespace mettle::runtime::cuda {

struct ContextState;

/// Memory of the device, freed with its handle.
class DeviceMemory {
public:
  DeviceMemory(DeviceMemory &&other);
  DeviceMemory &operator=(DeviceMemory &&) = delete;
  ~DeviceMemory();

  /// The address that a kernel's pointer parameter takes.
  uint64_t address() const { return pointer; }

  /// Copies all of `host` to the start of the memory.
  llvm::Error copyFrom(llvm::ArrayRef<uint8_t> host);
  /// Copies the start of the memory to all of `host`.
  llvm::Error copyTo(llvm::MutableArrayRef<uint8_t> host) const;

private:
  friend class Context;
  DeviceMemory(std::shared_ptr<ContextState> state, uint64_t pointer)
      : state(std::move(state)), pointer(pointer) {}

  std::shared_ptr<ContextState> state;
  uint64_t pointer;
};

/// PTX text compiled by the driver for its device.
class Module {
public:
  Module(Module &&other);
  Module &operator=(Module &&) = delete;
  ~Module();

  /// Launches the entry `kernel`. `arguments` are the bytes of the parameters in
  /// order; their number and sizes are checked where the driver tells them (CUDA
  /// 12.4 and later), as are the workgroup's size and memory. Returns when the
  /// launch is queued; `Context::synchronize` reports what fails while it runs.
  llvm::Error launch(llvm::StringRef kernel, const LaunchConfig &config,
                     llvm::ArrayRef<llvm::ArrayRef<uint8_t>> arguments);

private:
  friend class Context;
  Module(std::shared_ptr<ContextState> state, void *handle)
      : state(std::move(state)), handle(handle) {}
  llvm::Error checkResources(llvm::StringRef kernel, void *function,
                             const LaunchConfig &config) const;
  llvm::Error checkParameters(llvm::StringRef kernel, void *function,
                              llvm::ArrayRef<llvm::ArrayRef<uint8_t>> arguments) const;

  std::shared_ptr<ContextState> state;
  void *handle;
};

/// The primary context of a device, current on this thread.
class Context {
public:
  static llvm::Expected<Context> open(std::shared_ptr<const Driver> driver, int ordinal = 0);

  const DeviceInfo &device() const;

  /// Compiles with this ptxas from now on (see Assembler.h), in place of the driver's.
  void assembleWith(llvm::StringRef ptxas);

  llvm::Expected<DeviceMemory> allocate(uint64_t bytes);
  /// Compiles PTX text. On failure the error carries the compiler's log.
  llvm::Expected<Module> load(llvm::StringRef ptx);
  /// Waits for all launches; the first error of any of them.
  llvm::Error synchronize();

private:
  explicit Context(std::shared_ptr<ContextState> state) : state(std::move(state)) {}

  std::shared_ptr<ContextState> state;
};

/// Runs one kernel from start to end: copies the arrays to the device, launches,
/// waits and copies them back. When the launch fails no array has changed.
llvm::Error run(Context &context, llvm::StringRef ptx, llvm::StringRef kernel,
                const LaunchConfig &config, llvm::MutableArrayRef<LaunchArgument> arguments);

} // namespace mettle::runtime::cuda

#endif // METTLE_RUNTIME_CUDA_CONTEXT_H
