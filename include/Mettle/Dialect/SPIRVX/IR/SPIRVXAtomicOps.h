//===- SPIRVXAtomicOps.h - atomic instructions ===//
//
// Those that upstream's dialect lacks.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_SPIRVX_IR_SPIRVXATOMICOPS_H
#define METTLE_DIALECT_SPIRVX_IR_SPIRVXATOMICOPS_H

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVOps.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "Mettle/Dialect/SPIRVX/IR/SPIRVXAtomicOps.h.inc"

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXATOMICOPS_H
