//===- SPIRVXDialect.h - the dialect beside upstream's spirv --------------===//
//
// The dialect and its two discardable attributes; operations have a header a family.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_SPIRVX_IR_SPIRVXDIALECT_H
#define METTLE_DIALECT_SPIRVX_IR_SPIRVXDIALECT_H

#include "mlir/IR/Dialect.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXDialect.h.inc"

#endif // METTLE_DIALECT_SPIRVX_IR_SPIRVXDIALECT_H
