//===- InstOps.h - ptx.inst -===//
//
// The operation behind every instruction record. Code that makes instructions includes
// PTX<Family>Insts.h.inc in its place, for the typed builders.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_INSTOPS_H
#define METTLE_DIALECT_PTX_IR_INSTOPS_H

#include "Mettle/Dialect/PTX/IR/InstInfo.h"
#include "Mettle/Dialect/PTX/IR/PTXDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/PTX/IR/InstOps.h.inc"

#endif // METTLE_DIALECT_PTX_IR_INSTOPS_H
