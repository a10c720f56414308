//===- FlattenSCF.h - structured control flow to branches -===//
//
// The pass that lowers scf to cf in time linear in a kernel's length.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CONVERSION_FLATTENSCF_FLATTENSCF_H
#define METTLE_CONVERSION_FLATTENSCF_FLATTENSCF_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace mettle {
#define GEN_PASS_DECL_FLATTENSCF
#include "Mettle/Conversion/Passes.h.inc"
} // namespace mettle

#endif // METTLE_CONVERSION_FLATTENSCF_FLATTENSCF_H
