//===- ApproximateOps.h - functions whose bits are a device's own -===//
//
// The approximations that --approx-math asks for.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_APPROXIMATEOPS_H
#define METTLE_DIALECT_METTLE_IR_APPROXIMATEOPS_H

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/Mettle/IR/ApproximateOps.h.inc"

#endif // METTLE_DIALECT_METTLE_IR_APPROXIMATEOPS_H
