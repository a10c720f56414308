//===- ProbeDraws.h - Operands that tell almost-right sums apart ----------===//
//
// The pairs of matrices on which a probe compares candidates with the box: each trial has its own
// kind of magnitudes and its own choice of the products that are not zero.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_PROBEDRAWS_H
#define METTLE_LIB_NUMERICS_PROBEDRAWS_H

#include "Mettle/Numerics/Probe.h"

namespace mettle::numerics {

class ProbeDraws {
public:
  /// `forms` say which products may share an accumulator, and `tree` which meet soon; both are only
  /// read where the operands are floats.
  ProbeDraws(const BlackBox &box, const SumTree &tree, llvm::ArrayRef<GEMMDesc> forms,
             uint64_t seed);

  /// Trials after which every kind has come twice.
  static unsigned trials();

  /// The matrices of one trial, row-major and dense, the same at every call.
  void fill(unsigned trial, std::vector<uint8_t> &a, std::vector<uint8_t> &b) const;

private:
  using Chains = std::vector<std::vector<uint64_t>>;
  std::vector<uint64_t> present(unsigned sparsity, uint64_t random) const;

  const BlackBox &box;
  const SumTree &tree;
  uint64_t seed;
  std::vector<Chains> readings; ///< The elements of each accumulator, as two of the forms say.
};

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_PROBEDRAWS_H
