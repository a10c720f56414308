//===- KernelsNarrowAVX512.cpp - Narrow fast paths in AVX-512 -----------===//
//
// One vector a panel. Compiled for x86-64-v4; called only where the machine has it.
//
//===----------------------------------------------------------------------===//

#define METTLE_LANES 16
#define METTLE_VECTORS 1
#define METTLE_HAS_FMA 1
#define METTLE_KERNELS narrowAVX512Kernels
#define METTLE_KERNELS_NAME "narrow avx512"
#include "KernelBody.inc"
