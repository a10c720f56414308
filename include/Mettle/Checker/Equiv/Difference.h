//===- Difference.h - Where two signatures part -----------------*- C++ -*-===//
//
// The first node at which two kernels compute something else, in a sentence, and a witness: inputs
// on which an output element is another word.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_EQUIV_DIFFERENCE_H
#define METTLE_CHECKER_EQUIV_DIFFERENCE_H

#include "Mettle/Checker/Equiv/Signature.h"
#include "Mettle/Checker/Tree/Value.h"

namespace mettle::checker {

/// An output element with its two words, and the inputs that make them.
struct Witness {
  uint32_t parameter = 0;
  int64_t offset = 0;
  unsigned bytes = 0;
  uint64_t a = 0, b = 0;
  /// Which kernel writes the element at all.
  enum : uint8_t { Both, A, B } writtenBy = Both;
  /// Of (parameter, offset): bytes and word.
  std::map<std::pair<uint32_t, int64_t>, std::pair<unsigned, uint64_t>> inputs;
};

struct Difference {
  std::string sentence;
  /// The node of each kernel, and the instruction that made it, ~0 where none is known.
  std::string nodeA, nodeB;
  InstructionId instructionA = ~0u, instructionB = ~0u;
  std::optional<Witness> witness;
  /// The operation whose evaluation is not known, if that is why there is no witness.
  std::string refused;
};

/// Of two known signatures that are not equal.
Difference findDifference(Analysis &a, Analysis &b);

} // namespace mettle::checker

#endif // METTLE_CHECKER_EQUIV_DIFFERENCE_H
