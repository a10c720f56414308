//===- Probe.cpp - mettle-gemm probe --------------------------------------===//
//
// Recovers the descriptor of a hidden one, or of what cuBLASLt runs for a shape.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Probe.h"
#include "CodeArray.h"
#include "Commands.h"
#include "CuBLASLt.h"
#include "Mettle/Runtime/Npy.h"
#include "Mettle/Support/Progress.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

namespace cl = llvm::cl;
using namespace mettle;
using numerics::Format;

static int runProbe();
gemm::Command gemm::probeCommand = {
    {"probe", "find by experiment in which order a GEMM adds and how it rounds"}, runProbe};

#define OPTION(type, variable, ...)                                                                \
  static cl::opt<type> variable(__VA_ARGS__, cl::sub(gemm::probeCommand.name))
OPTION(std::string, hidden, "desc", cl::desc("probe the evaluator under this descriptor"));
OPTION(bool, cublasLt, "cublaslt", cl::desc("probe cuBLASLt, if its library and a GPU are there"));
OPTION(std::string, type, "type", cl::init("f16"),
       cl::desc("operands of --cublaslt: f16, bf16 or e4m3"));
OPTION(std::string, output, "output", cl::init("f32"),
       cl::desc("result of --cublaslt: f16, bf16 or f32"));
OPTION(bool, bAlongK, "b-along-k", cl::desc("give --cublaslt B with neighbours along k"));
OPTION(bool, aAlongM, "a-along-m", cl::desc("give --cublaslt A with neighbours along m"));
OPTION(std::string, forced, "algorithm",
       cl::desc("make --cublaslt run this one: ID[:TILE:STAGES:SPLIT-K:REDUCTION:SWIZZLE:CUSTOM]"));
OPTION(uint64_t, workspace, "workspace", cl::init(32 << 20),
       cl::desc("workspace of --cublaslt, bytes"));
OPTION(std::string, libraries, gemm::librariesOption, gemm::librariesHelp);
OPTION(uint64_t, m, "m", cl::init(16), cl::desc("rows of D"));
OPTION(uint64_t, n, "n", cl::init(16), cl::desc("columns of D"));
OPTION(uint64_t, k, "k", cl::Required, cl::desc("length of the sum"));
OPTION(uint64_t, draws, "draws", cl::init(10000),
       cl::desc("elements of D compared with candidates"));
OPTION(std::string, words, "words",
       cl::desc("write one more draw and its D to PREFIX.a.npy, PREFIX.b.npy, PREFIX.d.npy"),
       cl::value_desc("PREFIX"));
OPTION(bool, json, "json", cl::desc("print one line of JSON"));
#undef OPTION

static std::string form(const numerics::ProbeResult &result) {
  return result.forms.empty() ? std::string() : result.forms.front().text();
}

static void printJSON(const numerics::ProbeResult &result, const gemm::CuBLASLt *library) {
  llvm::json::Object object{{"m", int64_t(m)},
                            {"n", int64_t(n)},
                            {"k", int64_t(k)},
                            {"calls", int64_t(result.calls)},
                            {"drawn", int64_t(result.drawn)}};
  if (library) {
    const gemm::CuBLASLtAlgorithm &algorithm = library->chosen();
    object["type"] = type;
    object["output"] = output;
    object["b_along_k"] = bool(bAlongK);
    object["a_along_m"] = bool(aAlongM);
    object["version"] = int64_t(library->version());
    object["algorithm"] = llvm::json::Object{
        {"id", algorithm.id},          {"tile", algorithm.tile},
        {"split_k", algorithm.splitK}, {"reduction", algorithm.reduction},
        {"custom", algorithm.custom},  {"stages", algorithm.stages},
        {"text", algorithm.text()},    {"workspace", int64_t(algorithm.workspace)}};
  }
  object["descriptor"] =
      result.desc ? llvm::json::Value(result.desc->text()) : llvm::json::Value(nullptr);
  if (!result.desc)
    object["form"] = form(result);
  llvm::json::Array alternatives;
  for (const numerics::GEMMDesc &desc : result.alternatives)
    alternatives.push_back(desc.text());
  object["alternatives"] = std::move(alternatives);
  object["lost"] = int64_t(result.revealed.lost.size());
  if (!result.revealed.lost.empty())
    object["first_lost"] = int64_t(result.revealed.lost.front());
  if (!result.desc)
    object["tree"] = result.revealed.tree.text();
  llvm::outs() << llvm::json::Value(std::move(object)) << '\n';
}

static void print(const numerics::ProbeResult &result, const gemm::CuBLASLt *library) {
  if (library) {
    llvm::outs() << "cublasLt " << library->version() << ", algorithm " << library->chosen().text()
                 << '\n';
  }
  if (result.desc)
    llvm::outs() << result.desc->text() << '\n';
  else
    llvm::outs() << "no descriptor of the family returns these words"
                 << (result.forms.empty() ? "" : "; the form is " + form(result)) << '\n';
  for (const numerics::GEMMDesc &desc : result.alternatives)
    llvm::outs() << "or " << desc.text() << '\n';
  if (!result.revealed.lost.empty())
    llvm::outs() << "lost: " << result.revealed.lost.size()
                 << " elements from k = " << result.revealed.lost.front() << " on never reach D\n";
  llvm::outs() << result.calls << " calls, equal on " << (result.desc ? result.drawn : 0)
               << " elements\n";
}

/// What cuBLASLt is asked for, opened, its algorithm chosen.
static llvm::Expected<std::unique_ptr<gemm::CuBLASLt>> openLibrary() {
  std::optional<Format> operands = numerics::parseFormat(type),
                        result = numerics::parseFormat(output);
  if (!operands || !result)
    return llvm::createStringError("unknown value '" + (operands ? output : type) + "' of --" +
                                   (operands ? "output" : "type"));
  llvm::Expected<gemm::CuBLASLtAlgorithm> algorithm = gemm::CuBLASLtAlgorithm();
  if (!forced.empty())
    algorithm = gemm::CuBLASLtAlgorithm::parse(forced);
  if (!algorithm)
    return algorithm.takeError();
  auto library =
      gemm::CuBLASLt::open({m, n, k, *operands, *result, bAlongK, aAlongM, workspace}, libraries);
  if (!library)
    return library;
  if (llvm::Error error =
          forced.empty() ? (*library)->chooseByHeuristic() : (*library)->choose(*algorithm))
    return std::move(error);
  return library;
}

/// Runs the box once more and writes what it was given and what it returned, so that another
/// descriptor can be held against it by `mettle-gemm eval`.
static llvm::Error writeWords(const numerics::BlackBox &box) {
  std::mt19937_64 random(1);
  std::normal_distribution<> normal;
  auto matrix = [&](uint64_t rows, uint64_t cols, Format format, bool filled) {
    auto buffer = runtime::Buffer::zeros(gemm::elementType(format), {rows, cols});
    unsigned width = gemm::codeBytes(format);
    for (uint64_t i = 0; buffer && filled && i < rows * cols; ++i) {
      uint64_t code = numerics::fromDouble(format, normal(random));
      memcpy(buffer->data().data() + i * width, &code, width);
    }
    return buffer;
  };
  auto a = matrix(box.m, box.k, box.a, true), b = matrix(box.k, box.n, box.b, true);
  auto d = matrix(box.m, box.n, box.d, false);
  for (auto *buffer : {&a, &b, &d})
    if (!*buffer)
      return buffer->takeError();
  if (llvm::Error error = box.run({a->data().data(), box.a, int64_t(box.k), 1, false},
                                  {b->data().data(), box.b, int64_t(box.n), 1, false},
                                  {d->data().data(), box.d, int64_t(box.n), 1, false}))
    return error;
  if (llvm::Error error = runtime::writeNpy(words + ".a.npy", *a))
    return error;
  if (llvm::Error error = runtime::writeNpy(words + ".b.npy", *b))
    return error;
  return runtime::writeNpy(words + ".d.npy", *d);
}

static int runProbe() {
  if (hidden.empty() == !cublasLt)
    return gemm::fail(llvm::createStringError("probe: expected either --desc or --cublaslt"));
  std::unique_ptr<gemm::CuBLASLt> library;
  numerics::GEMMDesc desc;
  numerics::BlackBox box{m, n, k, Format::F16, Format::F16, Format::F32, nullptr};
  auto runHidden = [&](const numerics::MatrixView &a, const numerics::MatrixView &b,
                       const numerics::MutableMatrixView &d) {
    numerics::GEMMProblem p;
    p.m = m, p.n = n, p.k = k, p.a = a, p.b = b, p.d = d;
    return numerics::evaluate(desc, p);
  };
  auto runLibrary = [&](const numerics::MatrixView &a, const numerics::MatrixView &b,
                        const numerics::MutableMatrixView &d) { return library->run(a, b, d); };
  if (!cublasLt) {
    llvm::Expected<numerics::GEMMDesc> found = numerics::findDesc(hidden);
    if (!found)
      return gemm::fail(found.takeError());
    desc = *found;
    box.a = desc.a, box.b = desc.b, box.d = desc.output;
    box.run = runHidden;
  } else {
    auto opened = openLibrary();
    if (!opened)
      return gemm::fail(opened.takeError());
    library = std::move(*opened);
    box.a = box.b = *numerics::parseFormat(type), box.d = *numerics::parseFormat(output);
    box.run = runLibrary;
  }
  numerics::ProbeOptions options;
  options.draws = draws;
  options.threads = 0;
  Progress progress("probe");
  llvm::Expected<numerics::ProbeResult> result = numerics::probe(box, options);
  if (!result)
    return gemm::fail(result.takeError());
  if (!words.empty())
    if (llvm::Error error = writeWords(box))
      return gemm::fail(std::move(error));
  (json ? printJSON : print)(*result, library.get());
  return result->desc ? 0 : 1;
}
