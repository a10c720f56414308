//===- Requirements.h - what a SPIR-V module asks of its consumer ---------===//
//
// Capabilities and extensions are derived from operations and types, never stated by whoever builds
// the module.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TARGET_SPIRV_REQUIREMENTS_H
#define METTLE_TARGET_SPIRV_REQUIREMENTS_H

#include "mlir/Dialect/SPIRV/IR/SPIRVEnums.h"
#include "mlir/Support/LLVM.h"

namespace mettle {

namespace spirvx {
class ModuleOp;
} // namespace spirvx

struct SPIRVRequirements {
  /// Ascending, each once; but for Kernel and Addresses, none that another implies.
  mlir::SmallVector<mlir::spirv::Capability> capabilities;
  /// Ascending, each once.
  mlir::SmallVector<mlir::spirv::Extension> extensions;
};

/// Fails, with a diagnostic at the operation, on what needs a later version of SPIR-V than the
/// module's or a capability that OpenCL kernels cannot have.
mlir::FailureOr<SPIRVRequirements> deriveRequirements(spirvx::ModuleOp module);

} // namespace mettle

#endif // METTLE_TARGET_SPIRV_REQUIREMENTS_H
