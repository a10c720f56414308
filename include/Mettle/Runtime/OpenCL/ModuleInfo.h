//===- ModuleInfo.h - what a SPIR-V binary says of itself -------*- C++ -*-===//
//
// Reads from the words of a module what a launch has to know: its version, the capabilities and
// extensions that it needs, and the parameters of its kernels.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_OPENCL_MODULEINFO_H
#define METTLE_RUNTIME_OPENCL_MODULEINFO_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mettle::runtime::opencl {

struct ParameterInfo {
  enum class Kind {
    /// Passed by value.
    Scalar,
    /// A pointer to a buffer in global memory.
    Global,
    /// A pointer to workgroup memory whose size the launch gives. Mettle's kernels have at most
    /// one, the last: it holds their dynamic workgroup memory.
    Workgroup,
  };
  Kind kind;
  /// Of a scalar, else 0.
  unsigned bytes;
};

struct KernelInfo {
  std::string name;
  std::vector<ParameterInfo> parameters;
  /// Whether it, or what it calls, depends on which work-items are a subgroup.
  bool usesSubgroups = false;
  /// The size of a subgroup that it fixes; 0 for others.
  uint32_t subgroupSize = 0;
};

struct ModuleInfo {
  /// 1.4 is {1, 4}.
  unsigned major, minor;
  /// The words of OpCapability.
  std::vector<uint32_t> capabilities;
  std::vector<std::string> extensions;
  std::vector<KernelInfo> kernels;

  /// Reads the words of a binary. An error names the word at which it is no SPIR-V module, or the
  /// parameter of a kernel that is neither a number nor a pointer to global or workgroup memory.
  static llvm::Expected<ModuleInfo> read(llvm::ArrayRef<uint32_t> words);

  /// The kernel of that name; an error lists those there are.
  llvm::Expected<const KernelInfo *> kernel(llvm::StringRef name) const;
};

} // namespace mettle::runtime::opencl

#endif // METTLE_RUNTIME_OPENCL_MODULEINFO_H
