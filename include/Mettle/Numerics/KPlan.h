//===- KPlan.h - A descriptor's fold of the k axis, expanded ----*- C++ -*-===//
//
// Which products share which step, in which order steps follow each other, and how partial sums
// meet: a descriptor at one K, the same for every element of D. The evaluator runs it, explain
// prints it, and two descriptors whose plans are equal return equal bits at that K.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_KPLAN_H
#define METTLE_NUMERICS_KPLAN_H

#include "Mettle/Numerics/GEMMDesc.h"
#include <vector>

namespace mettle::numerics {

struct KPlan {
  /// One instruction: order[begin .. end).
  struct Step {
    uint64_t begin, end;
  };

  /// A chain of steps from +0, or a merge of other nodes.
  struct Node {
    int level;                      ///< Index of the cut that merges; -1 for a chain.
    uint64_t firstStep, endStep;    ///< Steps below this node; of a chain, the chain itself.
    std::vector<uint32_t> children; ///< Of a merge: indices of nodes, the first part first.
  };

  std::vector<uint64_t> order; ///< 0 .. K-1 as the chains take them.
  std::vector<Step> steps;     ///< In the order of `order`.
  std::vector<Node> nodes;     ///< Children before parents; the last is the root. Empty at K = 0.

  /// The plan of a valid descriptor.
  static KPlan build(const GEMMDesc &desc, uint64_t k);
};

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_KPLAN_H
