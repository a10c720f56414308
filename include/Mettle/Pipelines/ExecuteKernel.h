//===- ExecuteKernel.h - a kernel and the runtime's arguments -------------===//
//
// Between IR and the runtime, which knows none: what a kernel's parameters are to a launch, and a
// launch in the interpreter on the arrays that devices take.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_PIPELINES_EXECUTEKERNEL_H
#define METTLE_PIPELINES_EXECUTEKERNEL_H

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Runtime/Launch.h"

namespace mettle {
namespace interpreter {
struct Print;
} // namespace interpreter

/// The parameters in order, named as the source names them, else arg0, arg1, ... An error names
/// one whose type has no form on a command line.
llvm::Expected<llvm::SmallVector<runtime::KernelParameter>> parametersOf(KernelOp kernel);

/// What a launch in the interpreter has beside the configuration of any.
struct InterpretOptions {
  /// The most instructions of a work-item; 0 is no limit.
  uint64_t stepLimit = 0;
  /// Lanes of a subgroup; 0 is what the kernel fixes, else 32.
  uint32_t subgroupSize = 0;
  /// Called after each workgroup, if there is one.
  std::function<void()> afterWorkgroup;
  /// Called at each `mettle.print`, if there is one.
  std::function<void(const interpreter::Print &)> print = {};
};

/// Runs one launch in the interpreter. Faults are diagnostics at their source lines; the arrays of
/// `arguments` hold what was written.
llvm::LogicalResult interpretKernel(KernelOp kernel, const runtime::LaunchConfig &config,
                                    llvm::ArrayRef<runtime::KernelParameter> parameters,
                                    llvm::MutableArrayRef<runtime::LaunchArgument> arguments,
                                    const InterpretOptions &options);

} // namespace mettle

#endif // METTLE_PIPELINES_EXECUTEKERNEL_H
