//===- KernelTest.h - run kernels given as text -===//
//
// The fixture of the interpreter's tests: parses a module, runs a kernel and keeps every
// diagnostic as one line, as a user would read it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_INTERPRETER_KERNELTEST_H
#define METTLE_UNITTESTS_INTERPRETER_KERNELTEST_H

#include "Mettle/Interpreter/GlobalBuffer.h"
#include "Mettle/Interpreter/Interpreter.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace mettle::interpreter {

/// Whether property tests run at full counts.
bool isDeep();

/// A property test's number of cases.
inline unsigned caseCount(unsigned slice, unsigned deep) { return isDeep() ? deep : slice; }

class KernelTest : public testing::Test {
protected:
  KernelTest();

  /// Fails the test where the text has an error. Lines are counted from the first line that is not
  /// empty; the file is called "k".
  Interpreter load(const std::string &text);
  /// The whole buffer of a vector.
  template <typename T> static GlobalBuffer bufferOf(const char *name, std::vector<T> &elements) {
    return GlobalBuffer(name, elements.data(), elements.size() * sizeof(T));
  }
  /// Runs kernel @k and returns its diagnostics, a line each, "" where it succeeds.
  std::string run(Interpreter &interpreter, llvm::ArrayRef<KernelArgument> arguments,
                  const LaunchConfig &config = {});

  mlir::MLIRContext context;
  std::string diagnostics;
  LaunchStatistics statistics;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace mettle::interpreter

#endif // METTLE_UNITTESTS_INTERPRETER_KERNELTEST_H
