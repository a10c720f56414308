//===- CuBLASLtFunctions.h - What is used of cublasLt.h ---------*- C++ -*-===//
//
// The few functions and constants of cublasLt.h and of the CUDA runtime that this tool needs,
// declared by hand from their documentation (CUDA 12 and 13 agree on them) and found at run time:
// neither CUDA's headers nor its libraries are needed to build.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_GEMM_CUBLASLTFUNCTIONS_H
#define METTLE_TOOLS_METTLE_GEMM_CUBLASLTFUNCTIONS_H

#include "llvm/Support/Error.h"
#include <cstdint>

namespace mettle::gemm::lt {

using Status = int;
using Handle = void *;

struct MatmulAlgo {
  uint64_t data[8];
};
struct HeuristicResult {
  MatmulAlgo algo;
  size_t workspaceSize;
  Status state;
  float waves;
  int reserved[4];
};

// cublasComputeType_t, cudaDataType_t, cublasLtMatmulDescAttributes_t and their like.
constexpr int compute32F = 68, real32F = 0, real16F = 2, real16BF = 14, realE4M3 = 28;
constexpr int descTransA = 3, descTransB = 4, descAScale = 17, descBScale = 18, descFastAccum = 25;
constexpr int operationT = 1, preferenceMaxWorkspace = 1;
constexpr int capSplitK = 0, capReductions = 1, capSwizzle = 2, capTiles = 6, capCustom = 7,
              capStages = 13;
constexpr int hostToDevice = 1, deviceToHost = 2;

#define METTLE_CUDA_RUNTIME_FUNCTIONS(F)                                                           \
  F(cudaMalloc, void **, size_t)                                                                   \
  F(cudaFree, void *)                                                                              \
  F(cudaMemcpy, void *, const void *, size_t, int)                                                 \
  F(cudaDeviceSynchronize)
#define METTLE_CUBLASLT_FUNCTIONS(F)                                                               \
  F(cublasLtCreate, Handle *)                                                                      \
  F(cublasLtDestroy, Handle)                                                                       \
  F(cublasLtMatmulDescCreate, Handle *, int, int)                                                  \
  F(cublasLtMatmulDescDestroy, Handle)                                                             \
  F(cublasLtMatmulDescSetAttribute, Handle, int, const void *, size_t)                             \
  F(cublasLtMatrixLayoutCreate, Handle *, int, uint64_t, uint64_t, int64_t)                        \
  F(cublasLtMatrixLayoutDestroy, Handle)                                                           \
  F(cublasLtMatmulPreferenceCreate, Handle *)                                                      \
  F(cublasLtMatmulPreferenceDestroy, Handle)                                                       \
  F(cublasLtMatmulPreferenceSetAttribute, Handle, int, const void *, size_t)                       \
  F(cublasLtMatmulAlgoGetHeuristic, Handle, Handle, Handle, Handle, Handle, Handle, Handle, int,   \
    HeuristicResult *, int *)                                                                      \
  F(cublasLtMatmulAlgoGetIds, Handle, int, int, int, int, int, int, int, int *, int *)             \
  F(cublasLtMatmulAlgoInit, Handle, int, int, int, int, int, int, int, MatmulAlgo *)               \
  F(cublasLtMatmulAlgoCapGetAttribute, const MatmulAlgo *, int, void *, size_t, size_t *)          \
  F(cublasLtMatmulAlgoConfigGetAttribute, const MatmulAlgo *, int, void *, size_t, size_t *)       \
  F(cublasLtMatmulAlgoConfigSetAttribute, MatmulAlgo *, int, const void *, size_t)                 \
  F(cublasLtMatmulAlgoCheck, Handle, Handle, Handle, Handle, Handle, Handle, const MatmulAlgo *,   \
    HeuristicResult *)                                                                             \
  F(cublasLtMatmul, Handle, Handle, const void *, const void *, Handle, const void *, Handle,      \
    const void *, const void *, Handle, void *, Handle, const MatmulAlgo *, void *, size_t,        \
    Handle)

struct Functions {
#define FUNCTION(name, ...) Status (*name)(__VA_ARGS__);
  METTLE_CUDA_RUNTIME_FUNCTIONS(FUNCTION)
  METTLE_CUBLASLT_FUNCTIONS(FUNCTION)
#undef FUNCTION
  size_t (*cublasLtGetVersion)();

  /// Finds them all, in the folder if one is given; an error names the library or the function that
  /// is absent.
  llvm::Error load(llvm::StringRef folder);
};

} // namespace mettle::gemm::lt

#endif // METTLE_TOOLS_METTLE_GEMM_CUBLASLTFUNCTIONS_H
