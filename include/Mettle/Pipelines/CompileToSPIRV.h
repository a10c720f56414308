//===- CompileToSPIRV.h - from kernels to a SPIR-V binary -----------------===//
//
// The whole road of the SPIR-V target behind one function.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_PIPELINES_COMPILETOSPIRV_H
#define METTLE_PIPELINES_COMPILETOSPIRV_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace mettle {

/// The two versions that Mettle writes.
enum class SPIRVVersion {
  /// What OpenCL 2.0 devices take.
  V1_0,
  /// What OpenCL 2.1 and later devices take that list it.
  V1_4,
};

struct SPIRVCompileOptions {
  SPIRVVersion version = SPIRVVersion::V1_4;
  /// Run the neutral optimizations, which keep bits.
  bool optimize = false;
  /// Write names of functions and variables, and source lines.
  bool debugInfo = false;
};

/// From neutral IR, which has been through `buildNeutralPipeline`, to a `spirvx.module`.
void buildSPIRVPipeline(mlir::OpPassManager &manager, const SPIRVCompileOptions &options);

/// Runs both pipelines: converts the kernels of `module`, and what they call, to a `spirvx.module`,
/// which is then all that `module` holds. A module that holds a `spirvx.module` already is left as
/// it is. On failure every fault has been reported at its place.
llvm::LogicalResult convertToSPIRV(mlir::ModuleOp module, const SPIRVCompileOptions &options);

/// Converts, and appends the words of the binary to `words`.
llvm::LogicalResult compileToSPIRV(mlir::ModuleOp module, const SPIRVCompileOptions &options,
                                   llvm::SmallVectorImpl<uint32_t> &words);

} // namespace mettle

#endif // METTLE_PIPELINES_COMPILETOSPIRV_H
