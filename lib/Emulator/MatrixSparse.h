//===- MatrixSparse.h - Products with a 2:4 sparse A ------------*- C++ -*-===//
//
// What mma.sp and the sparse wgmma share: matrices as codes, row by row, and their product. A
// plan's places are then those of its matrices: rows of A of k / 2 kept elements, k rows of B.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_MATRIXSPARSE_H
#define METTLE_LIB_EMULATOR_MATRIXSPARSE_H

#include "MatrixPlan.h"

namespace mettle::emulator {

/// A matrix of elements from its raw bytes; of accumulators, from registers; and back to them.
std::vector<uint32_t> matrixOfCodes(const OperandPlan &operand, llvm::ArrayRef<uint8_t> raw);
std::vector<uint32_t> matrixOfWords(Execution &x, const OperandPlan &operand, const Slot *slots);
void storeWords(Execution &x, const OperandPlan &operand, const Slot *slots,
                llvm::ArrayRef<uint32_t> matrix);

/// words = left * right + words, for 16 rows of A whose metadata the warp's lanes hold. False after
/// a fault.
bool multiplySparse(Execution &x, const Op &op, const MatrixPlan &plan, MatrixBuffers &buffers,
                    llvm::ArrayRef<uint32_t> left, llvm::ArrayRef<uint32_t> right,
                    const uint32_t *metadata, std::vector<uint32_t> &words);

const Op *runMmaSparse(Execution &x, const Op &op, LaneMask mask);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_MATRIXSPARSE_H
