//===- MatrixPlan.h - A matrix instruction made ready to run --------------===//
//
// What a matrix instruction needs besides its registers: the arithmetic of its whole tile and where
// each element of a fragment goes in it. Made once for every different instruction of a kernel.
// With it, packed operands that are used again: instructions of a tiled kernel share them.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_EMULATOR_MATRIXPLAN_H
#define METTLE_LIB_EMULATOR_MATRIXPLAN_H

#include "Decoder.h"
#include "Execution.h"
#include "Mettle/Numerics/FragmentLayout.h"
#include "Mettle/Numerics/TileProduct.h"

namespace mettle::emulator {

/// One operand of a plan: a fragment in registers, or bytes of shared memory in some order.
struct OperandPlan {
  /// Of the element that is i-th in the raw bytes: a fragment's go register by register, lane by
  /// lane. For wmma, only the registers that hold no copies.
  std::vector<uint32_t> places;
  unsigned elementBits = 16;
  unsigned registers = 0; ///< that the instruction names, copies included
  unsigned used = 0;      ///< of them, from the first on

  unsigned registerBytes() const { return elementBits == 64 ? 8 * NumLanes : 4 * NumLanes; }
  unsigned rawBytes() const { return used * registerBytes(); }
};

struct MatrixPlan {
  MatrixPlan(const numerics::MatrixRow &row, unsigned m, unsigned n) : product(row, m, n) {}

  numerics::TileProduct product;
  OperandPlan a, b, c, d;
  /// D is f16 while the arithmetic's result is f32: rounded to nearest even at the end.
  bool narrowsResult = false;
  /// Sparse: which kept element of A meets which row of B is data; see MatrixSparse.cpp.
  unsigned sparseBits = 0, k = 0, selector = 0;
  /// The kept elements are named in any order, one maybe twice.
  bool takesAnyMetadata = false;
};

/// A packed operand and the raw bytes it was packed from: the same bytes need not be packed again.
struct PackedOperand {
  std::vector<uint8_t> raw;
  numerics::TileProduct::Operand operand;
  bool isFilled = false;
};

/// A worker's working memory for one plan.
struct MatrixBuffers {
  static constexpr unsigned Kept = 16;
  std::array<PackedOperand, Kept> a, b;
  numerics::TileProduct::Accumulators accumulators;
};

/// The working memory of all plans of a kernel.
class MatrixState {
public:
  MatrixBuffers &buffersOf(const Code &code, unsigned plan);
  std::vector<uint8_t> raw;

private:
  std::vector<std::unique_ptr<MatrixBuffers>> buffers;
};

/// The plan with this key, made by `make` if the kernel has none yet; gives its index.
unsigned planOf(Code &code, llvm::StringRef key,
                llvm::function_ref<std::unique_ptr<MatrixPlan>()> make);

/// Fills an operand's places from a fragment.
void setFragment(OperandPlan &operand, const numerics::FragmentLayout &layout,
                 llvm::function_ref<uint32_t(unsigned row, unsigned col)> place);

/// The raw bytes of a fragment, as the registers hold them.
void gatherFragment(Execution &x, const Slot *slots, const OperandPlan &plan,
                    std::vector<uint8_t> &raw);

/// Packs `raw` unless the entry that `hint` selects was packed from the same bytes.
const numerics::TileProduct::Operand &packedA(const MatrixPlan &plan, MatrixBuffers &buffers,
                                              llvm::ArrayRef<uint8_t> raw, unsigned hint);
const numerics::TileProduct::Operand &packedB(const MatrixPlan &plan, MatrixBuffers &buffers,
                                              llvm::ArrayRef<uint8_t> raw, unsigned hint);

/// Accumulators from and to registers.
void loadAccumulators(Execution &x, const MatrixPlan &plan, const Slot *slots,
                      numerics::TileProduct::Accumulators &acc);
void storeAccumulators(Execution &x, const MatrixPlan &plan, const Slot *slots,
                       const numerics::TileProduct::Accumulators &acc);

/// The working memory of the worker that runs `x`.
MatrixState &matrixState(Execution &x);

/// The row of the instruction's arithmetic on sm_90; null after an error, which is reported.
const numerics::MatrixRow *arithmeticRow(Decoder &decoder, llvm::StringRef instruction);

} // namespace mettle::emulator

#endif // METTLE_LIB_EMULATOR_MATRIXPLAN_H
