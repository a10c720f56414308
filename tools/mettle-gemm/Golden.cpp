//===- Golden.cpp - mettle-gemm golden ------------------------------------===//
//
// Compares recorded words of hardware with the matrix model, one line a file.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Numerics/Golden.h"
#include "Commands.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace mettle;

static int runGolden();
gemm::Command gemm::goldenCommand = {
    {"golden", "compare recorded words of hardware with the matrix model; exit 1 on any mismatch"},
    runGolden};

static cl::opt<std::string> folder(cl::Positional, cl::Required, cl::desc("<folder>"),
                                   cl::sub(gemm::goldenCommand.name));

static int runGolden() {
  bool same = true;
  llvm::Error error = numerics::checkGolden(folder, [&](const numerics::GoldenFile &file) {
    llvm::outs() << file.name << "  " << file.matched << '/' << file.total;
    if (file.matched != file.total) {
      same = false;
      llvm::outs() << "  record " << file.firstRecord << " word " << file.firstWord << ": recorded "
                   << llvm::format_hex_no_prefix(file.expected, 8) << ", evaluated "
                   << llvm::format_hex_no_prefix(file.evaluated, 8);
    }
    llvm::outs() << '\n';
    llvm::outs().flush();
  });
  if (error)
    return gemm::fail(std::move(error));
  return same ? 0 : 1;
}
