//===- Operation.h - What a named operation computes ------------*- C++ -*-===//
//
// The name of a node, taken apart once: it is evaluated many thousand times in the search for a
// witness.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CHECKER_TREE_OPERATION_H
#define METTLE_LIB_CHECKER_TREE_OPERATION_H

#include "Mettle/Numerics/Approximate.h"
#include "Mettle/Numerics/ArithmeticClass.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include <optional>
#include <string>

namespace mettle::checker {

struct Operation {
  enum Kind : uint8_t {
    Unknown,
    Integer,     ///< by its name
    Approximate, ///< function
    Convert,     ///< from, to, rounding
    Step,        ///< the products of a matrix step: from and to are the factors' formats
    // Of `from`, which is f32, f16 or bf16:
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Max,
    Min,
    Neg,
    Abs,
    Sqrt,
  };
  Kind kind = Unknown;
  std::string name;
  numerics::Approximate function{};
  numerics::Format from{}, to{};
  numerics::Rounding rounding = numerics::Rounding::NearestEven;
  int mode = 0; ///< the host's rounding
  bool flushes = false, keepsNaN = false;
  std::optional<numerics::ArithmeticClass> arithmetic;

  static Operation parse(llvm::StringRef name);
  /// Nothing where it is unknown, or of other operands.
  std::optional<uint64_t> apply(llvm::ArrayRef<uint64_t> args) const;
};

} // namespace mettle::checker

#endif // METTLE_LIB_CHECKER_TREE_OPERATION_H
