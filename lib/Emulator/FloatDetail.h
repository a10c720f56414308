//===- FloatDetail.h - Flags of float ops -----------------------*- C++ -*-===//
//
// The bits of Op::detail that decode functions set and float handlers read.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_FLOATDETAIL_H
#define METTLE_LIB_EMULATOR_FLOATDETAIL_H

#include <cstdint>

namespace mettle::emulator {

enum FloatDetail : uint16_t {
  Flush = 1,    ///< .ftz
  Saturate = 2, ///< .sat
  Relu = 4,     ///< .relu
  KeepNaN = 8,  ///< .NaN of min and max
  XorSign = 16, ///< .xorsign.abs
  Magnitude = 32,
};

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_FLOATDETAIL_H
