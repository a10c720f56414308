//===- SPIRVXMathOps.cpp - instructions of OpenCL.std ---------------------===//
//
// Registration of those that upstream's dialect lacks.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace mettle::spirvx;

#define GET_OP_CLASSES
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.cpp.inc"

namespace mettle::spirvx::detail {
void registerMathOps(SPIRVXDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXMathOps.cpp.inc"
      >();
}
} // namespace mettle::spirvx::detail
