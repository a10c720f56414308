//===- SPIRVXAtomicOps.cpp - atomic instructions -------------------------------===//
//
// Registration of those that upstream's dialect lacks.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXAtomicOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle::spirvx;

#define GET_OP_CLASSES
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXAtomicOps.cpp.inc"

namespace mettle::spirvx::detail {
void registerAtomicOps(SPIRVXDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXAtomicOps.cpp.inc"
      >();
}
} // namespace mettle::spirvx::detail
