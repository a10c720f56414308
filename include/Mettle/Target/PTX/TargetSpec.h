//===- TargetSpec.h - which PTX version and architecture to emit for -===//
//
// What the options --gpu-arch and --ptx-version say, and what is known of architectures: the PTX
// version that introduced each, and whether one offers what an instruction asks for. Depends on
// LLVM's Support only.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TARGET_PTX_TARGETSPEC_H
#define METTLE_TARGET_PTX_TARGETSPEC_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <tuple>

namespace mettle::ptx {

/// A version of the PTX ISA.
struct Version {
  unsigned major = 0, minor = 0;

  /// Reads `M.m`; an error names a version that does not exist.
  static llvm::Expected<Version> parse(llvm::StringRef text);
  std::string str() const;

  friend bool operator<(Version a, Version b) {
    return std::tie(a.major, a.minor) < std::tie(b.major, b.minor);
  }
  friend bool operator==(Version a, Version b) {
    return std::tie(a.major, a.minor) == std::tie(b.major, b.minor);
  }
};

/// What `.target` names.
struct Architecture {
  /// NN of sm_NN.
  unsigned sm = 0;
  /// 'a': what only this architecture has; 'f': what its family has; 0: what every later one has.
  char suffix = 0;
  /// compute_NN in place of sm_NN.
  bool isVirtual = false;

  /// Reads sm_NN, sm_NNa, sm_NNf or compute_NN (also with a suffix) of a known architecture.
  static llvm::Expected<Architecture> parse(llvm::StringRef text);
  std::string str() const;
  /// The version that introduced it.
  Version introduced() const;
  /// Whether it offers `feature`: `sm_90a` asks for exactly that, `sm_100f` for a target of that
  /// family, of at least that number, with a suffix.
  bool offers(llvm::StringRef feature) const;
};

/// Every known architecture with every suffix it has, from the lowest on; of one number the plain
/// one first, then f, then a. Begins with the lowest that present assemblers take, sm_75.
llvm::ArrayRef<Architecture> currentArchitectures();

/// A target as far as options fix it.
struct TargetSpec {
  std::optional<Architecture> architecture;
  std::optional<Version> version;

  /// `arch`: as Architecture::parse, or `portable` (PTX 6.4, compute_75), `gb10` (PTX 8.8,
  /// sm_121a), or empty; `version`: M.m or empty, above what a name implies. The error is one
  /// line, lower case, with what stood there; also for a version older than the architecture.
  static llvm::Expected<TargetSpec> parse(llvm::StringRef arch, llvm::StringRef version);
};

} // namespace mettle::ptx

#endif // METTLE_TARGET_PTX_TARGETSPEC_H
