//===- CuBLASLt.h - cuBLASLt as a black box ---------------------*- C++ -*-===//
//
// Runs the GEMM that cuBLASLt's heuristic chooses, found at run time by dlopen: neither CUDA's
// headers nor its libraries are needed to build, and an absent one is reported as absent.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_GEMM_CUBLASLT_H
#define METTLE_TOOLS_METTLE_GEMM_CUBLASLT_H

#include "Mettle/Numerics/Evaluate.h"
#include <memory>

namespace mettle::gemm {

/// What the heuristic chose, as cublasLtMatmulAlgoConfigGetAttribute tells it.
struct CuBLASLtAlgorithm {
  int id = -1, tile = 0, splitK = 0, reduction = 0, swizzle = 0, custom = 0, stages = 0;
  uint64_t workspace = 0;
};

/// One shape: D[m x n] = A[m x k] * B[k x n], all row-major on the host, f32 accumulation, alpha 1,
/// beta 0. The library works on column-major matrices and is asked for D' = B' * A'. With
/// `bAlongK` it is given B with neighbours along k, as the weights of a linear layer lie; its fp8
/// kernels take no other.
class CuBLASLt {
public:
  /// Formats f16*f16, bf16*bf16 or e4m3*e4m3; D f16, bf16 or f32.
  static llvm::Expected<std::unique_ptr<CuBLASLt>> create(uint64_t m, uint64_t n, uint64_t k,
                                                          numerics::Format operands,
                                                          numerics::Format output,
                                                          uint64_t workspaceBytes, bool bAlongK);
  virtual ~CuBLASLt() = default;
  virtual const CuBLASLtAlgorithm &algorithm() const = 0;
  virtual uint64_t version() const = 0;
  /// Matrices dense and row-major, as numerics::BlackBox hands them out.
  virtual llvm::Error run(const numerics::MatrixView &a, const numerics::MatrixView &b,
                          const numerics::MutableMatrixView &d) = 0;
};

} // namespace mettle::gemm

#endif // METTLE_TOOLS_METTLE_GEMM_CUBLASLT_H
