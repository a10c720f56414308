//===- Control.h - Handlers that the decoder itself needs -------*- C++ -*-===//
//
// The ends of a kernel and of a function, which are there without an instruction of their own, and
// the narrowing of a register that is read as less than it holds.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_CONTROL_H
#define METTLE_LIB_EMULATOR_CONTROL_H

#include "Op.h"

namespace mettle::emulator {

const Op *leaveKernel(Execution &execution, const Op &op, LaneMask mask);
const Op *returnFromFunction(Execution &execution, const Op &op, LaneMask mask);
/// Waits for the lanes of the member mask in slot a.
const Op *synchroniseWarp(Execution &execution, const Op &op, LaneMask mask);
/// d = low `bytes` bytes of a, whose words have `detail` bytes.
const Op *narrow(Execution &execution, const Op &op, LaneMask mask);
/// d, of `bytes` bytes a word, = a, of `detail` bytes, the sign repeated if `flip`.
const Op *widen(Execution &execution, const Op &op, LaneMask mask);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_CONTROL_H
