//===- ToPTX.cpp - the ptx dialect to PTX -===//
//
// Registers --ptx-to-text with the options of the emitter.
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "Mettle/Pipelines/Registration.h"
#include "Mettle/Target/PTX/Translate.h"
#include "mlir/IR/Operation.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;
using namespace mlir;

void mettle::registerToPTX() {
  static cl::opt<std::string> arch(
      "gpu-arch", cl::desc("sm_NN[a|f], compute_NN, portable (PTX 6.4, compute_75) or gb10"));
  static cl::opt<std::string> version("ptx-version", cl::desc("PTX version, M.m"));
  static cl::opt<bool> lineInfo("g", cl::desc("write .loc and .file"));
  static TranslateFromMLIRRegistration registration(
      "ptx-to-text", "write the ptx dialect as PTX",
      [](Operation *op, llvm::raw_ostream &os) -> LogicalResult {
        llvm::Expected<ptx::TargetSpec> target = ptx::TargetSpec::parse(arch, version);
        if (!target)
          return op->emitError() << llvm::toString(target.takeError());
        return ptx::translateToPTX(op, os, {*target, lineInfo});
      },
      [](DialectRegistry &registry) { registerDialects(registry); });
}
