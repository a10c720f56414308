//===- mettle-tblgen.cpp - Generators over PTX instruction records --------===//
//
// Reads the records of include/Mettle/Dialect/PTX/IR/*Insts.td and writes the code, the reference
// page and the tests that derive from them. The generators are registered in their own files.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"

int main(int argc, char **argv) { return mlir::MlirTblgenMain(argc, argv); }
