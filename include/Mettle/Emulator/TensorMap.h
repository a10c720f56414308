//===- TensorMap.h - Tensor maps of the emulator ----------------*- C++ -*-===//
//
// What a tensor map says, and its form in the 128 opaque bytes. The hardware's form is not public
// and no kernel may look into it, so the emulator has one of its own; a map that the CUDA driver
// encoded on a host cannot be read here and must be stated by its fields. All zero bytes are an
// empty map, which a kernel fills by tensormap.replace.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_EMULATOR_TENSORMAP_H
#define METTLE_EMULATOR_TENSORMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>

namespace llvm::json {
class Object;
} // namespace llvm::json

namespace mettle::emulator {

/// Element types, numbered as tensormap.replace does (PTX ISA 9.0, "tensormap.replace").
enum class TensorElement : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F32Ftz,
  F64,
  BF16,
  TF32,
  TF32Ftz,
};
inline constexpr unsigned NumTensorElements = 13;

struct TensorMap {
  static constexpr unsigned Bytes = 128, MaxRank = 5;

  uint64_t address = 0;
  TensorElement element = TensorElement::U8;
  uint8_t rankMinusOne = 0;
  uint8_t interleave = 0;                  ///< 0 none, 1 16 bytes, 2 32 bytes
  uint8_t swizzle = 0;                     ///< 0 none, 1 32 bytes, 2 64 bytes, 3 128 bytes
  uint8_t fill = 0;                        ///< of elements outside the tensor: 0 zeros, 1 NaN
  std::array<uint32_t, MaxRank> dims = {}; ///< Elements, innermost first.
  std::array<uint64_t, MaxRank - 1> strides = {}; ///< Bytes, from dimension 1 on.
  std::array<uint32_t, MaxRank> box = {};         ///< Elements of the tensor that a copy spans.
  std::array<uint32_t, MaxRank> elementStrides = {};

  unsigned rank() const { return rankMinusOne + 1u; }
  unsigned elementBytes() const;
  /// Elements that a copy moves along a dimension.
  uint32_t boxCount(unsigned dim) const {
    return (box[dim] + elementStrides[dim] - 1) / elementStrides[dim];
  }

  static TensorMap decode(const uint8_t *bytes);
  void encode(uint8_t *bytes) const;

  /// Why no copy can use the map, in the words of an error; empty if one can. Rules: CUDA driver
  /// API, cuTensorMapEncodeTiled.
  std::string fault() const;

  /// Reads `{"element": "f16", "dims": [256, 512], "strides": [512], "box": [64, 64], "swizzle":
  /// 128, "fill": "zeros", "elementStrides": [1, 1]}`; the last three may be absent. The address is
  /// not stated: it is that of a buffer.
  static llvm::Expected<TensorMap> parse(const llvm::json::Object &object);
};

} // namespace mettle::emulator

#endif // METTLE_EMULATOR_TENSORMAP_H
