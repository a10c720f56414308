//===- Rows.cpp - mettle-gemm rows ----------------------------------------===//
//
// Prints the table of matrix instructions, or the row of one.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Mettle/Numerics/MatrixModel.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using namespace mettle;

static int runRows();
gemm::Command gemm::rowsCommand = {
    {"rows", "print the arithmetic class of matrix instructions, its source, and whether hardware "
             "confirmed it"},
    runRows};

static cl::opt<std::string> arch("arch", cl::desc("only this architecture, as sm_90 or gfx942"),
                                 cl::sub(gemm::rowsCommand.name));
static cl::opt<std::string> instruction("instruction",
                                        cl::desc("only the row of this instruction; needs --arch"),
                                        cl::sub(gemm::rowsCommand.name));

static void print(const numerics::MatrixRow &row) {
  llvm::outs() << row.arch << "  " << row.instruction() << "  " << row.arithmetic.text() << "  "
               << (row.confirmed ? "confirmed" : "unconfirmed") << "  " << name(row.source) << '\n';
}

static int runRows() {
  if (!instruction.empty()) {
    llvm::Expected<const numerics::MatrixRow *> row = numerics::findMatrixRow(arch, instruction);
    if (!row)
      return gemm::fail(row.takeError());
    print(**row);
    return 0;
  }
  bool any = false;
  for (const numerics::MatrixRow &row : numerics::matrixRows())
    if (arch.empty() || arch == row.arch) {
      any = true;
      print(row);
    }
  if (!any)
    return gemm::fail(llvm::createStringError("unknown architecture '" + arch + "'"));
  return 0;
}
