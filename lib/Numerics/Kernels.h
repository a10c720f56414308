//===- Kernels.h - Fast paths of the evaluator, by instruction set --------===//
//
// The interface between the evaluator, which packs operands, and the vector kernels that run the
// steps of a chain over a tile of D. One source (KernelBody.inc) is compiled once per instruction
// set, so this header holds only plain data: nothing inline may be shared between those files.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_KERNELS_H
#define METTLE_LIB_NUMERICS_KERNELS_H

#include <cstddef>
#include <cstdint>

namespace mettle::numerics {

/// The parts of a fused class that the kernels read. Their result is f32, truncated, or f16 to
/// nearest even, always held in an f32 word.
struct FusedParams {
  int fractionBits;
  int alignFloor;
  int32_t keptBits;        ///< Mask of an f32 word's bits that a result may have.
  int32_t accumulatorBits; ///< The same where the accumulator alone becomes the result.
  bool f16Result;
  bool
      accumulateLast; ///< An instruction starts from +0 and is added to the accumulator at its end.
  unsigned group;     ///< Packed products of one group.
};

/// Flags of one packed group.
enum GroupFlags : uint8_t { FirstOfInstruction = 1, LastOfInstruction = 2 };

/// How an operand's exponent is packed, so that a sum of two tells whether the product is zero.
constexpr int directExponentBias =
    56; ///< Non-zero: exponent + 56 (40 .. 71); zero, infinity, NaN: 0.
constexpr int directSmallestSum = 80; ///< Sums below are those of zero products.
constexpr int splitZeroExponent = -20000;
constexpr int splitSmallestSum = -5000;

/// Rows of A against one panel of B, over packed groups firstGroup .. endGroup - 1. A panel holds
/// `width` columns (KernelSet::width), product after product; both operands hold `group` products
/// a group. Direct: values in f32, exponents as bytes. Split: significands in f32, exponents as
/// 32-bit integers. An infinity or NaN stands in the values, and sets its group's flag.
struct FusedTile {
  const float *a, *b;
  const void *aExponents, *bExponents;
  const uint8_t *aSpecial, *bSpecial; ///< One byte a group.
  size_t aRowStride, aSpecialStride;  ///< From one row of A to the next.
  unsigned rows;
  uint64_t firstGroup, endGroup;
  const uint8_t *groupFlags;
  float *accumulators; ///< rows x width
};

/// acc = fma(a, b, acc), or with two roundings, over products first .. end - 1 of f32 operands.
struct ChainTile {
  const float *a, *b;
  size_t aRowStride;
  unsigned rows;
  uint64_t first, end;
  float *accumulators;
};

/// acc += a * b in 32-bit integers, wrapping.
struct IntegerTile {
  const int32_t *a, *b;
  size_t aRowStride;
  unsigned rows;
  uint64_t first, end;
  int32_t *accumulators;
};

struct KernelSet {
  const char *name;
  unsigned width;
  void (*direct)(const FusedParams &, const FusedTile &);
  void (*split)(const FusedParams &, const FusedTile &);
  void (*fma)(const ChainTile &);
  void (*multiplyAdd)(const ChainTile &);
  void (*integer)(const IntegerTile &);
};

/// Panels of four vectors, for matrices; of one (narrow), for the tile of a single instruction.
extern const KernelSet portableKernels, narrowPortableKernels;
#ifdef METTLE_X86_KERNELS
extern const KernelSet avx2Kernels, narrowAVX2Kernels, avx512Kernels, narrowAVX512Kernels;
#endif

/// Rows that the kernels take at once, so that a group of B stays in the first-level cache.
constexpr unsigned tileRows = 8;

/// sum * 2^quantum as the kernels' result, for the rare sums that leave 32 bits.
float finishWideSum(const FusedParams &params, int64_t sum, int quantum);

/// fmaf of the C library, for the instruction sets without one.
float fmaScalar(float a, float b, float c);

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_KERNELS_H
