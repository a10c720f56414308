//===- CuBLASLt.h - cuBLASLt as a black box ---------------------*- C++ -*-===//
//
// Runs the GEMM that cuBLASLt's heuristic chooses for a shape, or one that the caller names by its
// algorithm and options, and lists which the library has. An absent library is reported as absent.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_TOOLS_METTLE_GEMM_CUBLASLT_H
#define METTLE_TOOLS_METTLE_GEMM_CUBLASLT_H

#include "Mettle/Numerics/Evaluate.h"
#include "llvm/Support/CommandLine.h"
#include <memory>
#include <vector>

namespace mettle::gemm {

/// An algorithm with its options, as cublasLtMatmulAlgoConfigGetAttribute tells them; -1 leaves one
/// to the library.
struct CuBLASLtAlgorithm {
  int id = -1, tile = -1, stages = -1, splitK = -1, reduction = -1, swizzle = -1, custom = -1;
  uint64_t workspace = 0;

  /// `id:tile:stages:split-k:reduction:swizzle:custom`.
  std::string text() const;
  /// Parses text(), of which all behind the id may be absent.
  static llvm::Expected<CuBLASLtAlgorithm> parse(llvm::StringRef text);
};

/// One shape: D[m x n] = A[m x k] * B[k x n], all row-major on the host, f32 accumulation, alpha 1,
/// beta 0. The library works on column-major matrices and is asked for D' = B' * A'. With
/// `bAlongK` it is given B with neighbours along k, as the weights of a linear layer lie (its fp8
/// kernels take no other, and are given no other); with `aAlongM` A with neighbours along m.
struct CuBLASLtShape {
  uint64_t m, n, k;
  /// f16*f16, bf16*bf16 or e4m3*e4m3; D f16, bf16 or f32.
  numerics::Format operands, output;
  bool bAlongK = false, aAlongM = false;
  uint64_t workspaceBytes = 32 << 20;
};

/// The option that says where the libraries are, of each subcommand that opens them.
inline constexpr char librariesOption[] = "cuda-libraries";
inline const llvm::cl::desc
    librariesHelp("folder of libcudart and libcublasLt; without it, where the system looks");

class CuBLASLt {
public:
  /// The libraries are those in the folder or, without one, those that the system finds.
  static llvm::Expected<std::unique_ptr<CuBLASLt>> open(const CuBLASLtShape &shape,
                                                        llvm::StringRef libraries);
  virtual ~CuBLASLt() = default;
  virtual uint64_t version() const = 0;

  /// What the heuristic ranks first; run() runs it.
  virtual llvm::Error chooseByHeuristic() = 0;
  /// Makes run() run this one; an error if the library does not take it for the shape.
  virtual llvm::Error choose(const CuBLASLtAlgorithm &algorithm) = 0;
  virtual const CuBLASLtAlgorithm &chosen() const = 0;
  /// Every combination of options with which the library takes an algorithm for the shape.
  virtual std::vector<CuBLASLtAlgorithm> accepted(int id) = 0;
  /// The ids that the library knows for the formats.
  virtual llvm::Expected<std::vector<int>> ids() = 0;

  /// Matrices dense and row-major, as numerics::BlackBox hands them out.
  virtual llvm::Error run(const numerics::MatrixView &a, const numerics::MatrixView &b,
                          const numerics::MutableMatrixView &d) = 0;
};

} // namespace mettle::gemm

#endif // METTLE_TOOLS_METTLE_GEMM_CUBLASLT_H
