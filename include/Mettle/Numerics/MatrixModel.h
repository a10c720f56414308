//===- MatrixModel.h - Which instruction has which arithmetic ---*- C++ -*-===//
//
// The table of matrix instructions: one row per architecture, instruction, operand formats,
// accumulator and k, giving its arithmetic class, where that is known from, and whether hardware
// confirmed it. An instruction without a row is an error, never a guess.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_MATRIXMODEL_H
#define METTLE_NUMERICS_MATRIXMODEL_H

#include "Mettle/Numerics/ArithmeticClass.h"
#include "Mettle/Numerics/Step.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace mettle::numerics {

/// Where a row's arithmetic is known from.
enum class Source : uint8_t {
  Golden,  ///< Words an H200 returned, all of them reproduced.
  Rule,    ///< The rule that the golden words of neighbouring instructions follow.
  MMASim,  ///< MMA-Sim 2.1.1 (arXiv 2511.10909).
  PTXSpec, ///< The PTX ISA defines the result exactly (integers).
};

llvm::StringRef name(Source source);

struct MatrixRow {
  llvm::StringRef arch; ///< sm_70 ... sm_120, gfx942.
  llvm::StringRef
      family; ///< mma, mma.sp, wmma, wgmma, wgmma.sp, tcgen05, mma.scaled, tcgen05.scaled, mfma.
  unsigned m, n, k; ///< n is 0 where every n that the instruction allows is meant.
  Format a, b, c, d;
  bool saturate;               ///< .satfinite, for integers.
  std::optional<Format> scale; ///< Of the scaled families,
  unsigned scaleBlock;         ///< and how many products share one.
  ArithmeticClass arithmetic;
  Source source;
  bool confirmed; ///< Whether hardware of this architecture returned these words.

  /// Products that enter an element of D: k, or half of it where A is 2:4 sparse.
  unsigned products() const { return family.ends_with(".sp") ? k / 2 : k; }
  /// family.shape.types, for example `mma.m16n8k16.f32.f16.f16.f32`; findMatrixRow takes it.
  std::string instruction() const;
};

/// All rows, in the order of the table.
llvm::ArrayRef<MatrixRow> matrixRows();

/// The row of an instruction, named as in PTX (`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`)
/// or as MatrixRow::instruction() prints it, on an architecture (`sm_90`, `sm_90a`, `gfx942`). An
/// unknown architecture, a text that is no matrix instruction, and an instruction without a row
/// are errors.
llvm::Expected<const MatrixRow *> findMatrixRow(llvm::StringRef arch, llvm::StringRef instruction);

/// D of one row and one column: `c` and the result are words of the row's c and d formats.
uint64_t evaluateInstruction(const MatrixRow &row, llvm::ArrayRef<uint64_t> a,
                             llvm::ArrayRef<uint64_t> b, uint64_t c,
                             const BlockScales *scales = nullptr);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_MATRIXMODEL_H
