//===- Translate.h - PTX text of a module -===//
//
// The one way from the ptx dialect to text.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TARGET_PTX_TRANSLATE_H
#define METTLE_TARGET_PTX_TRANSLATE_H

#include "Mettle/Target/PTX/TargetSpec.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mettle::ptx {

struct PTXOptions {
  /// What is not fixed here is taken as low as the instructions allow.
  TargetSpec target;
  /// Write .loc and .file, so that a debugger or profiler finds the source lines.
  bool lineInfo = false;
};

/// Writes the PTX of `module`, a builtin.module that holds ptx.entry and ptx.func. Fails, with an
/// error at the operation, if an instruction needs more than the target has or if something else
/// than ptx stands in the module; nothing is written then.
mlir::LogicalResult translateToPTX(mlir::Operation *module, llvm::raw_ostream &os,
                                   const PTXOptions &options);

} // namespace mettle::ptx

#endif // METTLE_TARGET_PTX_TRANSLATE_H
