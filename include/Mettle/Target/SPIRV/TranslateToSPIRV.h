//===- TranslateToSPIRV.h - from a SPIR-V module in IR to words -----------===//
//
// The encoder of `spirvx.module`. It decides nothing: what stands in the module is written, and
// capabilities and extensions follow from it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TARGET_SPIRV_TRANSLATETOSPIRV_H
#define METTLE_TARGET_SPIRV_TRANSLATETOSPIRV_H

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
namespace spirv {
class ModuleOp;
} // namespace spirv
} // namespace mlir

namespace mettle {

namespace spirvx {
class ModuleOp;
} // namespace spirvx

struct SPIRVOptions {
  /// Write names of functions and variables (OpName) and source lines (OpLine).
  bool debugInfo = false;
};

/// Appends the words of the SPIR-V binary to `words`. `op` is a `spirvx.module` or an operation
/// that holds exactly one. On failure a diagnostic has been emitted at the operation at fault and
/// `words` is as it was.
llvm::LogicalResult translateToSPIRV(mlir::Operation *op, llvm::SmallVectorImpl<uint32_t> &words,
                                     const SPIRVOptions &options = {});

/// The `spirvx.module` that `op` is or holds; a diagnostic and failure unless there is exactly one.
mlir::FailureOr<spirvx::ModuleOp> findSPIRVModule(mlir::Operation *op);

/// A copy as an upstream `spirv.module`, which upstream's serializer takes: the foreign judge of
/// our encoder. Alignments are left out, since that serializer refuses them. Fails, with a
/// diagnostic, on a module that holds an operation of spirvx.
mlir::FailureOr<mlir::OwningOpRef<mlir::spirv::ModuleOp>>
buildUpstreamModule(spirvx::ModuleOp module);

} // namespace mettle

#endif // METTLE_TARGET_SPIRV_TRANSLATETOSPIRV_H
