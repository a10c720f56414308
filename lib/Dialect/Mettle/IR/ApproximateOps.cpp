//===- ApproximateOps.cpp - functions whose bits are a device's own -===//
//
// The generated definitions: nothing may be folded that a device computes in its own way.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/Mettle/IR/ApproximateOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle;

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/ApproximateOps.cpp.inc"

namespace mettle::detail {
void registerApproximateOps(MettleDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/Mettle/IR/ApproximateOps.cpp.inc"
      >();
}
} // namespace mettle::detail
