//===- MettleToSPIRV.h - the conversion to SPIR-V -===//
//
// The pass's constructor; Passes.td says what it does.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CONVERSION_METTLETOSPIRV_METTLETOSPIRV_H
#define METTLE_CONVERSION_METTLETOSPIRV_METTLETOSPIRV_H

#include "mlir/Dialect/SPIRV/IR/SPIRVEnums.h"
#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace mettle {
#define GEN_PASS_DECL_CONVERTMETTLETOSPIRV
#include "Mettle/Conversion/Passes.h.inc"
} // namespace mettle

#endif // METTLE_CONVERSION_METTLETOSPIRV_METTLETOSPIRV_H
