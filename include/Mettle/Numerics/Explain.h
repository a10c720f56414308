//===- Explain.h - The dependence tree of one element of D ------*- C++ -*-===//
//
// Every operation that one element of D goes through under a descriptor, in the order in which its
// roundings depend on each other: as a structure, as text, and as a drawing for small K.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_EXPLAIN_H
#define METTLE_NUMERICS_EXPLAIN_H

#include "Mettle/Numerics/GEMMDesc.h"
#include <vector>

namespace mettle::numerics {

struct DependenceNode {
  enum Kind : uint8_t {
    Zero,     ///< +0, an accumulator's start.
    C,        ///< C(row, col), where the accumulator starts there.
    Product,  ///< A(row, k) * B(k, col): exact, part of a step.
    Step,     ///< One instruction: an accumulator, then products. Rounded as the class says.
    Round,    ///< Its input rounded to `format`, to nearest even.
    Add,      ///< The sum of two inputs rounded to `format`, to nearest even.
    Epilogue, ///< `op` in `format`.
  };
  Kind kind;
  uint64_t k = 0;
  Format format = Format::F32;
  EpilogueOp op = EpilogueOp::Alpha;
  std::vector<uint32_t> inputs;
};

struct DependenceTree {
  GEMMDesc desc;
  uint64_t row = 0, col = 0;
  std::vector<DependenceNode> nodes; ///< Inputs before the nodes that use them; the last is D.

  /// Indented text, one operation a line; a chain of steps is listed in the order it runs.
  std::string text() const;
  /// A drawing, one unit of width a product: readable up to some hundred products.
  std::string svg() const;
};

/// The tree of D(row, col) of a valid descriptor over `k` products.
DependenceTree explain(const GEMMDesc &desc, uint64_t k, uint64_t row, uint64_t col);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_EXPLAIN_H
