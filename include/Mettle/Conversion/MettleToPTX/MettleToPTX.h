//===- MettleToPTX.h - lowering to the ptx dialect -===//
//
// The pass that turns kernels and helper functions in cf form into PTX instructions.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CONVERSION_METTLETOPTX_METTLETOPTX_H
#define METTLE_CONVERSION_METTLETOPTX_METTLETOPTX_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace mettle {
#define GEN_PASS_DECL_CONVERTMETTLETOPTX
#include "Mettle/Conversion/Passes.h.inc"
} // namespace mettle

#endif // METTLE_CONVERSION_METTLETOPTX_METTLETOPTX_H
