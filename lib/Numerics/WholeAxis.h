//===- WholeAxis.h - A cut that leaves the axis whole ---------------------===//
//
// A nest says what happens to the whole sum (a rounding, a start at +0) by an outermost cut with
// one part.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_WHOLEAXIS_H
#define METTLE_LIB_NUMERICS_WHOLEAXIS_H

#include "Mettle/Numerics/GEMMDesc.h"

namespace mettle::numerics {

/// One part, rounded to `format`.
inline KCut wholeAxis(Format format) {
  KCut cut;
  cut.span = uint64_t(1) << 40;
  cut.partial = cut.merge = format;
  return cut;
}

/// The descriptor whose outermost running sum starts at +0; trees have none, so it may take a cut
/// of the whole axis.
inline GEMMDesc startingAtZero(GEMMDesc desc) {
  if (desc.cuts.empty() || desc.cuts.front().order == MergeOrder::Tree)
    desc.cuts.insert(desc.cuts.begin(), wholeAxis(desc.accumulated()));
  desc.cuts.front().start = MergeStart::Zero;
  return desc;
}

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_WHOLEAXIS_H
