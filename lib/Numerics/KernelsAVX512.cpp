//===- KernelsAVX512.cpp - Fast paths in AVX-512 --------------------------===//
//
// Compiled for x86-64-v4; called only where the machine has it.
//
//===----------------------------------------------------------------------===//

#define METTLE_LANES 16
#define METTLE_VECTORS 4
#define METTLE_HAS_FMA 1
#define METTLE_KERNELS avx512Kernels
#define METTLE_KERNELS_NAME "avx512"
#include "KernelBody.inc"
