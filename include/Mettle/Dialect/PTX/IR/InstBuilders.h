//===- InstBuilders.h - what the typed builders share -===//
//
// Included by the generated PTX<Family>Insts.h.inc, which declare a builder an instruction:
// `Value fmaF32(OpBuilder &, Location, Value a, Value b, Value c, Rounding rnd, bool ftz = false,
// bool sat = false)`. An operand of another register class than the record's is a bug of the
// caller, which the verifier reports.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_DIALECT_PTX_IR_INSTBUILDERS_H
#define METTLE_DIALECT_PTX_IR_INSTBUILDERS_H

#include "Mettle/Dialect/PTX/IR/InstEnums.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/ValueRange.h"
#include <optional>

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace mettle::ptx {

enum class Opcode : uint16_t;

/// Builds a ptx.inst: `modifiers` counted from one, zero for one that stays away.
mlir::ResultRange buildInst(mlir::OpBuilder &builder, mlir::Location loc, Opcode opcode,
                            mlir::ValueRange operands, llvm::ArrayRef<uint8_t> modifiers,
                            llvm::ArrayRef<int64_t> immediates);

/// The number buildInst takes for a modifier that may stay away.
template <typename Modifier> uint8_t choice(std::optional<Modifier> modifier) {
  return modifier ? uint8_t(*modifier) : 0;
}

} // namespace mettle::ptx

#endif // METTLE_DIALECT_PTX_IR_INSTBUILDERS_H
