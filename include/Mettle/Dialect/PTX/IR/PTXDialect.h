//===- PTXDialect.h - the dialect, its types, attributes and resources -===//
//
// Everything of the dialect but its operations, which have a header a family.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_PTXDIALECT_H
#define METTLE_DIALECT_PTX_IR_PTXDIALECT_H

#include "Mettle/Dialect/PTX/IR/InstEnums.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

#include "Mettle/Dialect/PTX/IR/PTXDialect.h.inc"
#include "Mettle/Dialect/PTX/IR/PTXEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Mettle/Dialect/PTX/IR/PTXAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Mettle/Dialect/PTX/IR/PTXTypes.h.inc"

namespace mettle::ptx {

/// The register type of a class, and back.
mlir::Type registerType(mlir::MLIRContext *context, RegisterClass registerClass);
RegisterClass registerClassOf(mlir::Type type);

/// The effect resource that stands for `memory`. Resources are the dialect's own: an analysis over
/// `ptx` sees nothing of another dialect's memory.
mlir::SideEffects::Resource *resourceOf(Memory memory);

} // namespace mettle::ptx

#endif // METTLE_DIALECT_PTX_IR_PTXDIALECT_H
