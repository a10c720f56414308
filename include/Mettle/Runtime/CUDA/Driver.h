//===- Driver.h - The CUDA driver, if there is one --------------*- C++ -*-===//
//
// Finds the CUDA driver at run time with dlopen and asks it for its devices. No
// CUDA header or library is needed to build Mettle, and its absence is an answer,
// not a failure to start.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_CUDA_DRIVER_H
#define METTLE_RUNTIME_CUDA_DRIVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>

namespace mettle::runtime::cuda {

struct DriverTable;

/// The file name under which the driver is looked for.
inline constexpr llvm::StringLiteral driverLibrary = "libcuda.so.1";

/// 9.0 is sm_90.
struct ComputeCapability {
  unsigned major;
  unsigned minor;
};

struct DeviceInfo {
  int ordinal;
  std::string name;
  ComputeCapability capability;
  unsigned multiprocessors;
  /// Bytes.
  uint64_t memory;
  /// Bytes of workgroup memory that one workgroup can have when it asks.
  uint64_t sharedPerBlock;
};

/// An initialised driver. Every error names the driver function that failed and
/// the driver's own name and text for it.
class Driver {
public:
  /// Loads and initialises `library`. Without it, the error is
  /// `no CUDA driver found (libcuda.so.1)`.
  static llvm::Expected<std::shared_ptr<const Driver>>
  load(llvm::StringRef library = driverLibrary);
  ~Driver();

  /// The CUDA version that the driver supports: 13000 is 13.0.
  llvm::Expected<unsigned> version() const;
  llvm::Expected<int> deviceCount() const;
  llvm::Expected<DeviceInfo> device(int ordinal) const;

  /// For the other classes of this library.
  const DriverTable &table() const { return *functions; }

private:
  explicit Driver(std::unique_ptr<DriverTable> functions);

  std::unique_ptr<DriverTable> functions;
};

/// What the first device can do, or nothing when there is no driver or no
/// device: what a compiler needs to choose its target. Prints nothing. Without a
/// driver it costs one failed dlopen; with one, the driver's initialisation.
std::optional<ComputeCapability> queryLocalDevice(llvm::StringRef library = driverLibrary);

} // namespace mettle::runtime::cuda

#endif // METTLE_RUNTIME_CUDA_DRIVER_H
