//===- KernelTest.cpp - run kernels given as text -===//
//
// The fixture of the interpreter's tests.
//
//===----------------------------------------------------------------------===//

#include "KernelTest.h"

#include "Mettle/Dialect/Mettle/IR/MettleDialect.h"
#include "Mettle/Interpreter/InterpretableOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir;
using namespace mettle::interpreter;

bool mettle::interpreter::isDeep() {
  const char *deep = std::getenv("METTLE_DEEP");
  return deep && std::string(deep) == "1";
}

static void print(Diagnostic &diagnostic, llvm::raw_ostream &os) {
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    os << place.getFilename().getValue() << ':' << place.getLine() << ':' << place.getColumn()
       << ": ";
  os << (diagnostic.getSeverity() == DiagnosticSeverity::Note ? "note: " : "error: ") << diagnostic
     << '\n';
  for (Diagnostic &note : diagnostic.getNotes())
    print(note, os);
}

KernelTest::KernelTest() {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, math::MathDialect,
                  scf::SCFDialect, ub::UBDialect, mettle::MettleDialect>();
  registerModels(registry);
  context.appendDialectRegistry(registry);
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    llvm::raw_string_ostream os(diagnostics);
    print(diagnostic, os);
  });
}

Interpreter KernelTest::load(const std::string &text) {
  size_t start = text.find_first_not_of('\n');
  module = parseSourceString<ModuleOp>(text.substr(start), ParserConfig(&context), "k");
  EXPECT_TRUE(module) << diagnostics;
  return Interpreter(*module);
}

std::string KernelTest::run(Interpreter &interpreter, llvm::ArrayRef<KernelArgument> arguments,
                            const LaunchConfig &config) {
  diagnostics.clear();
  statistics = {};
  bool ran = succeeded(interpreter.run("k", config, arguments, &statistics));
  EXPECT_EQ(ran, diagnostics.empty());
  return diagnostics;
}
