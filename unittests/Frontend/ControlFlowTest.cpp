//===- ControlFlowTest.cpp - jumps do what they say -===//
//
// Random programs full of jumps, compiled and executed by the interpreter, against their direct
// execution.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Import.h"
#include "Mettle/Interpreter/GlobalBuffer.h"
#include "Mettle/Interpreter/InterpretableOpInterface.h"
#include "Mettle/Interpreter/Interpreter.h"
#include "RandomProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mettle;
using namespace mettle::frontend;

namespace {
class ControlFlow : public testing::Test {
protected:
  ControlFlow() {
    mlir::DialectRegistry registry;
    interpreter::registerModels(registry);
    context.appendDialectRegistry(registry);
  }

  mlir::OwningOpRef<mlir::ModuleOp> import(const std::string &text) {
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

  RandomProgram::Outputs run(mlir::ModuleOp module, int32_t a, int32_t b) {
    RandomProgram::Outputs out{};
    interpreter::GlobalBuffer buffer("out", out.data(), sizeof(out));
    interpreter::Interpreter machine(module);
    interpreter::LaunchConfig config;
    config.stepLimit = 10000000;
    using interpreter::KernelArgument;
    EXPECT_TRUE(mlir::succeeded(machine.run(
        "k", config,
        {KernelArgument::pointer(buffer), KernelArgument::scalar(static_cast<uint32_t>(a), 32),
         KernelArgument::scalar(static_cast<uint32_t>(b), 32)})));
    return out;
  }

  mlir::MLIRContext context;
};
} // namespace

TEST_F(ControlFlow, RandomProgramsComputeWhatTheySay) {
  const char *deep = std::getenv("METTLE_DEEP");
  uint64_t count = deep && deep[0] == '1' ? 50000 : 500;
  for (uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    RandomProgram program(seed);
    auto module = import(program.text());
    ASSERT_TRUE(module);
    for (auto [a, b] : {std::pair{0, 1}, {5, -7}, {INT32_MIN, -1}})
      EXPECT_EQ(run(*module, a, b), program.run(a, b))
          << "seed " << seed << " with " << a << ", " << b << "\n"
          << program.text();
  }
}
