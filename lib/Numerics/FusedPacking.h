//===- FusedPacking.h - Operands as the vector kernels take them ----------===//
//
// What every user of the kernels needs: which kernels there are, codes to values and exponents, and
// which classes the kernels can run.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_LIB_NUMERICS_FUSEDPACKING_H
#define METTLE_LIB_NUMERICS_FUSEDPACKING_H

#include "Kernels.h"
#include "Mettle/Numerics/ArithmeticClass.h"
#include "Mettle/Numerics/Evaluate.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include "llvm/Support/MathExtras.h"
#include <vector>

namespace mettle::numerics {

/// The kernels of an instruction set, null for Plain and Best: panels of four vectors, or of one.
const KernelSet *kernelsOf(InstructionSet set);
const KernelSet *narrowKernelsOf(InstructionSet set);

/// Codes of a float format to f32, exactly and fast: whole matrices pass here.
class FloatDecoder {
public:
  explicit FloatDecoder(Format format) : format(format) {
    unsigned bits = info(format).bits;
    if (bits <= 8)
      for (uint64_t code = 0; code < uint64_t(1) << bits; ++code)
        table.push_back(floatOf(uint32_t(convert(format, code, Format::F32))));
  }
  float operator()(uint64_t code) const {
    switch (format) {
    case Format::F16:
      return decodeF16(uint16_t(code));
    case Format::BF16:
      return decodeBF16(uint16_t(code));
    case Format::TF32:
      // Also a NaN whose payload lies in the dropped bits alone: hardware sees an infinity.
      return floatOf(uint32_t(code) & ~0x1FFFu);
    case Format::F32:
      return floatOf(uint32_t(code));
    default:
      return table[code & (table.size() - 1)];
    }
  }

private:
  Format format;
  std::vector<float> table;
};

/// An operand as the fused kernels take it.
struct PackedCode {
  float value;
  int32_t exponent;
  bool special;
};

class CodePacker {
public:
  CodePacker(Format format, bool viaF16, bool split)
      : decoder(format), minExponent(info(viaF16 ? Format::F16 : format).minExponent()),
        split(split) {}

  PackedCode operator()(uint64_t code) const {
    PackedCode packed;
    packed.value = decoder(code);
    uint32_t bits = bitsOf(packed.value);
    int biased = int(bits >> 23) & 255;
    packed.special = biased == 255;
    bool counts = !packed.special && (bits << 1) != 0;
    // A subnormal of the format is normal in f32, but counts with the format's smallest exponent;
    // one of f32 itself (bf16, tf32) reads as -127 here.
    int exponent = std::max(biased - 127, minExponent);
    if (!split) {
      packed.exponent = counts ? exponent + directExponentBias : 0;
      return packed;
    }
    packed.exponent = counts ? exponent : splitZeroExponent;
    if (counts) // the significand, in [0, 2)
      packed.value =
          biased == 0 ? packed.value * 0x1p126f : floatOf((bits & 0x807FFFFF) | 0x3F800000);
    return packed;
  }

private:
  FloatDecoder decoder;
  int minExponent;
  bool split;
};

/// Codes to f32 words, or to 32-bit integers.
class WordDecoder {
public:
  explicit WordDecoder(Format format)
      : floats(format), bits(info(format).bits), isInteger(info(format).isInteger),
        isSigned(info(format).isSigned) {}
  uint32_t operator()(uint64_t code) const {
    if (!isInteger)
      return bitsOf(floats(code));
    return isSigned ? uint32_t(llvm::SignExtend64(code, bits)) : uint32_t(code);
  }

private:
  FloatDecoder floats;
  unsigned bits;
  bool isInteger, isSigned;
};

/// Whether |x| of every product of the formats is below 4 and above 2^-40 or zero, with at most 24
/// bits: then a product of two f32 is exact and the direct kernel's exponents fit their bytes.
inline bool isDirect(Format a, Format b) {
  auto narrow = [](const FormatInfo &f) { return f.exponentBits <= 5 && f.fractionBits <= 10; };
  return narrow(info(a)) && narrow(info(b));
}

/// What the kernels' 32-bit sums and single result rounding assume of the class.
inline bool fitsKernels(const ArithmeticClass &step) {
  bool f32 = step.result == Format::F32 && step.rounding == Rounding::TowardZero;
  bool f16 = step.result == Format::F16 && step.rounding == Rounding::NearestEven &&
             step.fractionBits >= 10;
  return (f32 || f16) && step.fractionBits <= 25 && step.group <= 32 && step.alignFloor >= -133 &&
         step.overflow == Overflow::Infinity;
}

/// The class as the kernels read it. `split` tells which of the two fused kernels runs;
/// `accumulateLast` is for a GEMM without fast accumulation.
inline FusedParams fusedParams(const ArithmeticClass &step, bool split, bool accumulateLast) {
  auto fraction = [](int bits) { return ~((int32_t(1) << (23 - bits)) - 1); };
  bool f16 = step.result == Format::F16;
  FusedParams params;
  // Direct products are far above 2^-100; where there are none, the floor does not show.
  params.alignFloor = split ? step.alignFloor : std::max<int>(step.alignFloor, -100);
  params.fractionBits = step.fractionBits;
  params.keptBits = f16 ? -1 : fraction(step.resultBits);
  params.accumulatorBits =
      f16 ? -1 : fraction(std::min<int>({step.resultBits, step.fractionBits, 23}));
  params.f16Result = f16;
  params.accumulateLast = step.kind == ArithmeticClass::FusedViaF16 || accumulateLast;
  params.group = step.group;
  return params;
}

} // namespace mettle::numerics

#endif // METTLE_LIB_NUMERICS_FUSEDPACKING_H
