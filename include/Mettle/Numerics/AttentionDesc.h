//===- AttentionDesc.h - Everything that decides attention's bits -*- C++ -*-===//
//
// One attention kernel holds two matrix multiplications and, between them, a sum over the keys that
// is rescaled at every block of keys. What decides its bits, as data: text, hash, validation. It is
// not evaluated here.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_ATTENTIONDESC_H
#define METTLE_NUMERICS_ATTENTIONDESC_H

#include "Mettle/Numerics/GEMMDesc.h"

namespace mettle::numerics {

enum class Masking : uint8_t {
  None,   ///< Every query sees every key: blocks of keys begin at multiples of keyBlock.
  Causal, ///< Query q sees keys up to q: the block across the diagonal depends on queryBlock.
};

/// The tree of the sum of a block's probabilities.
enum class RowSum : uint8_t {
  InnerTree,
  Sequential,
  Strided, ///< Lanes take every rowSumLanes-th key, then an inner tree.
};

/// Where the output is divided by the sum of the probabilities.
enum class Division : uint8_t {
  AfterLastBlock, ///< Once, in f32, before the output is narrowed.
  AfterNarrowing, ///< Once, on the narrowed output.
  EveryBlock,     ///< The running output is kept normalised.
};

struct AttentionDesc {
  uint32_t keyBlock = 64; ///< Keys between two rescalings: one rounding of every running sum each.
  Masking masking = Masking::None;
  uint32_t queryBlock =
      0; ///< Queries of one kernel instance; 0 without masking, where it shows not.
  RowSum rowSum = RowSum::InnerTree;
  uint32_t rowSumLanes = 0;           ///< Strided only.
  Format probabilities = Format::F16; ///< Narrowed to this before the second multiplication.
  Division division = Division::AfterLastBlock;
  GEMMDesc scores; ///< Q * K^T, over the head dimension.
  GEMMDesc output; ///< P * V, over the keys of one block.

  bool operator==(const AttentionDesc &other) const;

  /// One line: `attention keys64 causal128 rowsum.tree p.f16 divide.last { gemm ... } { gemm ...
  /// }`.
  std::string text() const;
  static llvm::Expected<AttentionDesc> parse(llvm::StringRef text);

  /// Refuses what no kernel could do, naming the field: operand formats that do not fit together, a
  /// query block without masking or the reverse, cuts across the blocks of keys.
  llvm::Error validate() const;

  /// 64 bits of the text with both descriptors canonical (XXH64, seed 0).
  uint64_t hash() const;
};

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_ATTENTIONDESC_H
