//===- KernelsPortable.cpp - Fast paths for any machine -------------------===//
//
// The kernels in what every machine of the build's architecture has (SSE2 on x86-64).
//
//===----------------------------------------------------------------------===//

#define METTLE_LANES 4
#define METTLE_VECTORS 4
#define METTLE_HAS_FMA 0
#define METTLE_KERNELS portableKernels
#define METTLE_KERNELS_NAME "portable"
#include "KernelBody.inc"
