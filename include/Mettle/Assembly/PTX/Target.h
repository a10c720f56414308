//===- Target.h - Architectures ---------------------------------*- C++ -*-===//
//
// The architectures of Targets.def, and which one a module asks for.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_ASSEMBLY_PTX_TARGET_H
#define METTLE_ASSEMBLY_PTX_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mettle::assembly::ptx {

struct Version {
  unsigned major = 0, minor = 0;
  bool operator<(const Version &other) const {
    return major != other.major ? major < other.major : minor < other.minor;
  }
};

/// An architecture as `.target` names it: sm_90a is number 90, suffix 'a'.
struct Target {
  unsigned number = 0;
  char suffix = 0;
};

struct TargetInfo {
  llvm::StringLiteral name;
  Target target;
  Version since;
};

llvm::ArrayRef<TargetInfo> targetTable();

/// The row of Targets.def named `name`, or null.
const TargetInfo *targetNamed(llvm::StringRef name);

/// Reads `sm_` and a number with an optional suffix, whether or not Targets.def has it.
std::optional<Target> parseTarget(llvm::StringRef name);

} // namespace mettle::assembly::ptx

#endif // METTLE_ASSEMBLY_PTX_TARGET_H
