//===- Evaluate.h - The bits of a GEMM, on the CPU --------------*- C++ -*-===//
//
// The reference evaluator: given a descriptor and matrices it returns D exactly to the bit, fast
// where the arithmetic class has a vector kernel, the same for every instruction set and every
// number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_EVALUATE_H
#define METTLE_NUMERICS_EVALUATE_H

#include "Mettle/Numerics/GEMMDesc.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mettle::numerics {

/// A matrix of codes in memory. Element (i, j) is number offset(i, j) from `data`, in units of one
/// code: of whole little-endian bytes, or of exactly the format's bits if `packed` (Packing.h).
/// Strides are in elements, may be zero or negative where the matrix is only read, and must keep
/// every offset within 63 bits.
template <typename Data> struct BasicMatrixView {
  Data *data = nullptr;
  Format format = Format::F32;
  int64_t rowStride = 0, colStride = 0;
  bool packed = false;

  unsigned bits() const { return packed ? info(format).bits : (info(format).bits + 7) / 8 * 8; }
  int64_t offset(uint64_t row, uint64_t col) const {
    return int64_t(row) * rowStride + int64_t(col) * colStride;
  }
};
using MatrixView = BasicMatrixView<const void>;
using MutableMatrixView = BasicMatrixView<void>;

/// D = epilogue(A * B, C). Where something is absent its `data` is null.
struct GEMMProblem {
  uint64_t m = 0, n = 0, k = 0;
  MatrixView a;        ///< m x k, in the descriptor's format a.
  MatrixView b;        ///< k x n, in the descriptor's format b.
  MatrixView c;        ///< m x n, any format that the accumulator or the epilogue holds exactly.
  MutableMatrixView d; ///< m x n, in the descriptor's output format.
  MatrixView bias;     ///< 1 x m or 1 x n (colStride), for bias.m or bias.n.
  MatrixView aScales;  ///< m x ceil(k / scaleBlock), in the descriptor's scale format.
  MatrixView bScales;  ///< ceil(k / scaleBlock) x n.
  double alpha = 1, beta = 0; ///< Rounded to the epilogue's compute format.
};

enum class InstructionSet : uint8_t {
  Plain,    ///< evaluateStep, one element at a time: what the others are tested against.
  Portable, ///< The vector kernels in the build's own instruction set.
  AVX2,
  AVX512,
  Best, ///< The fastest that this machine has.
};

llvm::StringRef name(InstructionSet set);
std::optional<InstructionSet> parseInstructionSet(llvm::StringRef name);
/// Whether this machine and this build have it.
bool isAvailable(InstructionSet set);

struct EvaluateOptions {
  unsigned threads = 1; ///< 0: as many as the machine runs at once.
  InstructionSet set = InstructionSet::Best;
  /// Called from any thread with the number of elements of D newly finished.
  llvm::function_ref<void(uint64_t)> progress = nullptr;
};

/// Evaluates. Errors: a descriptor that validate() refuses, a matrix that is absent, of another
/// format, or whose offsets leave 63 bits, a D whose elements overlap, an instruction set that is
/// not available. K = 0 is no error: the accumulator is its start.
llvm::Error evaluate(const GEMMDesc &desc, const GEMMProblem &problem,
                     const EvaluateOptions &options = EvaluateOptions());

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_EVALUATE_H
