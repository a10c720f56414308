//===- KernelsNarrowAVX2.cpp - Narrow fast paths in AVX2 and FMA --------===//
//
// One vector a panel. Compiled for x86-64-v3; called only where the machine has it.
//
//===----------------------------------------------------------------------===//

#define METTLE_LANES 8
#define METTLE_VECTORS 1
#define METTLE_HAS_FMA 1
#define METTLE_KERNELS narrowAVX2Kernels
#define METTLE_KERNELS_NAME "narrow avx2"
#include "KernelBody.inc"
