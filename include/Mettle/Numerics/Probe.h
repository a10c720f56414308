//===- Probe.h - Recovering the descriptor of a black box -------*- C++ -*-===//
//
// Given any callable D = f(A, B) of one shape, finds in which order it adds and how it rounds, by
// numerical experiment: a pair +L, -L that cancels exactly swallows every small term that meets it
// before it does. The tree that this reveals is matched with the family of descriptors, and what a
// tree cannot show (roundings) is settled by comparing candidates on adversarial draws.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_PROBE_H
#define METTLE_NUMERICS_PROBE_H

#include "Mettle/Numerics/Evaluate.h"
#include "Mettle/Numerics/SumTree.h"

namespace mettle::numerics {

/// What is probed: m x k by k x n, row-major and dense in the formats' whole bytes.
struct BlackBox {
  uint64_t m, n, k;
  Format a, b, d;
  llvm::function_ref<llvm::Error(const MatrixView &a, const MatrixView &b,
                                 const MutableMatrixView &d)>
      run;
};

struct Revealed {
  SumTree tree;
  std::vector<uint64_t> lost; ///< Elements of the axis that never reach D.
  uint64_t calls = 0;
};

/// Reveals the tree over the elements that reach D. One call holds min(m, n) probes, and an axis of
/// K elements whose tree nests to depth d takes about (2 + d) K probes. An error: the box failed,
/// the operands' range is too small for the experiment, or what came back was no sum of products.
llvm::Expected<Revealed> revealTree(const BlackBox &box);

struct ProbeOptions {
  /// Elements of D on which the candidates are compared with the box, at least: every kind of draw
  /// comes at least once.
  uint64_t draws = 10000;
  uint64_t seed = 1;
  unsigned threads = 1; ///< For evaluating candidates; 0: as many as the machine runs at once.
};

struct ProbeResult {
  /// Canonical at K. Of several survivors the simplest.
  std::optional<GEMMDesc> desc;
  /// The other survivors: they returned the box's words on every draw as well.
  std::vector<GEMMDesc> alternatives;
  /// Forms whose tree is the revealed one, the simplest first, their roundings placeholders: what
  /// is known where no `desc` could be determined.
  std::vector<GEMMDesc> forms;
  Revealed revealed;
  uint64_t calls = 0; ///< In all.
  uint64_t drawn = 0; ///< Elements of D on which `desc` equals the box.
};

/// Reveals the tree, then determines the descriptor. `desc` is empty where no descriptor of the
/// family has that tree, or none of those that do returned the box's words.
llvm::Expected<ProbeResult> probe(const BlackBox &box,
                                  const ProbeOptions &options = ProbeOptions());

/// Descriptors without roundings (`partial`, `merge` and the class are placeholders) whose tree
/// over elements 0 .. K-1 is `tree`. `viaF16` also tries the halves of fp8 mma.sync on sm_90.
std::vector<GEMMDesc> recognise(const SumTree &tree, bool viaF16);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_PROBE_H
