//===- FragmentLayout.h - Matrices spread over registers --------*- C++ -*-===//
//
// Which element of a matrix a lane's register holds: the fragments of mma, mma.sp, wmma and wgmma
// and the 8 x 8 matrices of ldmatrix, as one table. Every layout is linear: a bit of the lane, of
// the register's number or of the element's place in the register adds a fixed step to the row and
// the column, whatever the other bits are. Pure functions; what executes or checks assembly shares
// them.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_FRAGMENTLAYOUT_H
#define METTLE_NUMERICS_FRAGMENTLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace mettle::numerics {

/// Where a layout is known from.
enum class LayoutSource : uint8_t {
  PTXSpec, ///< The PTX ISA states it.
  SASS,    ///< Opaque in the PTX ISA; read from the code that ptxas 13.0 makes for sm_90.
};

enum class FragmentOperand : uint8_t {
  A,           ///< rows m, columns k
  B,           ///< rows k, columns n
  Accumulator, ///< rows m, columns n: C and D
};

struct FragmentPosition {
  unsigned row = 0, col = 0;
  bool operator==(FragmentPosition other) const { return row == other.row && col == other.col; }
};

/// A matrix over the lanes of a warp (32) or a warpgroup (128).
struct FragmentLayout {
  unsigned rows = 0, cols = 0;
  unsigned lanes = 32;
  unsigned registers = 0;   ///< Of each lane.
  unsigned perRegister = 1; ///< Elements in a register, the first in its lowest bits.
  unsigned elementBits = 32;
  LayoutSource source = LayoutSource::PTXSpec;

  /// What each bit of an input adds, in row and column. A bit that adds nothing tells copies of the
  /// same element apart.
  std::array<FragmentPosition, 7> laneStep, elementStep;
  std::array<FragmentPosition, 8> registerStep;

  /// The element in `lane`'s register `reg`, at place `element` in it.
  FragmentPosition at(unsigned lane, unsigned reg, unsigned element = 0) const {
    FragmentPosition position;
    for (unsigned i = 0; lane >> i; ++i)
      add(position, laneStep[i], lane >> i);
    for (unsigned i = 0; reg >> i; ++i)
      add(position, registerStep[i], reg >> i);
    for (unsigned i = 0; element >> i; ++i)
      add(position, elementStep[i], element >> i);
    return position;
  }

  unsigned registerBits() const { return perRegister * elementBits; }

  /// The whole layout as row * cols + col of the element at [(reg * lanes + lane) * perRegister +
  /// element]: the order in which a file of registers, lane by lane, is walked.
  std::vector<uint16_t> permutation() const;

private:
  static void add(FragmentPosition &position, FragmentPosition step, unsigned bit) {
    if (bit & 1) {
      position.row += step.row;
      position.col += step.col;
    }
  }
};

/// The fragments of mma.sync with elements of `bits` (accumulators: 16, 32 or 64). Volta's m8n8k4
/// on f16 is four multiplications, one a quad pair, and has voltaFragment below. Nothing stands for
/// a shape and width that no mma.sync has.
std::optional<FragmentLayout> mmaFragment(FragmentOperand operand, unsigned m, unsigned n,
                                          unsigned k, unsigned bits);

/// The fragments of mma.sp: `k` is the instruction's; A holds the k / 2 kept columns.
std::optional<FragmentLayout> sparseFragment(FragmentOperand operand, unsigned m, unsigned n,
                                             unsigned k, unsigned bits);

/// A fragment of mma.m8n8k4 on f16, for quad pair 0: lanes 0 to 3 and 16 to 19. Those of quad pair
/// p are 4 p further. `rowMajor` is the .row or .col of A and B; an accumulator has none.
FragmentLayout voltaFragment(FragmentOperand operand, bool rowMajor, unsigned bits);

/// The fragments of wmma on sm_90, which are the same for .row and .col. `type` is PTX's name of
/// the element type (f16, bf16, tf32, f32, f64, s8, u8, s32, s4, u4, b1).
std::optional<FragmentLayout> wmmaFragment(FragmentOperand operand, unsigned m, unsigned n,
                                           unsigned k, llvm::StringRef type);

/// A or D of wgmma m64nNk(256 / bits), over the 128 lanes of a warpgroup. D has 16 or 32 bits.
std::optional<FragmentLayout> wgmmaFragment(FragmentOperand operand, unsigned n, unsigned bits);

/// One 8 x 8 matrix of 16-bit elements, as ldmatrix and stmatrix hold it in one register of each
/// lane; with .trans the register holds the transposed matrix. The address of row i of matrix j
/// comes from lane 8 j + i.
FragmentLayout matrixFragment(bool transposed);

/// Where mma.sp keeps the metadata of a group of A: 4 bits from `shift` in the register of `lane`.
struct MetadataField {
  unsigned lane, shift;
};

/// The field of `row` and of group `group` of A's columns: 2 columns of tf32, 4 of 16-bit elements
/// and of bytes, 8 of 4-bit ones. `selector` is the
/// instruction's sparsity selector; one that is out of range gives nothing.
std::optional<MetadataField> metadataField(unsigned k, unsigned bits, unsigned selector,
                                           unsigned row, unsigned group);

/// The column within its group of each kept element, in the order of A's fragment: 2 of 4 columns,
/// 2 of 4 pairs of columns for 4 bits, 1 of 2 columns for tf32 (the second entry is then unused). A
/// field that the PTX ISA leaves undefined gives nothing.
std::optional<std::array<uint8_t, 2>> keptColumns(unsigned bits, unsigned field);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_FRAGMENTLAYOUT_H
