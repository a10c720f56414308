//===- Loader.h - OpenCL, if there is one -----------------------*- C++ -*-===//
//
// Finds OpenCL's loader at run time with dlopen and lists its devices. No OpenCL header or library
// is needed to build Mettle, and its absence is an answer, not a failure to start.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_OPENCL_LOADER_H
#define METTLE_RUNTIME_OPENCL_LOADER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace mettle::runtime::opencl {

struct LoaderTable;

/// The file name under which OpenCL is looked for: the ICD loader, which finds the platforms that
/// the system registers. A platform's own library can be named in its place.
inline constexpr llvm::StringLiteral loaderLibrary = "libOpenCL.so.1";

struct DeviceInfo {
  /// Position in `Loader::devices`.
  unsigned ordinal;
  std::string platform;
  std::string name;
  /// "OpenCL 3.0 ...".
  std::string version;
  std::vector<std::string> extensions;
  /// Intermediate languages that it takes: "SPIR-V_1.4".
  std::vector<std::string> languages;
  /// Work-items of a workgroup, altogether and an axis.
  uint64_t maxWorkgroupSize;
  std::array<uint64_t, 3> maxWorkItemSizes;
  /// Sizes of a subgroup that a kernel may ask for; none where the device lets none choose.
  std::vector<uint64_t> subgroupSizes;
  /// Bytes.
  uint64_t globalMemory;
  uint64_t localMemory;
  /// It can be asked to round divisions and square roots of f32 correctly.
  bool offersCorrectRounding;

  bool hasExtension(llvm::StringRef extension) const;

  /// OpenCL's handles.
  void *platformHandle;
  void *deviceHandle;
};

/// A loaded library. Every error names the function that failed and OpenCL's name for it.
class Loader {
public:
  /// Loads `library`. Without it, the error is `no OpenCL loader found (libOpenCL.so.1)`.
  static llvm::Expected<std::shared_ptr<const Loader>>
  load(llvm::StringRef library = loaderLibrary);
  ~Loader();

  /// The devices of all platforms, never none: an error says whether a platform or only its device
  /// is missing.
  llvm::Expected<std::vector<DeviceInfo>> devices() const;

  /// For the other classes of this library.
  const LoaderTable &table() const { return *functions; }

private:
  explicit Loader(std::unique_ptr<LoaderTable> functions);

  std::unique_ptr<LoaderTable> functions;
};

} // namespace mettle::runtime::opencl

#endif // METTLE_RUNTIME_OPENCL_LOADER_H
