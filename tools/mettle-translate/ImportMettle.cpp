//===- ImportMettle.cpp - kernel source to MLIR -===//
//
// Registers --import-mettle. Messages are the frontend's own text, on standard error.
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "Mettle/Frontend/Import.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mettle;

void mettle::registerImportMettle() {
  static llvm::cl::opt<bool> json(
      "frontend-json", llvm::cl::desc("write the frontend's messages as JSON, one a line"));
  static mlir::TranslateToMLIRRegistration registration(
      "import-mettle", "read kernel source",
      [](llvm::SourceMgr &sources, mlir::MLIRContext *context) {
        const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
        return frontend::importMettleSource(
            buffer->getBufferIdentifier(), buffer->getBuffer(), context, {},
            [](const frontend::Source &source, const frontend::Diagnostic &diagnostic) {
              (json ? frontend::printJSON : frontend::printText)(llvm::errs(), source, diagnostic);
            });
      });
}
