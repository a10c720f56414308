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
  uint64_t probes = 0; ///< Experiments in those calls, at least one each.
};

/// Reveals the tree over the elements that reach D. One call holds min(m, n) probes (max(m, n)
/// where the smaller is 1 and f16 or a wider format has the range for it). A chain of K elements
/// takes about 2 K probes, a level of cuts about 2 K more where its parts are few. An error: the
/// box failed, the operands' range is too small for the experiment, or what came back was no sum of
/// products.
llvm::Expected<Revealed> revealTree(const BlackBox &box);

/// Probes of revealTree() at most for nests of up to three cuts, linear in K. The random ones of
/// the tests, which hold this, take up to 30 K.
constexpr uint64_t maxProbes(uint64_t k) { return 40 * k + 400; }

struct ProbeOptions {
  /// Elements of D on which the candidates are compared with the box, at least: every kind of draw
  /// comes at least twice.
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
  uint64_t calls = 0; ///< In all: the tree's, and one for each pair of matrices drawn.
  uint64_t drawn = 0; ///< Elements of D on which `desc` equals the box.
};

/// Reveals the tree, then determines the descriptor. `desc` is empty where no descriptor of the
/// family has that tree, or none of those that do returned the box's words.
llvm::Expected<ProbeResult> probe(const BlackBox &box,
                                  const ProbeOptions &options = ProbeOptions());

/// What a tree may be read as.
struct Reading {
  bool viaF16 = false; ///< The halves of fp8 mma.sync on sm_90, too.
  /// Whether a product is an addend like any other: then a last part of one element is no part.
  bool exactProducts = false;
};

/// Descriptors without roundings (`partial`, `merge` and the class are placeholders, but for
/// whether it is a chain) whose tree over elements 0 .. K-1 is `tree`.
std::vector<GEMMDesc> recognise(const SumTree &tree, Reading reading);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_PROBE_H
