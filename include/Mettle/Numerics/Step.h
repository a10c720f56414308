//===- Step.h - One matrix instruction, evaluated plainly -------*- C++ -*-===//
//
// What an instruction of an arithmetic class returns for one element of D, written to be read and
// believed: the golden words of hardware are checked against it, and every fast path is checked
// against it in turn.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_STEP_H
#define METTLE_NUMERICS_STEP_H

#include "Mettle/Numerics/ArithmeticClass.h"
#include "llvm/ADT/ArrayRef.h"

namespace mettle::numerics {

/// Block scales of one row of A and one column of B: code s holds for the products
/// s * block .. (s + 1) * block - 1.
struct BlockScales {
  Format format = Format::UE8M0;
  unsigned block = 32;
  llvm::ArrayRef<uint64_t> a, b;
};

/// One row of A and one column of B in the order of k, as codes of `aFormat` and `bFormat`. Both
/// have the same length, at most the k of the instruction: a shorter one is a short turn, whose
/// missing products are not there (or, which is the same in a fused class, are zero).
struct DotOperands {
  Format aFormat, bFormat;
  llvm::ArrayRef<uint64_t> a, b;
  const BlockScales *scales = nullptr; ///< Only for the scaled classes, and then required.
};

/// The word of D, in `cls.result`, given the word of C in the same format.
uint64_t evaluateStep(const ArithmeticClass &cls, const DotOperands &operands, uint64_t c);

/// x + y rounded once, to nearest even, in a float format of at most 53 significand bits or i32
/// (where it wraps); NaN gives the format's word. What merges of partial sums use: `xFormat` and
/// `yFormat` may be wider or narrower than the result.
uint64_t addRounded(Format result, Format xFormat, uint64_t x, Format yFormat, uint64_t y);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_STEP_H
