//===- Format.cpp - Decode and encode of every number format --------------===//
//
// The records of all formats and one exact decoder and encoder that they drive.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Format.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mettle::numerics;

// Sources: IEEE 754-2019 (f16, f32, f64); PTX ISA, "Alternate floating-point data formats" (bf16,
// tf32, e4m3, e5m2, e3m2, e2m3, e2m1, ue8m0, ue4m3; ue4m3 is e4m3 without its sign bit); OCP MX
// v1.0; AMD CDNA3 ISA (the fnuz formats). NaN words of f16, f32 and f64: what an H200 returns.
static constexpr FormatInfo formats[] = {
    // format, name, bits, exponent, fraction, dropped, bias, specials, signed, integer, NaN
    {Format::F16, "f16", 16, 5, 10, 0, 15, Specials::IEEE, true, false, 0x7FFF},
    {Format::BF16, "bf16", 16, 8, 7, 0, 127, Specials::IEEE, true, false, 0x7FFF},
    {Format::TF32, "tf32", 32, 8, 10, 13, 127, Specials::IEEE, true, false, 0x7FFFE000},
    {Format::F32, "f32", 32, 8, 23, 0, 127, Specials::IEEE, true, false, 0x7FFFFFFF},
    {Format::F64, "f64", 64, 11, 52, 0, 1023, Specials::IEEE, true, false, 0xFFF8000000000000},
    {Format::E4M3, "e4m3", 8, 4, 3, 0, 7, Specials::AllOnes, true, false, 0x7F},
    {Format::E5M2, "e5m2", 8, 5, 2, 0, 15, Specials::IEEE, true, false, 0x7F},
    {Format::E3M2, "e3m2", 6, 3, 2, 0, 3, Specials::None, true, false, 0},
    {Format::E2M3, "e2m3", 6, 2, 3, 0, 1, Specials::None, true, false, 0},
    {Format::E2M1, "e2m1", 4, 2, 1, 0, 1, Specials::None, true, false, 0},
    {Format::UE8M0, "ue8m0", 8, 8, 0, 0, 127, Specials::AllOnes, false, false, 0xFF},
    {Format::UE4M3, "ue4m3", 7, 4, 3, 0, 7, Specials::AllOnes, false, false, 0x7F},
    {Format::E4M3FNUZ, "e4m3fnuz", 8, 4, 3, 0, 8, Specials::FNUZ, true, false, 0x80},
    {Format::E5M2FNUZ, "e5m2fnuz", 8, 5, 2, 0, 16, Specials::FNUZ, true, false, 0x80},
    {Format::I8, "i8", 8, 0, 7, 0, 0, Specials::None, true, true, 0},
    {Format::U8, "u8", 8, 0, 8, 0, 0, Specials::None, false, true, 0},
    {Format::I4, "i4", 4, 0, 3, 0, 0, Specials::None, true, true, 0},
    {Format::U4, "u4", 4, 0, 4, 0, 0, Specials::None, false, true, 0},
    {Format::B1, "b1", 1, 0, 1, 0, 0, Specials::None, false, true, 0},
    {Format::I32, "i32", 32, 0, 31, 0, 0, Specials::None, true, true, 0},
};

const FormatInfo &mettle::numerics::info(Format format) { return formats[size_t(format)]; }

llvm::ArrayRef<FormatInfo> mettle::numerics::allFormats() { return formats; }

uint64_t FormatInfo::maxFinite() const {
  uint64_t allOnes = llvm::maskTrailingOnes<uint64_t>(exponentBits + fractionBits);
  switch (specials) {
  case Specials::IEEE:
    return infinity() - (uint64_t(1) << droppedBits);
  case Specials::AllOnes:
    return allOnes - 1;
  case Specials::None:
  case Specials::FNUZ:
    return allOnes;
  }
  llvm_unreachable("unknown specials");
}

std::optional<Format> mettle::numerics::parseFormat(llvm::StringRef name) {
  if (name == "s8" || name == "s4" || name == "s32")
    return name == "s8" ? Format::I8 : name == "s4" ? Format::I4 : Format::I32;
  for (const FormatInfo &record : formats)
    if (record.name == name)
      return record.format;
  return std::nullopt;
}

static constexpr llvm::StringLiteral roundings[] = {"rn", "rna", "rz", "rp", "rm"};
static constexpr llvm::StringLiteral overflows[] = {"ieee", "inf", "sat", "wrap"};

template <typename Enum, size_t N>
static std::optional<Enum> parseEnum(const llvm::StringLiteral (&names)[N], llvm::StringRef name) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == name)
      return Enum(i);
  return std::nullopt;
}

llvm::StringRef mettle::numerics::name(Rounding rounding) { return roundings[size_t(rounding)]; }
std::optional<Rounding> mettle::numerics::parseRounding(llvm::StringRef name) {
  return parseEnum<Rounding>(roundings, name);
}
llvm::StringRef mettle::numerics::name(Overflow overflow) { return overflows[size_t(overflow)]; }
std::optional<Overflow> mettle::numerics::parseOverflow(llvm::StringRef name) {
  return parseEnum<Overflow>(overflows, name);
}

static Number decodeInteger(const FormatInfo &f, uint64_t code) {
  int64_t value = f.isSigned ? llvm::SignExtend64(code, f.bits) : int64_t(code);
  Number number;
  number.negative = value < 0;
  number.significand = value < 0 ? -value : value;
  number.kind = value == 0 ? Number::Zero : Number::Finite;
  return number;
}

Number mettle::numerics::decode(Format format, uint64_t code) {
  const FormatInfo &f = info(format);
  code &= llvm::maskTrailingOnes<uint64_t>(f.bits);
  if (f.isInteger)
    return decodeInteger(f, code);

  Number number;
  number.negative = code & f.signMask();
  uint64_t magnitude = (code & ~f.signMask()) >> f.droppedBits;
  uint64_t fraction = magnitude & llvm::maskTrailingOnes<uint64_t>(f.fractionBits);
  uint64_t biased = magnitude >> f.fractionBits;

  if (f.specials == Specials::FNUZ ? code == f.nan
                                   : f.hasNaN() && magnitude > (f.maxFinite() >> f.droppedBits)) {
    bool infinite = f.hasInfinity() && fraction == 0;
    number.kind = infinite ? Number::Infinity : Number::NaN;
    return number;
  }

  bool subnormal = biased == 0 && f.hasSubnormals();
  number.significand = subnormal ? fraction : fraction | uint64_t(1) << f.fractionBits;
  number.exponent = (subnormal ? f.minExponent() : int(biased) - f.bias) - f.fractionBits;
  number.kind = number.significand == 0 ? Number::Zero : Number::Finite;
  return number;
}

void mettle::numerics::normalise(Number &number) {
  if (number.kind != Number::Finite)
    return;
  int shift = llvm::countl_zero(number.significand);
  number.significand <<= shift;
  number.exponent -= shift;
}

/// Whether a magnitude whose kept part is `kept`, followed by the bits `lost` (top bit first) and
/// `sticky`, rounds away from zero.
static bool roundsAway(Rounding rounding, bool negative, bool odd, bool half, bool rest) {
  switch (rounding) {
  case Rounding::NearestEven:
    return half && (rest || odd);
  case Rounding::NearestAway:
    return half;
  case Rounding::TowardZero:
    return false;
  case Rounding::Up:
    return !negative && (half || rest);
  case Rounding::Down:
    return negative && (half || rest);
  }
  llvm_unreachable("unknown rounding");
}

/// significand / 2^shift, rounded; shift may be anything above 0.
static uint64_t shiftRounded(uint64_t significand, int shift, bool sticky, Rounding rounding,
                             bool negative) {
  uint64_t kept = shift < 64 ? significand >> shift : 0;
  bool half = shift <= 64 && (significand >> (shift - 1)) & 1;
  bool rest = sticky || (shift > 64 ? significand != 0
                                    : significand & llvm::maskTrailingOnes<uint64_t>(shift - 1));
  return kept + roundsAway(rounding, negative, kept & 1, half, rest);
}

static uint64_t encodeInteger(const FormatInfo &f, Number number, Rounding rounding,
                              Overflow overflow, bool sticky) {
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(f.bits);
  uint64_t largest = llvm::maskTrailingOnes<uint64_t>(f.fractionBits);
  uint64_t lowest = f.isSigned ? largest + 1 : 0;
  if (number.kind == Number::NaN || number.kind == Number::Zero)
    return 0;
  uint64_t magnitude = 0;
  bool huge = number.kind == Number::Infinity;
  if (!huge) {
    normalise(number);
    // A significand with bit 63 set at exponent 0 or more is beyond every integer format.
    huge = number.exponent >= 0;
    magnitude = huge ? (number.exponent < 64 ? number.significand << number.exponent : 0)
                     : shiftRounded(number.significand, -number.exponent, sticky, rounding,
                                    number.negative);
  }
  if (overflow != Overflow::Wrap && (huge || magnitude > (number.negative ? lowest : largest)))
    magnitude = number.negative ? lowest : largest;
  return (number.negative ? -magnitude : magnitude) & mask;
}

static uint64_t overflowed(const FormatInfo &f, bool negative, Rounding rounding, Overflow overflow,
                           bool infinite) {
  bool finite = overflow == Overflow::Saturate;
  if (!infinite && (overflow == Overflow::ByRounding || overflow == Overflow::Wrap))
    finite =
        rounding == Rounding::TowardZero || rounding == (negative ? Rounding::Up : Rounding::Down);
  uint64_t sign = negative ? f.signMask() : 0;
  if (!finite && f.hasInfinity())
    return f.infinity() | sign;
  if (!finite && f.hasNaN())
    return f.nan | (f.specials == Specials::AllOnes ? sign : 0);
  return f.maxFinite() | sign;
}

uint64_t mettle::numerics::encode(Format format, Number number, Rounding rounding,
                                  Overflow overflow, bool sticky) {
  const FormatInfo &f = info(format);
  if (f.isInteger)
    return encodeInteger(f, number, rounding, overflow, sticky);
  if (number.kind == Number::NaN)
    return f.hasNaN() ? f.nan : f.maxFinite();
  if (number.negative && !f.isSigned && number.kind != Number::Zero)
    return f.nan;
  if (number.kind == Number::Infinity)
    return overflowed(f, number.negative, rounding, overflow, /*infinite=*/true);
  if (number.kind == Number::Zero)
    return number.negative && f.specials != Specials::FNUZ ? f.signMask() : 0;

  normalise(number);
  int exponent = std::max(number.exponent + 63, f.minExponent());
  int quantum = exponent - f.fractionBits;
  uint64_t kept = shiftRounded(number.significand, quantum - number.exponent, sticky, rounding,
                               number.negative);

  // `kept` includes the hidden bit, whose carry into the exponent field is what a rounding up to
  // the next binade, or from the subnormals into the normals, needs.
  uint64_t code;
  if (f.hasSubnormals())
    code = kept + (uint64_t(exponent - f.minExponent()) << f.fractionBits);
  else
    code = kept == 0 ? 0 : uint64_t(exponent + f.bias) + (kept - 1);
  code <<= f.droppedBits;
  if (code > f.maxFinite())
    return overflowed(f, number.negative, rounding, overflow, /*infinite=*/false);
  if (code == 0 && f.specials == Specials::FNUZ)
    return 0;
  return code | (number.negative ? f.signMask() : 0);
}

uint64_t mettle::numerics::convert(Format from, uint64_t code, Format to, Rounding rounding,
                                   Overflow overflow) {
  return encode(to, decode(from, code), rounding, overflow);
}

double mettle::numerics::toDouble(Format format, uint64_t code) {
  return llvm::bit_cast<double>(convert(format, code, Format::F64));
}

uint64_t mettle::numerics::fromDouble(Format format, double value, Rounding rounding,
                                      Overflow overflow) {
  return convert(Format::F64, llvm::bit_cast<uint64_t>(value), format, rounding, overflow);
}
