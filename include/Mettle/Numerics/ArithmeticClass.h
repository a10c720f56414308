//===- ArithmeticClass.h - What one accumulate step computes ----*- C++ -*-===//
//
// The arithmetic of one matrix or scalar instruction along k, as data: where products are cut, how
// many go into one sum, how the result is rounded. It names no machine; a machine is a set of
// classes it can realise (MatrixModel.h). docs/numerics.md explains each kind in words.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_ARITHMETICCLASS_H
#define METTLE_NUMERICS_ARITHMETICCLASS_H

#include "Mettle/Numerics/Format.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mettle::numerics {

struct ArithmeticClass {
  enum Kind : uint8_t {
    /// NVIDIA's dot product. The products of one group and the accumulator are each truncated in
    /// magnitude at 2^(mx - fractionBits), mx being the largest exponent among them, added exactly,
    /// and rounded once. The exponent of a product is the sum of its operands' exponents (a
    /// subnormal counts with its format's smallest); the product is not renormalised first. Zero
    /// products and a zero accumulator take no part in mx, and mx is at least alignFloor.
    Fused,
    /// As Fused with one power of two a block of each operand, whose exponents are added to those
    /// of the products (mxf8f6f4).
    ScaledFused,
    /// fp8 mma.sync on sm_90. Operands become f16, so that an fp8 subnormal has its own exponent;
    /// the k with k mod 4 in {0, 1} are one Fused step from zero, those in {2, 3} the next; the
    /// accumulator is added last, by one addition rounded to nearest even.
    FusedViaF16,
    /// mxf4 and nvf4: exact sums of `scaleGroup` products, each times its two scales, aligned by
    /// the exponent of the scales' product and added to the accumulator as in Fused.
    BlockFused,
    /// AMD CDNA3: the products alone are cut and added as in Fused; that sum and the accumulator
    /// are then aligned by their own exponents, each rounded toward -infinity (the sum at
    /// wideBits + 1 fraction bits, the accumulator at fractionBits), added, rounded toward
    /// -infinity at wideBits fraction bits, and to the result to nearest even.
    FloorFused,
    /// As FloorFused, with the even and the odd products cut and added apart (CDNA3 fp8).
    FloorFusedPairs,
    /// acc = fma(a, b, acc), one rounding per element, in k order.
    FMA,
    /// acc = acc + a * b with two roundings per element, in k order.
    MulAdd,
    /// Exact in integers; wrapped or saturated once, after the last product of the instruction.
    Integer,
    /// As Integer with popcount(a xor b) for a * b (b1 operands).
    XorPopcount,
  };

  Kind kind = FMA;
  Format result = Format::F32;               ///< Of the accumulator, in and out.
  uint8_t fractionBits = 0;                  ///< F.
  uint8_t wideBits = 0;                      ///< FloorFused only.
  uint16_t group = 0;                        ///< Products per sum; an instruction chains groups.
  uint8_t scaleGroup = 0;                    ///< BlockFused only.
  int16_t alignFloor = 0;                    ///< Smallest alignment exponent.
  Rounding rounding = Rounding::NearestEven; ///< Of the result.
  uint8_t resultBits = 0;                    ///< Fraction bits of the result that may be set.
  Overflow overflow = Overflow::Infinity;    ///< Wrap or Saturate for integers.

  bool isInteger() const { return kind == Integer || kind == XorPopcount; }
  /// One rounding (or two) per element instead of one per group.
  bool isChain() const { return kind == FMA || kind == MulAdd; }
  bool isFused() const { return !isInteger() && !isChain(); }
  bool isScaled() const { return kind == ScaledFused || kind == BlockFused; }
  /// Products that one accumulate of the class takes: `group`, or both halves of FusedViaF16.
  unsigned productsPerStep() const;

  bool operator==(const ArithmeticClass &other) const;
  bool operator!=(const ArithmeticClass &other) const { return !(*this == other); }

  /// Dotted fields, for example `fused.F25.g16.z-133.rz23.f32` or `fma.f64`: the name of the kind,
  /// F, group, floor, rounding with the kept fraction bits, result.
  std::string text() const;
  /// Parses text(); an error names the field.
  static llvm::Expected<ArithmeticClass> parse(llvm::StringRef text);
};

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_ARITHMETICCLASS_H
