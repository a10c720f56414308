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

class CodePacker;
struct KernelSet;

/// A plan; immutable, so any number of threads may use one, each with operands of its own.
class TileProduct {
public:
  /// A or B of one tile. What no element of the tile fills stays zero.
  struct Operand {
    std::vector<uint32_t> values;   ///< f32 or i32 words
    std::vector<uint8_t> exponents; ///< bytes, or 32-bit integers
    std::vector<uint8_t> special;   ///< whether a group has an infinity or NaN
    std::vector<uint64_t> codes;    ///< of f64, and of what has no vector kernel
  };
  /// C, then D.
  struct Accumulators {
    std::vector<uint32_t> words;
    std::vector<uint64_t> codes;
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

  Operand makeA() const { return makeOperand(transposed ? Side::Panels : Side::Rows, rows); }
  Operand makeB() const { return makeOperand(transposed ? Side::Rows : Side::Panels, cols); }
  Accumulators makeAccumulators() const;

  /// Enters codes[i] at places[i]; every element of the operand once, in any order. Code is wide
  /// enough for the operand's format: uint8_t, uint16_t, uint32_t or uint64_t.
  template <typename Code>
  void packA(Operand &a, const Code *codes, const uint32_t *places, size_t count) const {
    pack(a, transposed ? Side::Panels : Side::Rows, row.a, aTable, codes, places, count);
  }
  template <typename Code>
  void packB(Operand &b, const Code *codes, const uint32_t *places, size_t count) const {
    pack(b, transposed ? Side::Rows : Side::Panels, row.b, bTable, codes, places, count);
  }

  /// Words of C in, words of D out, in the row's formats, piece by piece if need be. C may be left
  /// at zero: clear().
  template <typename Word>
  void load(Accumulators &acc, const Word *words, const uint32_t *places, size_t count) const;
  template <typename Word>
  void store(const Accumulators &acc, Word *words, const uint32_t *places, size_t count) const;
  void clear(Accumulators &acc) const;

  /// acc = A * B + acc.
  void run(const Operand &a, const Operand &b, Accumulators &acc) const;

private:
  enum class Path : uint8_t { Direct, Split, Integer, Double, Plain };
  enum class Side : uint8_t { Rows, Panels };
  struct Packed {
    uint32_t value;
    int32_t exponent;
    bool special;
  };

  template <typename Code>
  void pack(Operand &operand, Side side, Format format, const std::vector<Packed> &table,
            const Code *codes, const uint32_t *places, size_t count) const;
  Packed packed(Side side, Format format, const std::vector<Packed> &table, uint32_t code) const;
  size_t flagOf(Side side, uint32_t place) const;
  uint32_t place(Side side, unsigned line, unsigned k) const;
  Operand makeOperand(Side side, unsigned lines) const;
  void runKernels(const Operand &a, const Operand &b, Accumulators &acc) const;
  void runPlain(const Operand &a, const Operand &b, Accumulators &acc) const;
  void runDouble(const Operand &a, const Operand &b, Accumulators &acc) const;
  uint64_t plainElement(const Operand &a, const Operand &b, const Accumulators &acc, unsigned i,
                        unsigned j) const;

  const MatrixRow &row;
  unsigned rows, cols, depth, groups;
  Path path;
  const KernelSet *kernels = nullptr;
  unsigned width = 1;
  bool transposed = false;       ///< the kernels' rows are the columns of D
  std::vector<uint8_t> position; ///< of each k among the packed products
  std::vector<uint8_t> groupFlags;
  std::vector<Packed> aTable, bTable; ///< of formats of at most 8 bits
  std::shared_ptr<const CodePacker> aPacker, bPacker;
};

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_TILEPRODUCT_H
