//===- mettle-translate.cpp - between IR and what is no IR -===//
//
// MLIR's translation driver with the translations of this project, each registered by its file.
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mettle::registerImportMettle();
  mettle::registerToPTX();
  mettle::registerToSPIRV();
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "Mettle translation driver"));
}
