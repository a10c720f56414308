//===- TileFold.h - The plan's merges over a tile of D --------------------===//
//
// Runs a plan for one tile: chains by an engine, merges here.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_TILEFOLD_H
#define METTLE_LIB_NUMERICS_TILEFOLD_H

#include "StepEngine.h"

namespace mettle::numerics {

/// Folds the whole plan (which has nodes) for `tile`. `words` holds the start of the accumulator on
/// entry, used where the plan is a single chain, and the value that enters the epilogue on return.
void foldTile(const GEMMDesc &desc, const KPlan &plan, const StepEngine &engine, const Tile &tile,
              llvm::MutableArrayRef<uint64_t> words);

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_TILEFOLD_H
