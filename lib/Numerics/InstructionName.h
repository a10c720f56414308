//===- InstructionName.h - The parts of a matrix instruction's name -------===//
//
// PTX names a matrix instruction in several ways; this is what they have in common. Private to the
// library: MatrixModel looks rows up by it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_INSTRUCTIONNAME_H
#define METTLE_LIB_NUMERICS_INSTRUCTIONNAME_H

#include "Mettle/Numerics/Format.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mettle::numerics {

struct InstructionName {
  std::string family; ///< As MatrixRow::family.
  unsigned m = 0, n = 0, k = 0;
  Format a{}, b{}, c{}, d{};
  bool saturate = false;
  bool xorBits = false; ///< b1: xor rather than and.
  std::optional<Format> scale;
  unsigned scaleBlock = 0;

  /// family.shape.d.a.b.c, then `.sat`, `.xor`, `.and` or the scale's format and block, as in
  /// `mma.scaled.m16n8k32.f32.e4m3.e2m1.f32.ue8m0/32`.
  std::string text() const;
};

/// Parses PTX's name (operands are not expected) or text().
llvm::Expected<InstructionName> parseInstructionName(llvm::StringRef text);

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_INSTRUCTIONNAME_H
