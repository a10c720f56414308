//===- Execution.cpp - kernel source run by the interpreter -===//
//
// The fixture's members.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

#include "Mettle/Frontend/Import.h"
#include "Mettle/Interpreter/InterpretableOpInterface.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mettle;
using namespace mettle::frontend;

Execution::Execution() {
  mlir::DialectRegistry registry;
  interpreter::registerModels(registry);
  context.appendDialectRegistry(registry);
}

bool Execution::isDeep() {
  const char *deep = std::getenv("METTLE_DEEP");
  return deep && deep[0] == '1';
}

mlir::OwningOpRef<mlir::ModuleOp> Execution::compile(const std::string &text) {
  std::string errors;
  llvm::raw_string_ostream os(errors);
  auto module = importMettleSource("k.mettle", text, &context, {},
                                   [&](const Source &source, const Diagnostic &diagnostic) {
                                     printText(os, source, diagnostic);
                                   });
  EXPECT_TRUE(module) << errors << text;
  EXPECT_TRUE(!module || mlir::succeeded(mlir::verify(*module))) << text;
  return module;
}

void Execution::run(interpreter::Interpreter &machine, void *out, size_t bytes,
                    llvm::ArrayRef<interpreter::KernelArgument> others) {
  interpreter::GlobalBuffer buffer("out", out, bytes);
  interpreter::LaunchConfig config;
  config.stepLimit = 10000000;
  llvm::SmallVector<interpreter::KernelArgument> arguments{
      interpreter::KernelArgument::pointer(buffer)};
  arguments.append(others.begin(), others.end());
  EXPECT_TRUE(mlir::succeeded(machine.run("k", config, arguments)));
}
