//===- MettleDialect.h - the dialect, its types, attributes and resources -===//
//
// Everything of the neutral dialect but its operations, which have a header a family: including
// this one alone costs little.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_METTLE_IR_METTLEDIALECT_H
#define METTLE_DIALECT_METTLE_IR_METTLEDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h.inc"
#include "Mettle/Dialect/Mettle/IR/MettleEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Mettle/Dialect/Mettle/IR/MettleAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Mettle/Dialect/Mettle/IR/MettleTypes.h.inc"

namespace mettle {

/// The most lanes a subgroup has on any target that is supported.
inline constexpr unsigned maxSubgroupSize = 64;

/// The most work-items that a workgroup has on every target.
inline constexpr int64_t maxBlockSize = 1024;

/// An i64 on scf.for or scf.while: how many rounds become one, if it can be; 1 leaves the loop as
/// it is.
inline constexpr llvm::StringLiteral unrollAttrName = "mettle.unroll";
inline constexpr int64_t maxUnroll = 256;

/// The memory behind !mettle.ptr<T, global>.
struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "GlobalMemory"; }
};

/// The memory behind !mettle.ptr<T, workgroup>.
struct WorkgroupMemory : mlir::SideEffects::Resource::Base<WorkgroupMemory> {
  llvm::StringRef getName() final { return "WorkgroupMemory"; }
};

/// The memory behind !mettle.ptr<T, private>.
struct PrivateMemory : mlir::SideEffects::Resource::Base<PrivateMemory> {
  llvm::StringRef getName() final { return "PrivateMemory"; }
};

/// Which work-items are here together. A collective reads it and a barrier also writes it, which
/// keeps upstream CSE, LICM and sinking from moving either across control flow.
struct Convergence : mlir::SideEffects::Resource::Base<Convergence> {
  llvm::StringRef getName() final { return "Convergence"; }
};

} // namespace mettle

#endif // METTLE_DIALECT_METTLE_IR_METTLEDIALECT_H
