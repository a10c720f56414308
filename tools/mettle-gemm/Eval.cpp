//===- Eval.cpp - mettle-gemm eval ----------------------------------------===//
//
// Evaluates a descriptor on .npy matrices.
//
//===----------------------------------------------------------------------===//

#include "CodeArray.h"
#include "Commands.h"
#include "Mettle/Numerics/Evaluate.h"
#include "Mettle/Runtime/Npy.h"
#include "Mettle/Support/Progress.h"
#include "llvm/ADT/STLExtras.h"

namespace cl = llvm::cl;
using namespace mettle;
using numerics::Format;
using numerics::GEMMDesc;

static int runEval();
gemm::Command gemm::evalCommand = {{"eval", "D = epilogue(A * B, C), to the bit"}, runEval};

#define OPTION(type, variable, ...)                                                                \
  static cl::opt<type> variable(__VA_ARGS__, cl::sub(gemm::evalCommand.name))
OPTION(std::string, text, cl::Positional, cl::Required, cl::desc("<descriptor or name>"));
OPTION(std::string, aPath, cl::Positional, cl::Required, cl::desc("<A.npy>"));
OPTION(std::string, bPath, cl::Positional, cl::Required, cl::desc("<B.npy>"));
OPTION(std::string, output, "o", cl::Required, cl::desc("where to write D"),
       cl::value_desc("D.npy"));
OPTION(std::string, cPath, "c", cl::desc("C, m x n"), cl::value_desc("C.npy"));
OPTION(std::string, cFormat, "c-format", cl::init("f32"), cl::desc("format of C"));
OPTION(std::string, biasPath, "bias", cl::desc("bias, one dimension"), cl::value_desc("bias.npy"));
OPTION(std::string, biasFormat, "bias-format", cl::init("f32"), cl::desc("format of the bias"));
OPTION(std::string, aScalesPath, "a-scales", cl::desc("block scales of A, m x blocks"));
OPTION(std::string, bScalesPath, "b-scales", cl::desc("block scales of B, blocks x n"));
OPTION(double, alpha, "alpha", cl::init(1), cl::desc("for the epilogue's alpha"));
OPTION(double, beta, "beta", cl::init(1), cl::desc("for the epilogue's beta"));
OPTION(unsigned, threads, "threads", cl::init(0),
       cl::desc("0: as many as the machine runs at once"));
OPTION(std::string, setName, "set", cl::init("best"),
       cl::desc("instruction set: plain, portable, avx2, avx512 or best"));
#undef OPTION

namespace {

/// A matrix that was read, and a view of it.
struct Operand {
  std::optional<runtime::Buffer> buffer;
  uint64_t rows = 0, cols = 0;
  numerics::MatrixView view;

  llvm::Error read(llvm::StringRef path, Format format, bool vector = false) {
    llvm::Expected<runtime::Buffer> read = gemm::readCodes(path, format);
    if (!read)
      return read.takeError();
    if (read->shape().size() != (vector ? 1 : 2))
      return llvm::createStringError(path + ": expected " +
                                     (vector ? "1 dimension" : "2 dimensions") + ", found " +
                                     llvm::Twine(read->shape().size()));
    rows = vector ? 1 : read->shape()[0];
    cols = read->shape()[vector ? 0 : 1];
    buffer.emplace(std::move(*read));
    view = {buffer->data().data(), format, int64_t(cols), 1, false};
    return llvm::Error::success();
  }

  llvm::Error expect(llvm::StringRef what, uint64_t wantedRows, uint64_t wantedCols) const {
    if (rows == wantedRows && cols == wantedCols)
      return llvm::Error::success();
    return llvm::createStringError(what + ": expected " + llvm::Twine(wantedRows) + " x " +
                                   llvm::Twine(wantedCols) + ", found " + llvm::Twine(rows) +
                                   " x " + llvm::Twine(cols));
  }
};

llvm::Error evalFiles() {
  llvm::Expected<GEMMDesc> desc = numerics::findDesc(text);
  if (!desc)
    return desc.takeError();
  std::optional<numerics::InstructionSet> set = numerics::parseInstructionSet(setName);
  std::optional<Format> formatOfC = numerics::parseFormat(cFormat),
                        formatOfBias = numerics::parseFormat(biasFormat);
  if (!set || !formatOfC || !formatOfBias)
    return llvm::createStringError("unknown value '" +
                                   (!set         ? setName
                                    : !formatOfC ? cFormat
                                                 : biasFormat) +
                                   "'");

  Operand a, b, c, bias, aScales, bScales;
  if (llvm::Error error = a.read(aPath, desc->a))
    return error;
  if (llvm::Error error = b.read(bPath, desc->b))
    return error;
  numerics::GEMMProblem problem;
  problem.m = a.rows, problem.n = b.cols, problem.k = a.cols;
  problem.alpha = alpha, problem.beta = beta;
  if (llvm::Error error = b.expect("B", problem.k, problem.n))
    return error;
  problem.a = a.view, problem.b = b.view;
  if (!cPath.empty()) {
    if (llvm::Error error = c.read(cPath, *formatOfC))
      return error;
    if (llvm::Error error = c.expect("C", problem.m, problem.n))
      return error;
    problem.c = c.view;
  }
  if (!biasPath.empty()) {
    if (llvm::Error error = bias.read(biasPath, *formatOfBias, /*vector=*/true))
      return error;
    bool byRow = llvm::is_contained(desc->epilogue.ops, numerics::EpilogueOp::BiasRow);
    if (llvm::Error error = bias.expect("bias", 1, byRow ? problem.m : problem.n))
      return error;
    problem.bias = bias.view;
  }
  if (desc->scale && !aScalesPath.empty() && !bScalesPath.empty()) {
    uint64_t blocks = (problem.k + desc->scaleBlock - 1) / desc->scaleBlock;
    if (llvm::Error error = aScales.read(aScalesPath, *desc->scale))
      return error;
    if (llvm::Error error = bScales.read(bScalesPath, *desc->scale))
      return error;
    if (llvm::Error error = aScales.expect("scales of A", problem.m, blocks))
      return error;
    if (llvm::Error error = bScales.expect("scales of B", blocks, problem.n))
      return error;
    problem.aScales = aScales.view, problem.bScales = bScales.view;
  }

  llvm::Expected<runtime::Buffer> d =
      runtime::Buffer::zeros(gemm::elementType(desc->output), {problem.m, problem.n});
  if (!d)
    return d.takeError();
  problem.d = {d->data().data(), desc->output, int64_t(problem.n), 1, false};
  {
    Progress progress("eval", problem.m * problem.n);
    numerics::EvaluateOptions options;
    options.threads = threads;
    options.set = *set;
    auto advance = [&](uint64_t count) { progress.advance(count); };
    options.progress = advance;
    if (llvm::Error error = numerics::evaluate(*desc, problem, options))
      return error;
  }
  return runtime::writeNpy(output, *d);
}

} // namespace

static int runEval() {
  if (llvm::Error error = evalFiles())
    return gemm::fail(std::move(error));
  return 0;
}
