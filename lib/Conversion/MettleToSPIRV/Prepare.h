//===- Prepare.h - what comes before and after the patterns ---------------===//
//
// The steps of the conversion that see a whole module or kernel.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CONVERSION_METTLETOSPIRV_PREPARE_H
#define METTLE_LIB_CONVERSION_METTLETOSPIRV_PREPARE_H

#include "mlir/Dialect/SPIRV/IR/SPIRVEnums.h"
#include "mlir/IR/BuiltinOps.h"

namespace mettle::tospirv {

/// Erases the functions that no kernel reaches. A diagnostic and failure where a kernel reaches a
/// declaration or a function reaches itself, or where there is no kernel.
llvm::LogicalResult keepWhatKernelsReach(mlir::ModuleOp module);

/// OpenCL 2.0 devices need not have f16, and its SPIR-V environment does not list it.
inline bool hasFloat16(mlir::spirv::Version version) {
  return version >= mlir::spirv::Version::V_1_4;
}

/// Refuses what has no exact form on floats that are held as their bits.
llvm::LogicalResult verifyNarrowFloats(mlir::ModuleOp module, mlir::spirv::Version version);

/// Makes atomics through generic pointers ones of the memory that these were made from, or refuses
/// them.
llvm::LogicalResult resolveAtomicSpaces(mlir::ModuleOp module);

/// Gives each kernel with views of dynamic workgroup memory an argument that they all become.
void addHiddenArguments(mlir::ModuleOp module);

/// Puts converted operations into a `spirvx.module` and fills in the interfaces of entry points.
void wrapModule(mlir::ModuleOp module, mlir::spirv::Version version);

} // namespace mettle::tospirv

#endif // METTLE_LIB_CONVERSION_METTLETOSPIRV_PREPARE_H
