//===- MatrixUse.h - A matrix instruction of the thread ---------*- C++ -*-===//
//
// Where a matrix instruction finds its operands: in the registers of the warp's lanes, or behind a
// descriptor in shared memory. Its result is a chain of steps, one for each group of products.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_CHECKER_EXEC_MATRIXUSE_H
#define METTLE_CHECKER_EXEC_MATRIXUSE_H

#include "Mettle/Checker/Term/Term.h"
#include "Mettle/Numerics/FragmentLayout.h"
#include "Mettle/Numerics/SharedMatrix.h"

namespace mettle::checker {

/// A factor of a matrix instruction. Its lines are A's rows and B's columns.
struct MatrixFactor {
  bool isShared = false;
  /// In registers: what each of them holds, in all lanes.
  numerics::FragmentLayout layout;
  std::vector<TermId> registers;
  bool linesAreRows = true; ///< of the layout; B's lines are its columns
  /// In shared memory: where it starts, the rest of the descriptor, and the event that reads it.
  FormId start = 0;
  numerics::MatrixDescriptor descriptor;
  bool mnMajor = false;
  uint32_t event = 0;
  unsigned elementBytes = 2;
};

struct MatrixUse {
  InstructionId instruction = ~0u;
  /// The name of one step: what it computes, whichever instruction does.
  uint32_t step = 0;
  /// Products of one element, and of them those of a step.
  unsigned depth = 0, groupSize = 0;
  numerics::FragmentLayout result;
  MatrixFactor a, b;
  /// Whether a product keeps its value with its factors exchanged.
  bool factorsCommute = false;
};

/// Which bit of a lane, a register's number or a place in a register gives a bit of a coordinate.
struct CoordinateBit {
  enum Kind : uint8_t { Nothing, Lane, Register, Place } kind = Nothing;
  uint8_t index = 0;
};
CoordinateBit sourceOf(const numerics::FragmentLayout &layout, bool isRow, unsigned bit);

/// Where the element of a line and a place along k is; both may be forms over bits.
FormId sharedAddress(Forms &forms, const MatrixFactor &factor, FormId line, FormId inner);

} // namespace mettle::checker

#endif // METTLE_CHECKER_EXEC_MATRIXUSE_H
