//===- CuBLASLt.cpp - cuBLASLt as a black box -----------------------------===//
//
// The few functions and constants of cublasLt.h and of the CUDA runtime that this needs, declared
// by hand from their documentation (CUDA 12 and 13 agree on them).
//
//===----------------------------------------------------------------------===//

#include "CuBLASLt.h"
#include <cstring>
#include <dlfcn.h>
#include <vector>

using namespace mettle;
using numerics::Format;

namespace {

using Status = int;
using Handle = void *;

/// A shared library and the symbols taken from it; the first that is missing is remembered.
class Library {
public:
  bool open(std::initializer_list<const char *> names) {
    for (const char *name : names)
      if ((handle = dlopen(name, RTLD_NOW | RTLD_GLOBAL)))
        return true;
    return false;
  }
  template <typename Function> void load(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (!function && missing.empty())
      missing = name;
  }
  std::string missing;

private:
  void *handle = nullptr;
};

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
constexpr int descTransA = 3, descAScale = 17, descBScale = 18, descFastAccum = 25;
constexpr int operationT = 1, preferenceMaxWorkspace = 1;
constexpr int algoId = 0, algoTile = 1, algoSplitK = 2, algoReduction = 3, algoSwizzle = 4,
              algoCustom = 5, algoStages = 6;
constexpr int hostToDevice = 1, deviceToHost = 2;

int dataType(Format format) {
  switch (format) {
  case Format::F16:
    return real16F;
  case Format::BF16:
    return real16BF;
  case Format::E4M3:
    return realE4M3;
  default:
    return real32F;
  }
}

struct Functions {
  Status (*cudaMalloc)(void **, size_t);
  Status (*cudaFree)(void *);
  Status (*cudaMemcpy)(void *, const void *, size_t, int);
  Status (*cudaDeviceSynchronize)();
  size_t (*cublasLtGetVersion)();
  Status (*cublasLtCreate)(Handle *);
  Status (*cublasLtMatmulDescCreate)(Handle *, int, int);
  Status (*cublasLtMatmulDescSetAttribute)(Handle, int, const void *, size_t);
  Status (*cublasLtMatrixLayoutCreate)(Handle *, int, uint64_t, uint64_t, int64_t);
  Status (*cublasLtMatmulPreferenceCreate)(Handle *);
  Status (*cublasLtMatmulPreferenceSetAttribute)(Handle, int, const void *, size_t);
  Status (*cublasLtMatmulAlgoGetHeuristic)(Handle, Handle, Handle, Handle, Handle, Handle, Handle,
                                           int, HeuristicResult *, int *);
  Status (*cublasLtMatmulAlgoConfigGetAttribute)(const MatmulAlgo *, int, void *, size_t, size_t *);
  Status (*cublasLtMatmul)(Handle, Handle, const void *, const void *, Handle, const void *, Handle,
                           const void *, const void *, Handle, void *, Handle, const MatmulAlgo *,
                           void *, size_t, Handle);

  llvm::Error load() {
    Library runtime, lt;
    if (!runtime.open({"libcudart.so.13", "libcudart.so.12", "libcudart.so"}))
      return llvm::createStringError("cublaslt: no CUDA runtime (libcudart.so) found");
    if (!lt.open({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}))
      return llvm::createStringError("cublaslt: no libcublasLt.so found");
#define LOAD(library, name) library.load(name, #name)
    LOAD(runtime, cudaMalloc);
    LOAD(runtime, cudaFree);
    LOAD(runtime, cudaMemcpy);
    LOAD(runtime, cudaDeviceSynchronize);
    LOAD(lt, cublasLtGetVersion);
    LOAD(lt, cublasLtCreate);
    LOAD(lt, cublasLtMatmulDescCreate);
    LOAD(lt, cublasLtMatmulDescSetAttribute);
    LOAD(lt, cublasLtMatrixLayoutCreate);
    LOAD(lt, cublasLtMatmulPreferenceCreate);
    LOAD(lt, cublasLtMatmulPreferenceSetAttribute);
    LOAD(lt, cublasLtMatmulAlgoGetHeuristic);
    LOAD(lt, cublasLtMatmulAlgoConfigGetAttribute);
    LOAD(lt, cublasLtMatmul);
#undef LOAD
    for (const std::string &missing : {runtime.missing, lt.missing})
      if (!missing.empty())
        return llvm::createStringError("cublaslt: the library has no " + missing);
    return llvm::Error::success();
  }
};

class Session : public gemm::CuBLASLt {
public:
  Session(uint64_t m, uint64_t n, uint64_t k, Format in, Format out, uint64_t workspaceBytes,
          bool bAlongK)
      : m(m), n(n), k(k), in(in), out(out), workspaceBytes(workspaceBytes), bAlongK(bAlongK) {}
  ~Session() override {
    for (void *buffer : {a, b, d, workspace, scale})
      if (buffer)
        f.cudaFree(buffer);
  }

  llvm::Error open() {
    if (llvm::Error error = f.load())
      return error;
    Handle preference = nullptr;
    // Row-major D is column-major D' = B' A': the library's first operand is our B.
    if (llvm::Error e = all({
            {"cudaMalloc", f.cudaMalloc(&a, bytes(m * k, in))},
            {"cudaMalloc", f.cudaMalloc(&b, bytes(k * n, in))},
            {"cudaMalloc", f.cudaMalloc(&d, bytes(m * n, out))},
            {"cudaMalloc", f.cudaMalloc(&workspace, workspaceBytes ? workspaceBytes : 1)},
            {"cudaMalloc", f.cudaMalloc(&scale, sizeof(float))},
            {"cublasLtCreate", f.cublasLtCreate(&lt)},
            {"cublasLtMatmulDescCreate", f.cublasLtMatmulDescCreate(&desc, compute32F, real32F)},
            {"cublasLtMatrixLayoutCreate",
             bAlongK ? f.cublasLtMatrixLayoutCreate(&layoutB, dataType(in), k, n, int64_t(k))
                     : f.cublasLtMatrixLayoutCreate(&layoutB, dataType(in), n, k, int64_t(n))},
            {"cublasLtMatrixLayoutCreate",
             f.cublasLtMatrixLayoutCreate(&layoutA, dataType(in), k, m, int64_t(k))},
            {"cublasLtMatrixLayoutCreate",
             f.cublasLtMatrixLayoutCreate(&layoutD, dataType(out), n, m, int64_t(n))},
            {"cublasLtMatmulPreferenceCreate", f.cublasLtMatmulPreferenceCreate(&preference)},
            {"cublasLtMatmulPreferenceSetAttribute",
             f.cublasLtMatmulPreferenceSetAttribute(preference, preferenceMaxWorkspace,
                                                    &workspaceBytes, sizeof workspaceBytes)},
        }))
      return e;
    int transposed = operationT;
    if (bAlongK)
      if (llvm::Error e = all({{"transA", set(descTransA, &transposed, sizeof transposed)}}))
        return e;
    if (in == Format::E4M3) {
      float one = 1;
      int8_t fast = 0;
      if (llvm::Error e = all({
              {"cudaMemcpy", f.cudaMemcpy(scale, &one, sizeof one, hostToDevice)},
              {"scaleA", set(descAScale, &scale, sizeof scale)},
              {"scaleB", set(descBScale, &scale, sizeof scale)},
              {"fastAccum", set(descFastAccum, &fast, sizeof fast)},
          }))
        return e;
    }
    int found = 0;
    Status status = f.cublasLtMatmulAlgoGetHeuristic(lt, desc, layoutB, layoutA, layoutD, layoutD,
                                                     preference, 1, &choice, &found);
    if (status != 0 || found == 0)
      return llvm::createStringError("cublaslt: the heuristic has no algorithm for this shape "
                                     "(status " +
                                     llvm::Twine(status) + ")");
    chosen.id = config(algoId);
    chosen.tile = config(algoTile);
    chosen.splitK = config(algoSplitK);
    chosen.reduction = config(algoReduction);
    chosen.swizzle = config(algoSwizzle);
    chosen.custom = config(algoCustom);
    chosen.stages = config(algoStages);
    chosen.workspace = choice.workspaceSize;
    return llvm::Error::success();
  }

  const gemm::CuBLASLtAlgorithm &algorithm() const override { return chosen; }
  uint64_t version() const override { return f.cublasLtGetVersion(); }

  llvm::Error run(const numerics::MatrixView &hostA, const numerics::MatrixView &hostB,
                  const numerics::MutableMatrixView &hostD) override {
    float alpha = 1, beta = 0;
    const void *second = hostB.data;
    std::vector<uint8_t> transposed;
    if (bAlongK) {
      const char *from = static_cast<const char *>(hostB.data);
      size_t width = bytes(1, in);
      transposed.resize(k * n * width);
      for (uint64_t i = 0; i < k; ++i)
        for (uint64_t j = 0; j < n; ++j)
          memcpy(&transposed[(j * k + i) * width], from + (i * n + j) * width, width);
      second = transposed.data();
    }
    return all({
        {"cudaMemcpy", f.cudaMemcpy(a, hostA.data, bytes(m * k, in), hostToDevice)},
        {"cudaMemcpy", f.cudaMemcpy(b, second, bytes(k * n, in), hostToDevice)},
        {"cublasLtMatmul",
         f.cublasLtMatmul(lt, desc, &alpha, b, layoutB, a, layoutA, &beta, d, layoutD, d, layoutD,
                          &choice.algo, workspace, workspaceBytes, nullptr)},
        {"cudaDeviceSynchronize", f.cudaDeviceSynchronize()},
        {"cudaMemcpy", f.cudaMemcpy(hostD.data, d, bytes(m * n, out), deviceToHost)},
    });
  }

private:
  struct Call {
    const char *name;
    Status status;
  };
  static llvm::Error all(std::initializer_list<Call> calls) {
    for (const Call &call : calls)
      if (call.status != 0)
        return llvm::createStringError(llvm::Twine("cublaslt: ") + call.name +
                                       " failed with status " + llvm::Twine(call.status));
    return llvm::Error::success();
  }
  static size_t bytes(uint64_t count, Format format) {
    return count * ((info(format).bits + 7) / 8);
  }
  Status set(int attribute, const void *value, size_t size) {
    return f.cublasLtMatmulDescSetAttribute(desc, attribute, value, size);
  }
  int config(int attribute) {
    // Attributes are 16 or 32 bits wide; the library wants the exact size.
    uint32_t wide = 0;
    size_t written = 0;
    if (f.cublasLtMatmulAlgoConfigGetAttribute(&choice.algo, attribute, &wide, 4, &written) == 0)
      return int(wide);
    uint16_t narrow = 0;
    if (f.cublasLtMatmulAlgoConfigGetAttribute(&choice.algo, attribute, &narrow, 2, &written) == 0)
      return int(narrow);
    return -1;
  }

  Functions f{};
  uint64_t m, n, k;
  Format in, out;
  uint64_t workspaceBytes;
  bool bAlongK;
  void *a = nullptr, *b = nullptr, *d = nullptr, *workspace = nullptr, *scale = nullptr;
  Handle lt = nullptr, desc = nullptr, layoutA = nullptr, layoutB = nullptr, layoutD = nullptr;
  HeuristicResult choice{};
  gemm::CuBLASLtAlgorithm chosen;
};

} // namespace

llvm::Expected<std::unique_ptr<gemm::CuBLASLt>>
gemm::CuBLASLt::create(uint64_t m, uint64_t n, uint64_t k, Format operands, Format output,
                       uint64_t workspaceBytes, bool bAlongK) {
  bool known = (operands == Format::F16 || operands == Format::BF16 || operands == Format::E4M3) &&
               (output == Format::F16 || output == Format::BF16 || output == Format::F32);
  if (!known)
    return llvm::createStringError(
        "cublaslt: expected f16, bf16 or e4m3 operands and an f16, bf16 or "
        "f32 result, found " +
        name(operands) + " and " + name(output));
  auto session = std::make_unique<Session>(m, n, k, operands, output, workspaceBytes,
                                           bAlongK || operands == Format::E4M3);
  if (llvm::Error error = session->open())
    return std::move(error);
  return std::unique_ptr<CuBLASLt>(std::move(session));
}
