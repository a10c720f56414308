//===- Session.h - One run from the command line ----------------*- C++ -*-===//
//
// What every command that runs a kernel does around the run itself: reads the launch and the
// arguments from their texts before anything is executed, and afterwards saves and shows the
// arrays.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_RUNTIME_SESSION_H
#define METTLE_RUNTIME_SESSION_H

#include "Mettle/Runtime/Launch.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mettle::runtime {

/// The texts of the options that all such commands have.
struct SessionOptions {
  std::string grid = "1", block = "1";
  /// Bytes of dynamic workgroup memory.
  uint64_t shared = 0;
  std::vector<std::string> arguments;
  /// PARAMETER=FILE.npy.
  std::vector<std::string> saves;
  /// Show JSON instead of a table.
  bool json = false;
};

/// A launch that is ready to run.
class Session {
public:
  /// An error names the option or the argument that is off; nothing was executed then.
  static llvm::Expected<Session> prepare(llvm::StringRef kernel,
                                         llvm::ArrayRef<KernelParameter> parameters,
                                         const SessionOptions &options);

  const LaunchConfig &config() const { return launch; }
  llvm::ArrayRef<KernelParameter> parameters() const { return kernelParameters; }
  llvm::MutableArrayRef<LaunchArgument> arguments() { return values; }
  /// Gives the kernel one more argument, which is neither named, saved nor shown.
  void addHidden(std::string name, Buffer buffer);
  /// Workgroups of the grid.
  uint64_t workgroups() const { return launch.grid[0] * launch.grid[1] * launch.grid[2]; }

  /// Writes the arrays to be saved, then shows all.
  llvm::Error finish(llvm::raw_ostream &os) const;

private:
  struct Save {
    size_t argument;
    std::string path;
  };
  llvm::Error resolveSaves(llvm::ArrayRef<std::string> texts);

  LaunchConfig launch;
  std::vector<KernelParameter> kernelParameters;
  std::vector<LaunchArgument> values;
  std::vector<Save> saves;
  /// Of the arguments, the last ones.
  size_t hidden = 0;
  bool json = false;
};

} // namespace mettle::runtime

#endif // METTLE_RUNTIME_SESSION_H
