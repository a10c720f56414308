//===- Execution.h - kernel source run by the interpreter -===//
//
// A fixture that compiles a file and launches its kernel `k` for one work-item, as the tests of
// what programs compute need it.
//
//===----------------------------------------------------------------------===//

#ifndef METTLE_UNITTESTS_FRONTEND_EXECUTION_H
#define METTLE_UNITTESTS_FRONTEND_EXECUTION_H

#include "Mettle/Interpreter/GlobalBuffer.h"
#include "Mettle/Interpreter/Interpreter.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"
#include <cstring>

namespace mettle::frontend {

class Execution : public testing::Test {
protected:
  Execution();

  /// Fails the test where the text has an error or the module does not verify.
  mlir::OwningOpRef<mlir::ModuleOp> compile(const std::string &text);

  /// Launches `k` with `out` as its first argument; fails the test on a fault.
  void run(interpreter::Interpreter &machine, void *out, size_t bytes,
           llvm::ArrayRef<interpreter::KernelArgument> others);

  template <typename T> static interpreter::KernelArgument argument(T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return interpreter::KernelArgument::scalar(bits, sizeof(T) * 8);
  }

  /// Whether tests run at full counts.
  static bool isDeep();

  mlir::MLIRContext context;
};

} // namespace mettle::frontend

#endif // METTLE_UNITTESTS_FRONTEND_EXECUTION_H
