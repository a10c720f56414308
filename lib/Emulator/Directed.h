//===- Directed.h - Float arithmetic that rounds elsewhere ------*- C++ -*-===//
//
// The operations under .rz, .rm and .rp, one lane at a time: they are rare.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_DIRECTED_H
#define METTLE_LIB_EMULATOR_DIRECTED_H

#include "Execution.h"

namespace mettle::emulator {

enum class DirectedOperation : uint8_t { Add, Sub, Mul, Fma, Div, Rcp, Sqrt };
/// Op::immediate of such an op.
enum class DirectedRounding : uint64_t { Zero, Down, Up };

Handler directedHandler(DirectedOperation operation, bool isDouble);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_DIRECTED_H
