//===- Driver.h - the steps of the mettle command -===//
//
// Loading a source, compiling it and running it. Each step reports its errors itself.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_DRIVER_H
#define METTLE_TOOLS_METTLE_DRIVER_H

#include "Options.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Interpreter/Interpreter.h"
#include "Mettle/Runtime/Checks.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>

namespace mlir {
class PassManager;
} // namespace mlir

namespace llvm {
class Error;
template <class T> class Expected;
class SourceMgr;
} // namespace llvm

namespace mettle {
class PTXKernel;
namespace runtime {
class Session;
namespace cuda {
class Context;
} // namespace cuda
} // namespace runtime
} // namespace mettle

namespace mettle::driver {

/// Prints `mettle: error: MESSAGE`, a line for each error.
void report(llvm::Error error);

/// Runs the passes and, where nothing follows that does, verifies what they made. A verification
/// after each pass, which takes a tenth of a compilation, is what --dump-ir gets, and the IR after
/// every pass on the standard error.
mlir::LogicalResult runPasses(const Options &options, mlir::PassManager &manager,
                              mlir::ModuleOp module, bool last = true);

/// Makes room for the compilation of a source of this length where its IR is read fast.
void prepareHeap(uint64_t sourceBytes);

/// Reads the input and brings it to neutral IR: parsed, verified, and optimized when asked.
mlir::OwningOpRef<mlir::ModuleOp> load(const Options &options, llvm::SourceMgr &sources,
                                       mlir::MLIRContext &context);

/// Prints a remark as a line of JSON; failure on anything else, which is another handler's.
mlir::LogicalResult printRemarkAsJSON(const mlir::Diagnostic &diagnostic);

/// Lowers neutral IR to PTX text.
std::optional<std::string> compileToPTX(const Options &options, mlir::ModuleOp module);

/// Lowers neutral IR to the words of a SPIR-V module.
std::optional<llvm::SmallVector<uint32_t>> compileToSPIRV(const Options &options,
                                                          mlir::ModuleOp module);

/// The first NVIDIA GPU.
llvm::Expected<runtime::cuda::Context> openGPU(const Options &options);

/// The assertions and prints of a launch: gives the kernel their buffer, and shows what is in it.
class LaunchChecks {
public:
  /// Looks at neutral IR, before it is lowered.
  explicit LaunchChecks(KernelOp kernel);

  /// For a device, where the kernel has any: one more argument.
  llvm::Error giveBuffer(runtime::Session &session);
  /// Whether an assertion has failed, as far as the buffer says.
  bool hasFailed(runtime::Session &session) const;
  /// Takes what the interpreter's work-items print.
  void take(const interpreter::Print &print);
  /// Shows the assertion that failed on a device, an error like any other, and then what was
  /// printed.
  mlir::LogicalResult finish(runtime::Session &session);

private:
  llvm::Expected<runtime::CheckResults> results(runtime::Session &session) const;

  std::string kernel;
  std::vector<mlir::Location> locations;
  std::vector<runtime::CheckSite> sites;
  bool takesBuffer, hasBuffer = false;
  /// From the interpreter.
  std::vector<runtime::Printed> prints;
};

/// What a function returned, reported.
mlir::LogicalResult reported(llvm::Error error);

/// Runs a PTX file, which needs no MLIR, and prints what its entry wrote.
mlir::LogicalResult runPTX(const Options &options);

/// Runs one launch in the emulator, with progress.
llvm::Error emulate(const Options &options, const PTXKernel &kernel, runtime::Session &session);

/// Executes a kernel and prints what it wrote.
mlir::LogicalResult run(const Options &options, mlir::ModuleOp module);

} // namespace mettle::driver

#endif // METTLE_TOOLS_METTLE_DRIVER_H
