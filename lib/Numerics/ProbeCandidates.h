//===- ProbeCandidates.h - Descriptors that go with a tree ----------------===//
//
// A tree gives the form of a descriptor; these are the classes, roundings and starts that could go
// with it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_PROBECANDIDATES_H
#define METTLE_LIB_NUMERICS_PROBECANDIDATES_H

#include "Mettle/Numerics/Probe.h"

namespace mettle::numerics {

/// Classes of every instruction on the box's operands, and the scalar ones.
std::vector<ArithmeticClass> classesFor(const BlackBox &box);

/// Descriptors of the forms with every class that round sums at exactly `narrowed` levels to
/// something else than the accumulator's format. All merges start from their first part. `tree` is
/// the forms' own.
std::vector<GEMMDesc> candidates(const BlackBox &box, llvm::ArrayRef<GEMMDesc> forms,
                                 const SumTree &tree, unsigned narrowed);

/// The descriptor with every start of its merges that can show; of a nest of more than three levels
/// none and all only.
std::vector<GEMMDesc> withStarts(const GEMMDesc &desc);

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_PROBECANDIDATES_H
