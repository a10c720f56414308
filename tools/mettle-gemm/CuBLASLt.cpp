//===- CuBLASLt.cpp - cuBLASLt as a black box -----------------------------===//
//
// A session holds the library's handles and the device's buffers of one shape.
//
//===----------------------------------------------------------------------===//

#include "CuBLASLt.h"
#include "CuBLASLtFunctions.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>

using namespace mettle;
using namespace mettle::gemm::lt;
using gemm::CuBLASLtAlgorithm;
using numerics::Format;

namespace {

/// The options of an algorithm in the order of its text; the second is CUBLASLT_ALGO_CONFIG_*.
struct Option {
  int CuBLASLtAlgorithm::*field;
  int attribute;
};
constexpr Option idOption = {&CuBLASLtAlgorithm::id, 0};
constexpr Option options[] = {
    {&CuBLASLtAlgorithm::tile, 1},    {&CuBLASLtAlgorithm::stages, 6},
    {&CuBLASLtAlgorithm::splitK, 2},  {&CuBLASLtAlgorithm::reduction, 3},
    {&CuBLASLtAlgorithm::swizzle, 4}, {&CuBLASLtAlgorithm::custom, 5},
};

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

size_t bytes(uint64_t count, Format format) { return count * ((info(format).bits + 7) / 8); }

/// The matrix with rows and columns exchanged, dense.
std::vector<uint8_t> transposed(const void *data, uint64_t rows, uint64_t cols, Format format) {
  size_t width = bytes(1, format);
  std::vector<uint8_t> result(rows * cols * width);
  const char *from = static_cast<const char *>(data);
  for (uint64_t i = 0; i < rows; ++i)
    for (uint64_t j = 0; j < cols; ++j)
      memcpy(&result[(j * rows + i) * width], from + (i * cols + j) * width, width);
  return result;
}

class Session : public gemm::CuBLASLt {
public:
  explicit Session(const gemm::CuBLASLtShape &shape)
      : m(shape.m), n(shape.n), k(shape.k), in(shape.operands), out(shape.output),
        workspaceBytes(shape.workspaceBytes), bAlongK(shape.bAlongK || in == Format::E4M3),
        aAlongM(shape.aAlongM) {}

  ~Session() override {
    for (void *buffer : {a, b, d, workspace, scale})
      if (buffer)
        f.cudaFree(buffer);
    for (Handle layout : {layoutA, layoutB, layoutD})
      if (layout)
        f.cublasLtMatrixLayoutDestroy(layout);
    if (preference)
      f.cublasLtMatmulPreferenceDestroy(preference);
    if (desc)
      f.cublasLtMatmulDescDestroy(desc);
    if (lt)
      f.cublasLtDestroy(lt);
  }

  llvm::Error create(llvm::StringRef libraries) {
    if (llvm::Error error = f.load(libraries))
      return error;
    // Row-major D is column-major D' = B' A': the library's first operand is our B.
    auto layout = [&](Handle &handle, Format format, uint64_t rows, uint64_t cols) {
      return f.cublasLtMatrixLayoutCreate(&handle, dataType(format), rows, cols, int64_t(rows));
    };
    if (llvm::Error e = all({
            {"cudaMalloc", f.cudaMalloc(&a, bytes(m * k, in))},
            {"cudaMalloc", f.cudaMalloc(&b, bytes(k * n, in))},
            {"cudaMalloc", f.cudaMalloc(&d, bytes(m * n, out))},
            {"cudaMalloc", f.cudaMalloc(&workspace, workspaceBytes ? workspaceBytes : 1)},
            {"cudaMalloc", f.cudaMalloc(&scale, sizeof(float))},
            {"cublasLtCreate", f.cublasLtCreate(&lt)},
            {"cublasLtMatmulDescCreate", f.cublasLtMatmulDescCreate(&desc, compute32F, real32F)},
            {"cublasLtMatrixLayoutCreate",
             bAlongK ? layout(layoutB, in, k, n) : layout(layoutB, in, n, k)},
            {"cublasLtMatrixLayoutCreate",
             aAlongM ? layout(layoutA, in, m, k) : layout(layoutA, in, k, m)},
            {"cublasLtMatrixLayoutCreate", layout(layoutD, out, n, m)},
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
    if (aAlongM)
      if (llvm::Error e = all({{"transB", set(descTransB, &transposed, sizeof transposed)}}))
        return e;
    if (in != Format::E4M3)
      return llvm::Error::success();
    float one = 1;
    int8_t fast = 0;
    return all({
        {"cudaMemcpy", f.cudaMemcpy(scale, &one, sizeof one, hostToDevice)},
        {"scaleA", set(descAScale, &scale, sizeof scale)},
        {"scaleB", set(descBScale, &scale, sizeof scale)},
        {"fastAccum", set(descFastAccum, &fast, sizeof fast)},
    });
  }

  uint64_t version() const override { return f.cublasLtGetVersion(); }
  const CuBLASLtAlgorithm &chosen() const override { return algorithm; }

  llvm::Error chooseByHeuristic() override {
    int found = 0;
    Status status = f.cublasLtMatmulAlgoGetHeuristic(lt, desc, layoutB, layoutA, layoutD, layoutD,
                                                     preference, 1, &choice, &found);
    if (status != 0 || found == 0)
      return llvm::createStringError("cublaslt: the heuristic has no algorithm for this shape "
                                     "(status " +
                                     llvm::Twine(status) + ")");
    algorithm = described(choice);
    return llvm::Error::success();
  }

  llvm::Error choose(const CuBLASLtAlgorithm &wanted) override {
    if (llvm::Error e = all({{"cublasLtMatmulAlgoInit", init(wanted.id, choice.algo)}}))
      return e;
    if (Status status = check(wanted, choice))
      return llvm::createStringError("cublaslt: the library does not take algorithm " +
                                     wanted.text() + " for this shape (status " +
                                     llvm::Twine(status) + ")");
    algorithm = described(choice);
    return llvm::Error::success();
  }

  llvm::Expected<std::vector<int>> ids() override {
    std::vector<int> ids(256);
    int found = 0;
    if (llvm::Error e = all({{"cublasLtMatmulAlgoGetIds",
                              f.cublasLtMatmulAlgoGetIds(lt, compute32F, real32F, dataType(in),
                                                         dataType(in), dataType(out), dataType(out),
                                                         int(ids.size()), ids.data(), &found)}}))
      return std::move(e);
    ids.resize(size_t(found));
    return ids;
  }

  std::vector<CuBLASLtAlgorithm> accepted(int id) override {
    std::vector<CuBLASLtAlgorithm> result;
    HeuristicResult trial{};
    if (init(id, trial.algo))
      return result;
    std::vector<int> splits = {1}, reductions = {0}, swizzles = {0}, customs;
    if (capability(trial.algo, capSplitK))
      splits = {1, 2, 3, 4, 8, 16};
    for (int scheme : {1, 2, 4})
      if (capability(trial.algo, capReductions) & scheme)
        reductions.push_back(scheme);
    if (capability(trial.algo, capSwizzle))
      swizzles.push_back(1);
    for (int custom = 0; custom <= capability(trial.algo, capCustom); ++custom)
      customs.push_back(custom);
    for (int tile : capabilities(trial.algo, capTiles))
      for (int stages : capabilities(trial.algo, capStages))
        for (int custom : customs)
          for (int split : splits)
            for (int reduction : reductions)
              for (int swizzle : swizzles) {
                // A sum of one part is not reduced.
                if ((split == 1) != (reduction == 0))
                  continue;
                CuBLASLtAlgorithm wanted{id, tile, stages, split, reduction, swizzle, custom};
                if (check(wanted, trial) == 0)
                  result.push_back(described(trial));
              }
    return result;
  }

  llvm::Error run(const numerics::MatrixView &hostA, const numerics::MatrixView &hostB,
                  const numerics::MutableMatrixView &hostD) override {
    float alpha = 1, beta = 0;
    std::vector<uint8_t> turnedA, turnedB;
    if (aAlongM)
      turnedA = transposed(hostA.data, m, k, in);
    if (bAlongK)
      turnedB = transposed(hostB.data, k, n, in);
    return all({
        {"cudaMemcpy",
         f.cudaMemcpy(a, aAlongM ? turnedA.data() : hostA.data, bytes(m * k, in), hostToDevice)},
        {"cudaMemcpy",
         f.cudaMemcpy(b, bAlongK ? turnedB.data() : hostB.data, bytes(k * n, in), hostToDevice)},
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

  Status set(int attribute, const void *value, size_t size) {
    return f.cublasLtMatmulDescSetAttribute(desc, attribute, value, size);
  }

  Status init(int id, MatmulAlgo &algo) {
    return f.cublasLtMatmulAlgoInit(lt, compute32F, real32F, dataType(in), dataType(in),
                                    dataType(out), dataType(out), id, &algo);
  }

  /// Sets the options on an algorithm that init() made, and asks whether it does the shape.
  Status check(const CuBLASLtAlgorithm &wanted, HeuristicResult &result) {
    for (const Option &option : options) {
      int value = wanted.*option.field;
      if (value < 0)
        continue;
      if (Status status = f.cublasLtMatmulAlgoConfigSetAttribute(&result.algo, option.attribute,
                                                                 &value, sizeof value))
        return status;
    }
    HeuristicResult checked{};
    if (Status status = f.cublasLtMatmulAlgoCheck(lt, desc, layoutB, layoutA, layoutD, layoutD,
                                                  &result.algo, &checked))
      return status;
    result.workspaceSize = checked.workspaceSize;
    constexpr Status notSupported = 15;
    return checked.workspaceSize > workspaceBytes ? notSupported : checked.state;
  }

  int capability(const MatmulAlgo &algo, int attribute) {
    int value = 0;
    size_t written = 0;
    f.cublasLtMatmulAlgoCapGetAttribute(&algo, attribute, &value, sizeof value, &written);
    return value;
  }

  /// A list of options; 0, the undefined one, where there is none.
  std::vector<int> capabilities(const MatmulAlgo &algo, int attribute) {
    std::vector<int> values(512);
    size_t written = 0;
    if (f.cublasLtMatmulAlgoCapGetAttribute(&algo, attribute, values.data(),
                                            values.size() * sizeof(int), &written) ||
        written == 0)
      return {0};
    values.resize(written / sizeof(int));
    return values;
  }

  CuBLASLtAlgorithm described(const HeuristicResult &result) {
    CuBLASLtAlgorithm described;
    described.id = config(result.algo, idOption.attribute);
    for (const Option &option : options)
      described.*option.field = config(result.algo, option.attribute);
    described.workspace = result.workspaceSize;
    return described;
  }

  int config(const MatmulAlgo &algo, int attribute) {
    int value = 0;
    size_t written = 0;
    bool failed = f.cublasLtMatmulAlgoConfigGetAttribute(&algo, attribute, &value, sizeof value,
                                                         &written) != 0;
    return failed ? -1 : value;
  }

  Functions f{};
  uint64_t m, n, k;
  Format in, out;
  uint64_t workspaceBytes;
  bool bAlongK, aAlongM;
  void *a = nullptr, *b = nullptr, *d = nullptr, *workspace = nullptr, *scale = nullptr;
  Handle lt = nullptr, desc = nullptr, preference = nullptr;
  Handle layoutA = nullptr, layoutB = nullptr, layoutD = nullptr;
  HeuristicResult choice{};
  CuBLASLtAlgorithm algorithm;
};

} // namespace

std::string CuBLASLtAlgorithm::text() const {
  std::string text = std::to_string(id);
  for (const Option &option : options)
    text += ":" + std::to_string(this->*option.field);
  return text;
}

llvm::Expected<CuBLASLtAlgorithm> CuBLASLtAlgorithm::parse(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 8> fields;
  text.split(fields, ':');
  CuBLASLtAlgorithm algorithm;
  bool bad = fields.size() > 1 + std::size(options) || fields[0].getAsInteger(10, algorithm.id) ||
             algorithm.id < 0;
  for (size_t i = 1; i < fields.size() && !bad; ++i)
    bad = fields[i].getAsInteger(10, algorithm.*options[i - 1].field);
  if (bad)
    return llvm::createStringError(
        "algorithm: expected ID:TILE:STAGES:SPLIT-K:REDUCTION:SWIZZLE:CUSTOM, found '" + text +
        "'");
  return algorithm;
}

llvm::Expected<std::unique_ptr<gemm::CuBLASLt>> gemm::CuBLASLt::open(const CuBLASLtShape &shape,
                                                                     llvm::StringRef libraries) {
  Format operands = shape.operands, output = shape.output;
  bool known = (operands == Format::F16 || operands == Format::BF16 || operands == Format::E4M3) &&
               (output == Format::F16 || output == Format::BF16 || output == Format::F32);
  if (!known)
    return llvm::createStringError(
        "cublaslt: expected f16, bf16 or e4m3 operands and an f16, bf16 or "
        "f32 result, found " +
        name(operands) + " and " + name(output));
  if (shape.m == 0 || shape.n == 0 || shape.k == 0)
    return llvm::createStringError("cublaslt: expected m, n and k of at least 1");
  auto session = std::make_unique<Session>(shape);
  if (llvm::Error error = session->create(libraries))
    return std::move(error);
  return std::unique_ptr<CuBLASLt>(std::move(session));
}
