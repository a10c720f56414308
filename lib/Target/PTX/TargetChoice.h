//===- TargetChoice.h - the target that a module is emitted for -===//
//
// From what options fix and what the instructions need to the two lines that begin a PTX file.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_TARGET_PTX_TARGETCHOICE_H
#define METTLE_LIB_TARGET_PTX_TARGETCHOICE_H

#include "Mettle/Target/PTX/TargetSpec.h"
#include "mlir/IR/Operation.h"

namespace mettle::ptx {

struct Target {
  Architecture architecture;
  Version version;
};

/// The target of `module`. Fails, with an error at the first use of each instruction that a fixed
/// part rules out.
mlir::FailureOr<Target> chooseTarget(mlir::Operation *module, const TargetSpec &spec);

} // namespace mettle::ptx

#endif // METTLE_LIB_TARGET_PTX_TARGETCHOICE_H
