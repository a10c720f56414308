//===- Epilogue.h - From the accumulated value to D -----------------------===//
//
// Runs a descriptor's epilogue on one element at a time.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_EPILOGUE_H
#define METTLE_LIB_NUMERICS_EPILOGUE_H

#include "StepEngine.h"

namespace mettle::numerics {

/// Whether every number of `narrow` is one of `wide`.
bool holdsExactly(Format wide, Format narrow);

/// Checks that C and the bias are there where the epilogue reads them, by `checkView`, and that
/// the compute format holds them.
llvm::Error checkEpilogueOperands(
    const GEMMDesc &desc, const GEMMProblem &problem,
    llvm::function_ref<llvm::Error(llvm::StringRef, const MatrixView &, uint64_t, uint64_t)>
        checkView);

class EpilogueRunner {
public:
  EpilogueRunner(const GEMMDesc &desc, const GEMMProblem &problem);

  /// The code of D(row, col) for an accumulated word of `format`.
  uint64_t run(Format format, uint64_t word, uint64_t row, uint64_t col) const;

private:
  template <typename Float>
  uint64_t apply(Format format, uint64_t word, uint64_t row, uint64_t col) const;

  const GEMMDesc &desc;
  const GEMMProblem &problem;
};

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_EPILOGUE_H
