//===- TensorMap.h - Tensor maps that a kernel makes ------------*- C++ -*-===//
//
// The fields of a tensor map as the symbolic thread writes them. Its 128 bytes are opaque in PTX,
// so a map is what tensormap.replace said of it and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_CHECKER_EXEC_TENSORMAP_H
#define METTLE_LIB_CHECKER_EXEC_TENSORMAP_H

#include "Mettle/Checker/Address/Form.h"

namespace mettle::checker {

struct TensorMap {
  static constexpr unsigned Bytes = 128, MaxRank = 5;

  std::optional<FormId> address;
  /// Numbers that the instruction set gives a meaning; rank is one less than the rank.
  std::optional<int64_t> rank, element, interleave, swizzle, fill;
  std::array<std::optional<FormId>, MaxRank> dims, strides, elementStrides;
  std::array<std::optional<int64_t>, MaxRank> box;

  /// The warp that writes its fields, while it is in shared memory.
  uint32_t warp = 0;
  /// Whether its memory has been handed to tensor copies, and to those of other warps.
  bool isFenced = false, isReady = false;
};

} // namespace mettle::checker

#endif // METTLE_LIB_CHECKER_EXEC_TENSORMAP_H
