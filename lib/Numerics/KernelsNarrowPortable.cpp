//===- KernelsNarrowPortable.cpp - Narrow fast paths for any machine ----===//
//
// One vector a panel, in what every machine of the build's architecture has (SSE2 on x86-64).
//
//===----------------------------------------------------------------------===//

#define METTLE_LANES 4
#define METTLE_VECTORS 1
#define METTLE_HAS_FMA 0
#define METTLE_KERNELS narrowPortableKernels
#define METTLE_KERNELS_NAME "narrow portable"
#include "KernelBody.inc"
