//===- Approximate.cpp - PTX's approximate functions, bit by bit ----------===//
//
// Each instruction as the sequence that ptxas makes of it for sm_90: the
// multi-function unit, and the scaling around it that brings operands and results
// out of the subnormal range.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Approximate.h"
#include "Mettle/Numerics/Evaluate.h"
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
    {Approximate::RcpFtzF64, "rcp.approx.ftz.f64", 1, 64},
    {Approximate::RsqrtF32, "rsqrt.approx.f32", 1, 32},
    {Approximate::RsqrtFtzF32, "rsqrt.approx.ftz.f32", 1, 32},
    {Approximate::RsqrtFtzF64, "rsqrt.approx.ftz.f64", 1, 64},
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

// Everything from here to the dispatch is one lane of a loop: inlined, and free of branches.
#define LANE LLVM_ATTRIBUTE_ALWAYS_INLINE static

static constexpr uint32_t minNormal = mufu::implicitOne; // 2^-126
static constexpr uint32_t two126 = 0x7E800000;

LANE uint32_t magnitude(uint32_t a) { return a & ~mufu::signBit; }

/// A result of the float pipe: all its NaN are one word.
LANE uint32_t wordOf(float value) { return value == value ? bitsOf(value) : uint32_t(mufu::nan); }

/// FMUL.
LANE uint32_t multiply(uint32_t a, uint32_t b) { return wordOf(floatOf(a) * floatOf(b)); }

LANE uint32_t multiply(uint32_t a, float b) { return wordOf(floatOf(a) * b); }

LANE uint32_t flush(uint32_t a) { return magnitude(a) < minNormal ? a & mufu::signBit : a; }

/// FMUL.FTZ. A product is flushed when it is below 2^-126 once rounded to 24 bits, before its
/// exponent is looked at; the tie below 2^-126 rounds up to it.
LANE uint32_t multiplyFtz(uint32_t a, uint32_t b) {
  a = flush(a);
  b = flush(b);
  double product = double(floatOf(a)) * double(floatOf(b));
  uint32_t word = multiply(a, b);
  return std::fabs(product) < 0x1p-126 - 0x1p-151 ? (a ^ b) & mufu::signBit : word;
}

/// FMUL.RZ by the float next to 1/2pi: radians to turns. The product is exact in a double; where
/// its float would be subnormal, and dropping 29 bits is not its rounding, the unit takes it for 0
/// all the same.
LANE uint32_t turnsOfRadians(uint32_t a) {
  double product = double(floatOf(a)) * 0x1.45F306p-3;
  uint64_t bits;
  std::memcpy(&bits, &product, sizeof bits);
  bits &= ~uint64_t(0) << 29;
  std::memcpy(&product, &bits, sizeof bits);
  return magnitude(a) >= mufu::infinity ? a : bitsOf(float(product));
}

//===----------------------------------------------------------------------===//
// The expansions
//===----------------------------------------------------------------------===//

LANE bool isTiny(uint32_t a) { return magnitude(a) < minNormal; }

LANE bool isLarge(uint32_t a) { return magnitude(a) > two126 && magnitude(a) <= mufu::infinity; }

LANE uint32_t ex2(uint32_t a) {
  bool halved = floatOf(a) < -126.0f;
  uint32_t root = mufu::ex2(halved ? multiply(a, 0.5f) : a);
  return halved ? multiply(root, root) : root;
}

LANE uint32_t lg2(uint32_t a) {
  uint32_t result = mufu::lg2(isTiny(a) ? multiply(a, 0x1p24f) : a);
  return isTiny(a) ? wordOf(floatOf(result) - 24.0f) : result;
}

LANE uint32_t rcp(uint32_t a) {
  float scale = isTiny(a) ? 0x1p24f : isLarge(a) ? 0.25f : 1.0f;
  return multiply(mufu::rcp(multiply(a, scale)), scale);
}

LANE uint32_t rsqrt(uint32_t a) {
  uint32_t result = mufu::rsqrt(isTiny(a) ? multiply(a, 0x1p24f) : a);
  return isTiny(a) ? multiply(result, 0x1p12f) : result;
}

LANE uint32_t sqrt(uint32_t a) {
  uint32_t result = mufu::sqrt(isTiny(a) ? multiply(a, 0x1p24f) : a);
  return isTiny(a) ? multiply(result, 0x1p-12f) : result;
}

LANE uint32_t sin(uint32_t a) { return mufu::sin(turnsOfRadians(a)); }

LANE uint32_t cos(uint32_t a) { return mufu::cos(turnsOfRadians(a)); }

LANE DivisionFactors factors(uint32_t a, uint32_t b) {
  float scale = isTiny(b) ? 0x1p24f : 1.0f;
  return {mufu::rcp(multiply(b, scale)), multiply(a, scale)};
}

LANE DivisionFactors factorsFtz(uint32_t a, uint32_t b) { return {mufu::rcp(b), a}; }

LANE DivisionFactors fullFactors(uint32_t a, uint32_t b) {
  float scale = isLarge(b) ? 0.25f : 1.0f;
  return factors(multiply(a, scale), multiply(b, scale));
}

LANE DivisionFactors fullFactorsFtz(uint32_t a, uint32_t b) {
  uint32_t scale = bitsOf(0.25f);
  return {mufu::rcp(isLarge(b) ? multiplyFtz(b, scale) : b),
          isLarge(b) ? multiplyFtz(a, scale) : a};
}

using Division = DivisionFactors(uint32_t, uint32_t);

template <Division division> LANE uint32_t quotient(uint32_t a, uint32_t b) {
  DivisionFactors factors = division(a, b);
  return multiply(factors.reciprocal, factors.dividend);
}

template <Division division> LANE uint32_t quotientFtz(uint32_t a, uint32_t b) {
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

template <UnitFunction function> LANE uint32_t inF16(uint32_t a) {
  uint32_t word = function(bitsOf(decodeF16(uint16_t(a))));
  uint32_t sign = word >> 16 & 0x8000, exponent = magnitude(word) >> 23;
  uint32_t normal = (magnitude(word) - ((127 - 15) << 23)) >> 13;
  uint32_t significand = (word & mufu::fractionMask) | mufu::implicitOne;
  uint32_t subnormal = significand >> (exponent < 126 - 31 ? 31 : (126 - exponent) & 31);
  uint32_t result = exponent > 127 - 15 ? normal : subnormal;
  result = exponent >= 127 + 16 ? 0x7C00 : result;
  return magnitude(word) > mufu::infinity ? 0x7FFF : sign | result;
}

template <UnitFunction function> LANE uint32_t inBF16(uint32_t a) {
  return function(a << 16) >> 16;
}

template <UnitFunction function> LANE uint32_t inBoth(uint32_t a) {
  return function(a & 0xFFFF) | function(a >> 16) << 16;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

namespace {

/// A call's words. `b` has as many as `a` and `result`, read or not.
struct Words {
  llvm::ArrayRef<uint32_t> a, b;
  llvm::MutableArrayRef<uint32_t> result;

  /// In blocks whose results overlap no operand.
  template <uint32_t function(uint32_t, uint32_t)> LLVM_ATTRIBUTE_ALWAYS_INLINE void each() const {
    constexpr size_t blockSize = 64;
    for (size_t first = 0; first < result.size(); first += blockSize) {
      const uint32_t *dividends = a.data() + first, *divisors = b.data() + first;
      size_t count = std::min(blockSize, result.size() - first);
      uint32_t block[blockSize];
      for (size_t i = 0; i < count; ++i)
        block[i] = function(dividends[i], divisors[i]);
      std::memcpy(result.data() + first, block, count * sizeof(uint32_t));
    }
  }

  template <uint32_t function(uint32_t)> LLVM_ATTRIBUTE_ALWAYS_INLINE void each() const {
    each<ignoringSecond<function>>();
  }

private:
  template <uint32_t function(uint32_t)>
  LLVM_ATTRIBUTE_ALWAYS_INLINE static uint32_t ignoringSecond(uint32_t a, uint32_t) {
    return function(a);
  }
};

} // namespace

LANE void evaluate(Approximate instruction, const Words &words) {
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
  case Approximate::RcpFtzF64:
    return words.each<mufu::rcp64h>();
  case Approximate::RsqrtF32:
    return words.each<rsqrt>();
  case Approximate::RsqrtFtzF32:
    return words.each<mufu::rsqrt>();
  case Approximate::RsqrtFtzF64:
    return words.each<mufu::rsqrt64h>();
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

static void evaluatePortable(Approximate instruction, const Words &words) {
  evaluate(instruction, words);
}

using Evaluator = void(Approximate, const Words &);

#ifdef METTLE_X86_KERNELS
__attribute__((target("arch=x86-64-v3"))) static void evaluateAVX2(Approximate instruction,
                                                                   const Words &words) {
  evaluate(instruction, words);
}

// The gathers of table rows decide the speed; compiled for AVX-512 the loops are no faster.
static Evaluator *evaluatorFor(InstructionSet set) {
  bool portable = set == InstructionSet::Plain || set == InstructionSet::Portable;
  return portable || !isAvailable(InstructionSet::AVX2) ? evaluatePortable : evaluateAVX2;
}
#else
static Evaluator *evaluatorFor(InstructionSet) { return evaluatePortable; }
#endif

void mettle::numerics::approximate(Approximate instruction, llvm::ArrayRef<uint32_t> a,
                                   llvm::ArrayRef<uint32_t> b,
                                   llvm::MutableArrayRef<uint32_t> result, InstructionSet set) {
  evaluatorFor(set)(instruction, {a, b.empty() ? a : b, result});
}

void mettle::numerics::approximate(Approximate instruction, llvm::ArrayRef<uint32_t> a,
                                   llvm::ArrayRef<uint32_t> b,
                                   llvm::MutableArrayRef<uint32_t> result) {
  static Evaluator *const best = evaluatorFor(InstructionSet::Best);
  best(instruction, {a, b.empty() ? a : b, result});
}

uint32_t mettle::numerics::approximate(Approximate instruction, uint32_t a, uint32_t b) {
  uint32_t result;
  evaluatePortable(instruction, {a, b, result});
  return result;
}
