//===- UniformValues.h - for whom values are the same -===//
//
// What mettle-verify-uniformity knows of values, for those who show it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_TRANSFORMS_UNIFORMVALUES_H
#define METTLE_DIALECT_METTLE_TRANSFORMS_UNIFORMVALUES_H

#include "mlir/IR/BuiltinOps.h"

namespace mettle {

/// From the most to the least uniform. Never is what is not executed.
enum class Sameness : uint8_t { Never, Workgroup, Subgroup, Varying };

/// For whom each value of a module is the same; nothing where the module cannot be analysed.
std::optional<std::vector<Sameness>> samenessOf(mlir::ModuleOp module,
                                                llvm::ArrayRef<mlir::Value> values);

} // namespace mettle

#endif // METTLE_DIALECT_METTLE_TRANSFORMS_UNIFORMVALUES_H
