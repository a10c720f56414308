//===- GEMMDesc.h - Everything that decides a GEMM's bits -------*- C++ -*-===//
//
// D = epilogue(A * B, C) as data: the arithmetic class of one step and the nest of cuts of the k
// axis, with every rounding between the products and D. Nothing that only decides speed is in it,
// and no machine. docs/gemm-descriptor.md maps the names to those of the literature.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_GEMMDESC_H
#define METTLE_NUMERICS_GEMMDESC_H

#include "Mettle/Numerics/ArithmeticClass.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace mettle::numerics {

/// How a cut deals the elements of the axis to its parts.
enum class CutLayout : uint8_t {
  Contiguous, ///< Each part is a run of the axis.
  Strided,    ///< Part p takes runs p, p + count, p + 2 count, ... of `span` elements each.
};

/// In which order the finished parts of a cut are added up.
enum class MergeOrder : uint8_t {
  Forward, ///< ((p0 + p1) + p2) + ...
  Reverse, ///< ((pn + pn-1) + pn-2) + ...
  Tree,    ///< Neighbours first, balanced: (p0 + p1) + (p2 + p3); an absent partner passes through.
};

/// What the running sum of a merge holds before its first part.
enum class MergeStart : uint8_t {
  First, ///< The first part itself: a -0 survives.
  Zero,  ///< +0.
};

/// One level of the nest: the axis (or a part of it) is cut into parts, each part is folded on its
/// own from +0, and the results are merged. A part without elements is absent, not zero.
struct KCut {
  CutLayout layout = CutLayout::Contiguous;
  /// Contiguous: the length of a part, in elements of the axis that this level sees; the last part
  /// may be shorter. Strided: the length of a run.
  uint64_t span = 0;
  /// Strided: the number of parts. Contiguous: 0 for as many as the axis needs, else their number,
  /// and then a part is the smallest multiple of span that covers the axis.
  uint64_t count = 0;
  Format partial = Format::F32; ///< A finished part is rounded to this,
  Format merge = Format::F32; ///< and the running sum after each addition to this, to nearest even.
  MergeOrder order = MergeOrder::Forward;
  MergeStart start = MergeStart::First;

  bool operator==(const KCut &other) const;
};

/// One operation on the accumulated value, in the epilogue's compute format, rounded to nearest
/// even. Where an operation's second operand is absent (beta = 0) it does nothing.
enum class EpilogueOp : uint8_t {
  Alpha,     ///< x * alpha
  BetaC,     ///< x + round(beta * C)
  BetaCFMA,  ///< fma(beta, C, x)
  BiasRow,   ///< x + bias[row of D]
  BiasCol,   ///< x + bias[column of D]
  ReLU,      ///< max(x, +0), where NaN gives +0
  ReLUNaN,   ///< max(x, +0), where NaN stays
  RoundF16,  ///< x rounded to f16
  RoundBF16, ///< x rounded to bf16
};

struct Epilogue {
  Format compute = Format::F32; ///< f32, f64, or i32 without operations.
  llvm::SmallVector<EpilogueOp, 4> ops;

  bool operator==(const Epilogue &other) const {
    return compute == other.compute && ops == other.ops;
  }
};

struct GEMMDesc {
  Format a = Format::F16, b = Format::F16;
  ArithmeticClass step;
  /// Products per instruction: a chain of the class's groups. A short turn has fewer.
  uint32_t instructionK = 1;
  /// Whether the accumulator enters the instruction. If not, each instruction starts from +0 and
  /// its result is added to the accumulator, rounded to nearest even in the class's result.
  bool fastAccum = true;
  /// Where the short turn of the main loop runs. 0: last. Else the loop takes this many elements a
  /// turn, and the remainder of the (part of the) axis, if any, is its first turn.
  uint32_t residueStep = 0;
  /// Block scales of A and B, for the scaled classes.
  std::optional<Format> scale;
  uint32_t scaleBlock = 0;
  /// The nest of cuts, outermost first.
  llvm::SmallVector<KCut, 2> cuts;
  /// Whether the accumulator starts at C rather than +0. Only without cuts.
  bool startFromC = false;
  Epilogue epilogue;
  Format output = Format::F32;
  Overflow outputOverflow = Overflow::ByRounding;

  bool operator==(const GEMMDesc &other) const;
  bool operator!=(const GEMMDesc &other) const { return !(*this == other); }

  /// Format of the sums at a level of the nest (cuts.size(): of the accumulator).
  Format sumFormat(size_t level) const {
    return level < cuts.size() ? cuts[level].merge : step.result;
  }
  /// Format of the value that enters the epilogue. At K = 0 it is the accumulator's.
  Format accumulated() const { return sumFormat(0); }

  /// Whether every product of two operands is a number of f32, so that a scalar step rounds only
  /// its sum.
  bool hasExactProducts() const;

  /// Whether no sum at this level of the nest or below (cuts.size(): the accumulator) is ever -0;
  /// then a sum from +0 and one from its first part are the same.
  bool sumsAreNeverNegativeZero(size_t level) const;

  /// One line that parses back, for example
  /// `gemm f16*f16 fused.F25.g16.z-133.rz23.f32 k16 parts(192) -> f16`. Not canonicalised.
  std::string text() const;
  /// Parses text(); an error gives the column and what was expected. Does not validate.
  static llvm::Expected<GEMMDesc> parse(llvm::StringRef text);

  /// Refuses what no kernel could do, naming the field.
  llvm::Error validate() const;

  /// The same bits at every shape, with known aliases merged (docs/gemm-descriptor.md lists them).
  GEMMDesc canonical() const;

  /// 64 bits of the canonical text (XXH64, seed 0): stable across versions and machines.
  uint64_t hash() const;
};

/// Whether some instruction of the architecture realises the descriptor's arithmetic class on its
/// operand formats (scalar fma and multiply-add in f32 and f64 are everywhere). If not, or if the
/// architecture is unknown, the error names the class.
llvm::Error checkRealisable(const GEMMDesc &desc, llvm::StringRef arch);

/// A descriptor with a name, for tests, documentation and people.
struct NamedDesc {
  llvm::StringLiteral name;
  llvm::StringLiteral text;
  llvm::StringLiteral about;
};

/// One example for each algorithm family and plan mode of the literature.
llvm::ArrayRef<NamedDesc> namedDescs();

/// Parses a text, or finds a named descriptor, and validates it.
llvm::Expected<GEMMDesc> findDesc(llvm::StringRef nameOrText);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_GEMMDESC_H
