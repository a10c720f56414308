//===- Format.h - Number formats of matrix instructions ---------*- C++ -*-===//
//
// Every number format that a matrix instruction reads or writes, as one record each, and the exact
// conversions between a code (its bits) and its value. Everything in Numerics that touches bits of
// a number goes through here; the fast paths are tested against it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_NUMERICS_FORMAT_H
#define METTLE_NUMERICS_FORMAT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mettle::numerics {

enum class Format : uint8_t {
  F16,
  BF16,
  TF32,
  F32,
  F64,
  E4M3,
  E5M2,
  E3M2,
  E2M3,
  E2M1,
  UE8M0,
  UE4M3,
  E4M3FNUZ,
  E5M2FNUZ,
  I8,
  U8,
  I4,
  U4,
  B1,
  I32,
};

/// Which codes of a format are not finite numbers.
enum class Specials : uint8_t {
  IEEE,    ///< The last exponent holds infinity and NaN.
  AllOnes, ///< The code of all ones (either sign) is NaN; there is no infinity.
  None,    ///< Every code is a number.
  FNUZ,    ///< The code of negative zero is the only NaN; no infinity, no -0.
};

/// What a format is. A code is, from the top: sign, exponent, fraction, dropped bits.
struct FormatInfo {
  Format format;
  llvm::StringLiteral name;
  uint8_t bits;         ///< Width of a code where codes are stored densely.
  uint8_t exponentBits; ///< 0 for integers.
  uint8_t fractionBits; ///< Stored fraction bits of a float; value bits of an integer.
  uint8_t droppedBits;  ///< Low bits that decoding ignores: 13 in tf32, else 0.
  int16_t bias;
  Specials specials;
  bool isSigned;
  bool isInteger;
  uint64_t nan; ///< The word that arithmetic returns for NaN; 0 where there is none.

  /// Exponent of the smallest normal number, which subnormals share.
  int minExponent() const { return hasSubnormals() ? 1 - bias : -bias; }
  /// ue8m0 is a bare power of two: no zero, no subnormals, no significand bits.
  bool hasSubnormals() const { return fractionBits != 0; }
  bool hasInfinity() const { return specials == Specials::IEEE; }
  bool hasNaN() const { return specials != Specials::None && !isInteger; }
  uint64_t signMask() const { return isSigned ? uint64_t(1) << (bits - 1) : 0; }
  /// Largest finite magnitude, as a code.
  uint64_t maxFinite() const;
  /// The code of infinity. Only where hasInfinity().
  uint64_t infinity() const {
    return (((uint64_t(1) << exponentBits) - 1) << fractionBits) << droppedBits;
  }
};

const FormatInfo &info(Format format);
llvm::ArrayRef<FormatInfo> allFormats();
inline llvm::StringRef name(Format format) { return info(format).name; }

/// The format with this name (f16, e4m3, ...). `s8`, `s4` and `s32`, PTX's names, are i8, i4, i32.
std::optional<Format> parseFormat(llvm::StringRef name);

/// A decoded code: (-1)^negative * significand * 2^exponent.
///
/// The significand is as the format stores it (hidden bit included, not normalised), so that
/// exponent + fractionBits is the exponent a matrix instruction aligns by: that of a subnormal is
/// the format's smallest. An integer has exponent 0.
struct Number {
  enum Kind : uint8_t { Zero, Finite, Infinity, NaN };
  Kind kind = Zero;
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;

  bool isFinite() const { return kind <= Finite; }
};

enum class Rounding : uint8_t {
  NearestEven, ///< rn
  NearestAway, ///< rna: ties away from zero
  TowardZero,  ///< rz
  Up,          ///< rp: toward +infinity
  Down,        ///< rm: toward -infinity
};

llvm::StringRef name(Rounding rounding);
std::optional<Rounding> parseRounding(llvm::StringRef name);

/// What a magnitude above the largest finite one becomes. Where a rule asks for infinity and the
/// format has none, NaN is given, and where there is no NaN either, the largest finite number.
enum class Overflow : uint8_t {
  ByRounding, ///< IEEE 754: infinity, or the largest finite number where the rounding points there.
  Infinity,   ///< Infinity under every rounding, as matrix instructions do.
  Saturate,   ///< The largest finite number, also for an infinite input.
  Wrap,       ///< Integers only: modulo 2^bits. A float format treats it as ByRounding.
};

llvm::StringRef name(Overflow overflow);
std::optional<Overflow> parseOverflow(llvm::StringRef name);

/// The value of a code; bits above the format's width are ignored.
Number decode(Format format, uint64_t code);

/// The code nearest to `number` under `rounding`.
///
/// `sticky` says that the magnitude is larger than significand * 2^exponent by a non-zero amount
/// below one unit of the significand's lowest bit; it needs a significand of 2^62 or more, and
/// `normalise` makes one. NaN gives the format's NaN word, or the largest positive number where
/// there is no NaN (cvt.satfinite in PTX), or 0 for an integer. A negative value in an unsigned
/// float format gives NaN, and a zero in ue8m0, which has none, the smallest number. A tie in ue8m0
/// rounds up in magnitude: its only significand is odd.
uint64_t encode(Format format, Number number, Rounding rounding = Rounding::NearestEven,
                Overflow overflow = Overflow::ByRounding, bool sticky = false);

/// Shifts the significand left until bit 63 is set. No effect on anything but Finite.
void normalise(Number &number);

/// decode, then encode.
uint64_t convert(Format from, uint64_t code, Format to, Rounding rounding = Rounding::NearestEven,
                 Overflow overflow = Overflow::ByRounding);

/// Exact for every format: f64 holds all of them.
double toDouble(Format format, uint64_t code);
uint64_t fromDouble(Format format, double value, Rounding rounding = Rounding::NearestEven,
                    Overflow overflow = Overflow::ByRounding);

} // namespace mettle::numerics

#endif // METTLE_NUMERICS_FORMAT_H
