//===- Explain.cpp - mettle-gemm explain ----------------------------------===//
//
// Prints or draws the dependence tree of one element of D.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Explain.h"
#include "Commands.h"
#include "Mettle/Support/OutputFile.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace mettle;

static int runExplain();
gemm::Command gemm::explainCommand = {
    {"explain", "print every operation that one element of D goes through"}, runExplain};

static cl::opt<std::string> text(cl::Positional, cl::Required, cl::desc("<descriptor or name>"),
                                 cl::sub(gemm::explainCommand.name));
static cl::opt<uint64_t> k("k", cl::Required, cl::desc("length of the sum, at most 65536"),
                           cl::sub(gemm::explainCommand.name));
static cl::opt<uint64_t> row("row", cl::init(0), cl::desc("row of D"),
                             cl::sub(gemm::explainCommand.name));
static cl::opt<uint64_t> col("col", cl::init(0), cl::desc("column of D"),
                             cl::sub(gemm::explainCommand.name));
static cl::opt<std::string> svg("svg", cl::desc("draw it to this file instead (K up to 512)"),
                                cl::sub(gemm::explainCommand.name));

static int runExplain() {
  llvm::Expected<numerics::GEMMDesc> desc = numerics::findDesc(text);
  if (!desc)
    return gemm::fail(desc.takeError());
  uint64_t limit = svg.empty() ? 65536 : 512;
  if (k > limit)
    return gemm::fail(llvm::createStringError("explain: expected --k up to " + llvm::Twine(limit) +
                                              ", found " + llvm::Twine(k)));
  numerics::DependenceTree tree = numerics::explain(*desc, k, row, col);
  if (svg.empty()) {
    llvm::outs() << tree.text();
    return 0;
  }
  llvm::Expected<OutputFile> file = OutputFile::open(svg);
  if (!file)
    return gemm::fail(file.takeError());
  file->os() << tree.svg();
  if (llvm::Error error = file->commit())
    return gemm::fail(std::move(error));
  return 0;
}
