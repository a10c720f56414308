//===- SubgroupOps.h - what the lanes of a subgroup do together -===//
//
// Lanes, and values that go from lane to lane.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_SUBGROUPOPS_H
#define METTLE_DIALECT_METTLE_IR_SUBGROUPOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include <optional>

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/SubgroupOps.h.inc"

namespace mettle {

/// The subgroup size that is fixed where `op` stands: by its kernel or, in a function, by every
/// kernel of the module alike.
std::optional<unsigned> fixedSubgroupSize(mlir::Operation *op);

} // namespace mettle

#endif // METTLE_DIALECT_METTLE_IR_SUBGROUPOPS_H
