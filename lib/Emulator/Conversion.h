//===- Conversion.h - What a cvt does ---------------------------*- C++ -*-===//
//
// The record of a conversion that has no handler of its own.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_CONVERSION_H
#define METTLE_LIB_EMULATOR_CONVERSION_H

#include "Mettle/Numerics/Format.h"

namespace mettle::emulator {

/// A type of cvt: how many elements a register holds, and the format of each (none: an integer).
struct ElementType {
  unsigned count = 1, bits = 32;
  std::optional<numerics::Format> format = std::nullopt;
  bool isSigned = false;
};

enum class ToIntegral : uint8_t { No, NearestEven, TowardZero, Down, Up };

struct Conversion {
  ElementType from, to;
  numerics::Rounding rounding = numerics::Rounding::NearestEven;
  ToIntegral integral = ToIntegral::No;
  bool flushInput = false, flushOutput = false;
  bool saturate = false;       ///< .sat
  bool saturateFinite = false; ///< .satfinite
  bool relu = false;
  unsigned sources = 1; ///< operands that make up the elements, the upper first
};

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_CONVERSION_H
