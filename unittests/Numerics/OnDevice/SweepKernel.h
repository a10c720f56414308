//===- SweepKernel.h - The kernel that runs one instruction -----*- C++ -*-===//
//
// PTX that stores what an instruction returns for the operands of consecutive
// indices, the operands of ../ApproximateOperands.h.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_NUMERICS_ONDEVICE_SWEEPKERNEL_H
#define METTLE_UNITTESTS_NUMERICS_ONDEVICE_SWEEPKERNEL_H

#include "Mettle/Numerics/Approximate.h"
#include <string>

namespace mettle::numerics::test {

inline constexpr llvm::StringLiteral sweepEntry = "sweep";

/// Parameters of the entry: the address of the results, one word each, and the first
/// index. One thread an index.
std::string sweepKernel(const ApproximateInfo &info);

} // namespace mettle::numerics::test

#endif // METTLE_UNITTESTS_NUMERICS_ONDEVICE_SWEEPKERNEL_H
