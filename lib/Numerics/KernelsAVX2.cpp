//===- KernelsAVX2.cpp - Fast paths in AVX2 and FMA -----------------------===//
//
// Compiled for x86-64-v3; called only where the machine has it.
//
//===----------------------------------------------------------------------===//

#define METTLE_LANES 8
#define METTLE_VECTORS 4
#define METTLE_HAS_FMA 1
#define METTLE_KERNELS avx2Kernels
#define METTLE_KERNELS_NAME "avx2"
#include "KernelBody.inc"
