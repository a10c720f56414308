//===- Kernels.cpp - What the vector kernels leave to scalar code ---------===//
//
// Compiled for the build's own instruction set, like everything but the kernels.
//
//===----------------------------------------------------------------------===//

#include "FusedPacking.h"
#include <cmath>

using namespace mettle::numerics;

const KernelSet *mettle::numerics::kernelsOf(InstructionSet set) {
  switch (set) {
  case InstructionSet::Portable:
    return &portableKernels;
#ifdef METTLE_X86_KERNELS
  case InstructionSet::AVX2:
    return &avx2Kernels;
  case InstructionSet::AVX512:
    return &avx512Kernels;
#endif
  default:
    return nullptr;
  }
}

const KernelSet *mettle::numerics::narrowKernelsOf(InstructionSet set) {
  switch (set) {
  case InstructionSet::Portable:
    return &narrowPortableKernels;
#ifdef METTLE_X86_KERNELS
  case InstructionSet::AVX2:
    return &narrowAVX2Kernels;
  case InstructionSet::AVX512:
    return &narrowAVX512Kernels;
#endif
  default:
    return nullptr;
  }
}

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
