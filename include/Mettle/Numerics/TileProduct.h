//===- TileProduct.h - One matrix instruction over its whole tile -*- C++ -*-===//
//
// D = A * B + C of a matrix instruction for all elements of D at once, by the vector kernels of the
// GEMM evaluator. Who executes instructions scatters a fragment's codes straight into the kernels'
// buffers: a place is the number of an element there, asked once when an instruction is decoded.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_TILEPRODUCT_H
#define METTLE_NUMERICS_TILEPRODUCT_H

#include "Mettle/Numerics/Evaluate.h"
#include "Mettle/Numerics/MatrixModel.h"
#include <memory>

namespace mettle::numerics {

struct KernelSet;

/// A plan; immutable, so any number of threads may use one, each with buffers of its own.
class TileProduct {
public:
  /// Operands and accumulators of one tile. What no element of the tile fills stays zero.
  struct Buffers {
    std::vector<uint32_t> a, b, accumulators;     ///< f32 or i32 words
    std::vector<uint8_t> aExponents, bExponents;  ///< bytes, or 32-bit integers
    std::vector<uint8_t> aSpecial, bSpecial;      ///< one a group
    std::vector<uint64_t> aCodes, bCodes, cCodes; ///< f64, and what has no vector kernel
  };

  /// For the arithmetic of `row` on a tile of m x n elements (a wgmma's row names no n; several
  /// instructions side by side may be one tile). `set` must be available.
  TileProduct(const MatrixRow &row, unsigned m, unsigned n,
              InstructionSet set = InstructionSet::Best);

  unsigned m() const { return rows; }
  unsigned n() const { return cols; }
  /// Products that enter an element: columns of A, rows of B. Half the k of a sparse instruction.
  unsigned products() const { return depth; }

  uint32_t aPlace(unsigned row, unsigned k) const;
  uint32_t bPlace(unsigned k, unsigned col) const;
  uint32_t accumulatorPlace(unsigned row, unsigned col) const;

  Buffers makeBuffers() const;

  /// Enters codes[i] at places[i]; every element of the operand once, in any order. Code is wide
  /// enough for the operand's format: uint8_t, uint16_t, uint32_t or uint64_t.
  template <typename Code>
  void packA(Buffers &buffers, const Code *codes, const uint32_t *places, size_t count) const;
  template <typename Code>
  void packB(Buffers &buffers, const Code *codes, const uint32_t *places, size_t count) const;

  /// Words of C in, words of D out, in the row's formats. C may be left at zero: clear().
  template <typename Word>
  void load(Buffers &buffers, const Word *words, const uint32_t *places, size_t count) const;
  template <typename Word>
  void store(const Buffers &buffers, Word *words, const uint32_t *places, size_t count) const;
  void clear(Buffers &buffers) const;

  /// accumulators = A * B + accumulators.
  void run(Buffers &buffers) const;

private:
  enum class Path : uint8_t { Direct, Split, Integer, Double, Plain };
  enum class Side : uint8_t { Rows, Panels };
  struct Packed {
    uint32_t value;
    int32_t exponent;
    bool special;
  };

  template <typename Code>
  void pack(std::vector<uint32_t> &values, std::vector<uint8_t> &exponents,
            std::vector<uint8_t> &special, std::vector<uint64_t> &wide, Side side, Format format,
            const std::vector<Packed> &table, const Code *codes, const uint32_t *places,
            size_t count) const;
  Packed packed(Format format, const std::vector<Packed> &table, uint32_t code) const;
  size_t flagOf(Side side, uint32_t place) const;
  uint32_t place(Side side, unsigned line, unsigned k) const;
  void runKernels(Buffers &buffers) const;
  uint64_t plainElement(const Buffers &buffers, unsigned i, unsigned j) const;
  void runPlain(Buffers &buffers) const;
  void runDouble(Buffers &buffers) const;

  const MatrixRow &row;
  unsigned rows, cols, depth, groups;
  Path path;
  const KernelSet *kernels = nullptr;
  unsigned width = 1;
  bool transposed = false;       ///< the kernels' rows are the columns of D
  std::vector<uint8_t> position; ///< of each k among the packed products
  std::vector<uint8_t> groupFlags;
  std::vector<Packed> aTable, bTable; ///< of formats of at most 8 bits
};

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_TILEPRODUCT_H
