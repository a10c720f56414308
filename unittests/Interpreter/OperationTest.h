//===- OperationTest.h - evaluate one operation on many operands -===//
//
// The fixture of tests that compare an operation with an oracle. Operands and results are 64-bit
// words, whatever their type, so one kernel serves all: a work-item evaluates one case.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_INTERPRETER_OPERATIONTEST_H
#define METTLE_UNITTESTS_INTERPRETER_OPERATIONTEST_H

#include "KernelTest.h"
#include "Random.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace mettle::interpreter {

/// A float type, its name in MLIR and its word for a computed NaN.
struct FloatType {
  const char *name;
  unsigned width;
  const llvm::fltSemantics &semantics;
  uint64_t nan;

  llvm::APFloat read(uint64_t word) const {
    return llvm::APFloat(semantics, llvm::APInt(width, word));
  }
  /// The word of a computed number.
  uint64_t write(const llvm::APFloat &number) const {
    return number.isNaN() ? nan : number.bitcastToAPInt().getZExtValue();
  }
  /// Zeros, the ends of the subnormal and the normal range, ones and neighbours, halves, integers
  /// that fill the significand, infinities and NaNs.
  std::vector<uint64_t> specials() const;
  /// A mixture of special words, all bit patterns, and numbers near `near` in magnitude.
  uint64_t random(Random &random, uint64_t near) const;
};
llvm::ArrayRef<FloatType> floatTypes();

/// The words where integers of a width behave differently.
std::vector<uint64_t> integerSpecials(unsigned width);
uint64_t randomInteger(Random &random, unsigned width);

/// Cases for an operation: a list of operand words each.
using Cases = std::vector<std::vector<uint64_t>>;

class OperationTest : public KernelTest {
protected:
  /// Evaluates `body`, which defines %r of type `result` from %a, %b, %c of types `operands`, for
  /// each case. Fails the test on a diagnostic.
  std::vector<uint64_t> evaluate(const std::string &body, llvm::ArrayRef<std::string> operands,
                                 const std::string &result, const Cases &cases);
  /// The diagnostics of evaluating one case.
  std::string diagnose(const std::string &body, llvm::ArrayRef<std::string> operands,
                       const std::string &result, const std::vector<uint64_t> &operandWords);
  /// All pairs or triples of special words, then random ones.
  static Cases floatCases(const FloatType &type, unsigned operands, unsigned randomCount,
                          uint64_t seed);
  static Cases integerCases(unsigned width, unsigned operands, unsigned randomCount, uint64_t seed);

private:
  std::string runCases(const std::string &body, llvm::ArrayRef<std::string> operands,
                       const std::string &result, const Cases &cases,
                       std::vector<uint64_t> &results);
};

} // namespace mettle::interpreter

#endif // METTLE_UNITTESTS_INTERPRETER_OPERATIONTEST_H
