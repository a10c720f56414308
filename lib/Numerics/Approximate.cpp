//===- Approximate.cpp - PTX's approximate functions, bit by bit ----------===//
//
// Each instruction as the sequence that ptxas makes of it for sm_90: the
// multi-function unit, and the scaling around it that brings operands and results
// out of the subnormal range.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Approximate.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "MultiFunctionUnit.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace mettle::numerics;

static constexpr ApproximateInfo approximates[] = {
    {Approximate::Ex2F32, "ex2.approx.f32", 1, 32},
    {Approximate::Ex2FtzF32, "ex2.approx.ftz.f32", 1, 32},
    {Approximate::Ex2F16, "ex2.approx.f16", 1, 16},
    {Approximate::Ex2F16x2, "ex2.approx.f16x2", 1, 32},
    {Approximate::Ex2FtzBF16, "ex2.approx.ftz.bf16", 1, 16},
    {Approximate::Ex2FtzBF16x2, "ex2.approx.ftz.bf16x2", 1, 32},
    {Approximate::Lg2F32, "lg2.approx.f32", 1, 32},
    {Approximate::Lg2FtzF32, "lg2.approx.ftz.f32", 1, 32},
    {Approximate::RcpF32, "rcp.approx.f32", 1, 32},
    {Approximate::RcpFtzF32, "rcp.approx.ftz.f32", 1, 32},
    {Approximate::RsqrtF32, "rsqrt.approx.f32", 1, 32},
    {Approximate::RsqrtFtzF32, "rsqrt.approx.ftz.f32", 1, 32},
    {Approximate::SqrtF32, "sqrt.approx.f32", 1, 32},
    {Approximate::SqrtFtzF32, "sqrt.approx.ftz.f32", 1, 32},
    {Approximate::SinF32, "sin.approx.f32", 1, 32},
    {Approximate::SinFtzF32, "sin.approx.ftz.f32", 1, 32},
    {Approximate::CosF32, "cos.approx.f32", 1, 32},
    {Approximate::CosFtzF32, "cos.approx.ftz.f32", 1, 32},
    {Approximate::TanhF32, "tanh.approx.f32", 1, 32},
    {Approximate::TanhF16, "tanh.approx.f16", 1, 16},
    {Approximate::TanhF16x2, "tanh.approx.f16x2", 1, 32},
    {Approximate::TanhBF16, "tanh.approx.bf16", 1, 16},
    {Approximate::TanhBF16x2, "tanh.approx.bf16x2", 1, 32},
    {Approximate::DivF32, "div.approx.f32", 2, 32},
    {Approximate::DivFtzF32, "div.approx.ftz.f32", 2, 32},
    {Approximate::DivFullF32, "div.full.f32", 2, 32},
    {Approximate::DivFullFtzF32, "div.full.ftz.f32", 2, 32},
};

const ApproximateInfo &mettle::numerics::info(Approximate instruction) {
  return approximates[size_t(instruction)];
}

llvm::ArrayRef<ApproximateInfo> mettle::numerics::allApproximates() { return approximates; }

std::optional<Approximate> mettle::numerics::parseApproximate(llvm::StringRef mnemonic) {
  for (const ApproximateInfo &entry : approximates)
    if (entry.mnemonic == mnemonic)
      return entry.instruction;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The ordinary instructions of the expansions
//===----------------------------------------------------------------------===//

static constexpr uint32_t minNormal = mufu::implicitOne; // 2^-126
static constexpr uint32_t two126 = 0x7E800000;

static uint32_t magnitude(uint32_t a) { return a & ~mufu::signBit; }

/// A result of the float pipe: all its NaN are one word.
static uint32_t wordOf(float value) { return value == value ? bitsOf(value) : uint32_t(mufu::nan); }

/// FMUL.
static uint32_t multiply(uint32_t a, uint32_t b) { return wordOf(floatOf(a) * floatOf(b)); }

static uint32_t multiply(uint32_t a, float b) { return wordOf(floatOf(a) * b); }

static uint32_t flush(uint32_t a) { return magnitude(a) < minNormal ? a & mufu::signBit : a; }

/// FMUL.FTZ. A product is flushed when it is below 2^-126 once rounded to 24 bits, before its
/// exponent is looked at; the tie below 2^-126 rounds up to it.
static uint32_t multiplyFtz(uint32_t a, uint32_t b) {
  a = flush(a);
  b = flush(b);
  double product = double(floatOf(a)) * double(floatOf(b));
  if (std::fabs(product) < 0x1p-126 - 0x1p-151)
    return (a ^ b) & mufu::signBit;
  return multiply(a, b);
}

static uint32_t multiplyFtz(uint32_t a, float b) { return multiplyFtz(a, bitsOf(b)); }

/// FMUL.RZ by the float next to 1/2pi: radians to turns. The product is exact in a
/// double; where its float would be subnormal, and dropping 29 bits is not its
/// rounding, the unit takes it for 0 all the same.
static uint32_t turnsOfRadians(uint32_t a) {
  if (magnitude(a) >= mufu::infinity)
    return a;
  double product = double(floatOf(a)) * 0x1.45F306p-3;
  uint64_t bits;
  std::memcpy(&bits, &product, sizeof bits);
  bits &= ~uint64_t(0) << 29;
  std::memcpy(&product, &bits, sizeof bits);
  return bitsOf(float(product));
}

//===----------------------------------------------------------------------===//
// The expansions
//===----------------------------------------------------------------------===//

static uint32_t ex2(uint32_t a) {
  if (!(floatOf(a) < -126.0f))
    return mufu::ex2(a);
  uint32_t root = mufu::ex2(multiply(a, 0.5f));
  return multiply(root, root);
}

static uint32_t lg2(uint32_t a) {
  if (magnitude(a) >= minNormal)
    return mufu::lg2(a);
  return wordOf(floatOf(mufu::lg2(multiply(a, 0x1p24f))) - 24.0f);
}

static uint32_t rcp(uint32_t a) {
  float scale = magnitude(a) < minNormal ? 0x1p24f : 1.0f;
  if (magnitude(a) > two126 && magnitude(a) <= mufu::infinity)
    scale = 0.25f;
  return multiply(mufu::rcp(multiply(a, scale)), scale);
}

static uint32_t rsqrt(uint32_t a) {
  if (magnitude(a) >= minNormal)
    return mufu::rsqrt(a);
  return multiply(mufu::rsqrt(multiply(a, 0x1p24f)), 0x1p12f);
}

static uint32_t sqrt(uint32_t a) {
  if (magnitude(a) >= minNormal)
    return mufu::sqrt(a);
  return multiply(mufu::sqrt(multiply(a, 0x1p24f)), 0x1p-12f);
}

static uint32_t sin(uint32_t a) { return mufu::sin(turnsOfRadians(a)); }

static uint32_t cos(uint32_t a) { return mufu::cos(turnsOfRadians(a)); }

static bool isLarge(uint32_t b) { return magnitude(b) > two126 && magnitude(b) <= mufu::infinity; }

static DivisionFactors factors(uint32_t a, uint32_t b) {
  float scale = magnitude(b) < minNormal ? 0x1p24f : 1.0f;
  return {mufu::rcp(multiply(b, scale)), multiply(a, scale)};
}

static DivisionFactors factorsFtz(uint32_t a, uint32_t b) { return {mufu::rcp(b), a}; }

static DivisionFactors fullFactors(uint32_t a, uint32_t b) {
  return isLarge(b) ? factors(multiply(a, 0.25f), multiply(b, 0.25f)) : factors(a, b);
}

static DivisionFactors fullFactorsFtz(uint32_t a, uint32_t b) {
  return isLarge(b) ? factorsFtz(multiplyFtz(a, 0.25f), multiplyFtz(b, 0.25f)) : factorsFtz(a, b);
}

using Division = DivisionFactors(uint32_t, uint32_t);

template <Division division> static uint32_t quotient(uint32_t a, uint32_t b) {
  DivisionFactors factors = division(a, b);
  return multiply(factors.reciprocal, factors.dividend);
}

template <Division division> static uint32_t quotientFtz(uint32_t a, uint32_t b) {
  DivisionFactors factors = division(a, b);
  return multiplyFtz(factors.reciprocal, factors.dividend);
}

DivisionFactors mettle::numerics::divisionFactors(Approximate division, uint32_t a, uint32_t b) {
  switch (division) {
  case Approximate::DivF32:
    return factors(a, b);
  case Approximate::DivFtzF32:
    return factorsFtz(a, b);
  case Approximate::DivFullF32:
    return fullFactors(a, b);
  case Approximate::DivFullFtzF32:
    return fullFactorsFtz(a, b);
  default:
    llvm_unreachable("not a division");
  }
}

//===----------------------------------------------------------------------===//
// 16 bits: through the unit's float function, the result truncated
//===----------------------------------------------------------------------===//

using UnitFunction = uint32_t(uint32_t);

template <UnitFunction function> static uint32_t inF16(uint32_t a) {
  uint32_t word = function(bitsOf(decodeF16(uint16_t(a))));
  uint32_t sign = word >> 16 & 0x8000, exponent = magnitude(word) >> 23;
  if (magnitude(word) > mufu::infinity)
    return 0x7FFF;
  if (exponent >= 127 + 16)
    return sign | 0x7C00;
  if (exponent > 127 - 15)
    return sign | (magnitude(word) - ((127 - 15) << 23)) >> 13;
  uint32_t significand = (word & mufu::fractionMask) | mufu::implicitOne;
  return sign | (exponent < 127 - 25 ? 0 : significand >> (126 - exponent));
}

template <UnitFunction function> static uint32_t inBF16(uint32_t a) {
  return function(a << 16) >> 16;
}

template <UnitFunction function> static uint32_t inBoth(uint32_t a) {
  return function(a & 0xFFFF) | function(a >> 16) << 16;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

namespace {

struct Words {
  llvm::ArrayRef<uint32_t> a, b;
  llvm::MutableArrayRef<uint32_t> result;

  template <uint32_t function(uint32_t)> void each() const {
    for (size_t i = 0, end = result.size(); i != end; ++i)
      result[i] = function(a[i]);
  }

  template <uint32_t function(uint32_t, uint32_t)> void each() const {
    for (size_t i = 0, end = result.size(); i != end; ++i)
      result[i] = function(a[i], b[i]);
  }
};

} // namespace

void mettle::numerics::approximate(Approximate instruction, llvm::ArrayRef<uint32_t> a,
                                   llvm::ArrayRef<uint32_t> b,
                                   llvm::MutableArrayRef<uint32_t> result) {
  Words words{a, b, result};
  switch (instruction) {
  case Approximate::Ex2F32:
    return words.each<ex2>();
  case Approximate::Ex2FtzF32:
    return words.each<mufu::ex2>();
  case Approximate::Ex2F16:
    return words.each<inF16<mufu::ex2>>();
  case Approximate::Ex2F16x2:
    return words.each<inBoth<inF16<mufu::ex2>>>();
  case Approximate::Ex2FtzBF16:
    return words.each<inBF16<mufu::ex2>>();
  case Approximate::Ex2FtzBF16x2:
    return words.each<inBoth<inBF16<mufu::ex2>>>();
  case Approximate::Lg2F32:
    return words.each<lg2>();
  case Approximate::Lg2FtzF32:
    return words.each<mufu::lg2>();
  case Approximate::RcpF32:
    return words.each<rcp>();
  case Approximate::RcpFtzF32:
    return words.each<mufu::rcp>();
  case Approximate::RsqrtF32:
    return words.each<rsqrt>();
  case Approximate::RsqrtFtzF32:
    return words.each<mufu::rsqrt>();
  case Approximate::SqrtF32:
    return words.each<sqrt>();
  case Approximate::SqrtFtzF32:
    return words.each<mufu::sqrt>();
  case Approximate::SinF32:
  case Approximate::SinFtzF32:
    return words.each<sin>();
  case Approximate::CosF32:
  case Approximate::CosFtzF32:
    return words.each<cos>();
  case Approximate::TanhF32:
    return words.each<mufu::tanh>();
  case Approximate::TanhF16:
    return words.each<inF16<mufu::tanh>>();
  case Approximate::TanhF16x2:
    return words.each<inBoth<inF16<mufu::tanh>>>();
  case Approximate::TanhBF16:
    return words.each<inBF16<mufu::tanh>>();
  case Approximate::TanhBF16x2:
    return words.each<inBoth<inBF16<mufu::tanh>>>();
  case Approximate::DivF32:
    return words.each<quotient<factors>>();
  case Approximate::DivFtzF32:
    return words.each<quotientFtz<factorsFtz>>();
  case Approximate::DivFullF32:
    return words.each<quotient<fullFactors>>();
  case Approximate::DivFullFtzF32:
    return words.each<quotientFtz<fullFactorsFtz>>();
  }
  llvm_unreachable("unknown approximate instruction");
}

uint32_t mettle::numerics::approximate(Approximate instruction, uint32_t a, uint32_t b) {
  uint32_t result;
  approximate(instruction, llvm::ArrayRef(a), llvm::ArrayRef(b), llvm::MutableArrayRef(result));
  return result;
}
