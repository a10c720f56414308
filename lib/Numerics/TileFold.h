//===- TileFold.h - The plan's merges over a tile of D --------------------===//
//
// Runs a plan for one tile: chains by an engine, merges here.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_TILEFOLD_H
#define METTLE_LIB_NUMERICS_TILEFOLD_H

#include "StepEngine.h"

namespace mettle::numerics {

/// Folds the whole plan for `tile`. `start` holds the accumulator's first words; the result enters
/// the epilogue.
std::vector<uint64_t> foldTile(const GEMMDesc &desc, const KPlan &plan, const StepEngine &engine,
                               const Tile &tile, std::vector<uint64_t> start);

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_TILEFOLD_H
