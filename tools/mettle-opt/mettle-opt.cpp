//===- mettle-opt.cpp - run passes over Mettle's dialects -===//
//
// MLIR's optimizer driver with the dialects and passes of this project.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Pipelines/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mettle::registerDialects(registry);
  mettle::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Mettle optimizer driver\n", registry));
}
