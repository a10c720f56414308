//===- Passes.h - passes over the neutral dialects -===//
//
// Constructors and registration of the passes that Passes.td declares.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_H
#define METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mettle {
#define GEN_PASS_DECL
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Mettle/Dialect/Mettle/Transforms/Passes.h.inc"
} // namespace mettle

#endif // METTLE_DIALECT_METTLE_TRANSFORMS_PASSES_H
