//===- CheckSites.h - the assertions and prints of a module -===//
//
// Each has a number, which is all that a kernel writes of it; who launched the kernel knows the
// rest. Copies of one, in helpers compiled several times or in unrolled loops, share a number.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_TRANSFORMS_CHECKSITES_H
#define METTLE_DIALECT_METTLE_TRANSFORMS_CHECKSITES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mettle {

struct CheckSite {
  mlir::Location location;
  bool isPrint;
  std::string text;
  /// Of the values that a print shows.
  llvm::SmallVector<std::string> kinds;
};

/// Site i has the number i + 1. `numbers`, if given, gets that of each operation.
std::vector<CheckSite> collectCheckSites(mlir::ModuleOp module,
                                         llvm::DenseMap<mlir::Operation *, unsigned> *numbers = {});

/// The functions that hold one or call one that does: those that mettle-lower-checks gives one more
/// argument.
llvm::SetVector<mlir::FunctionOpInterface> functionsWithChecks(mlir::ModuleOp module);

} // namespace mettle

#endif // METTLE_DIALECT_METTLE_TRANSFORMS_CHECKSITES_H
