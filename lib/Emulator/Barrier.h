//===- Barrier.h - What happens when all have come --------------*- C++ -*-===//
//
// The block completes a barrier; the family of barriers knows what each waiting op then gets.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_BARRIER_H
#define METTLE_LIB_EMULATOR_BARRIER_H

#include "Op.h"

namespace mettle::emulator {

struct Barrier;

/// Gives the lanes that waited at `op` what the barrier gathered.
void finishBarrier(Execution &execution, const Op &op, LaneMask mask, const Barrier &barrier);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_BARRIER_H
