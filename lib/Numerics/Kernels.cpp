//===- Kernels.cpp - What the vector kernels leave to scalar code ---------===//
//
// Compiled for the build's own instruction set, like everything but the kernels.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "Mettle/Numerics/Format.h"
#include "Mettle/Numerics/ScalarConvert.h"
#include <cmath>

using namespace mettle::numerics;

float mettle::numerics::finishWideSum(const FusedParams &params, int64_t sum, int quantum) {
  Number number;
  number.kind = sum == 0 ? Number::Zero : Number::Finite;
  number.negative = sum < 0;
  number.significand = sum < 0 ? -uint64_t(sum) : uint64_t(sum);
  number.exponent = quantum;
  if (params.f16Result)
    return decodeF16(uint16_t(encode(Format::F16, number)));
  uint64_t word = encode(Format::F32, number, Rounding::TowardZero, Overflow::Infinity);
  return floatOf(uint32_t(word) & uint32_t(params.keptBits));
}

float mettle::numerics::fmaScalar(float a, float b, float c) { return std::fma(a, b, c); }
