//===- ToPTX.cpp - the ptx dialect to PTX -===//
//
// Registers --ptx-to-text and --mettle-to-ptx with the options of the emitter.
//
//===----------------------------------------------------------------------===//

#include "Translations.h"

#include "Mettle/Pipelines/Pipelines.h"
#include "Mettle/Pipelines/Registration.h"
#include "Mettle/Target/PTX/Translate.h"
#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;
using namespace mlir;

void mettle::registerToPTX() {
  static cl::opt<std::string> arch(
      "gpu-arch", cl::desc("sm_NN[a|f], compute_NN, portable (PTX 6.4, compute_75) or gb10"));
  static cl::opt<std::string> version("ptx-version", cl::desc("PTX version, M.m"));
  static cl::opt<bool> lineInfo("g", cl::desc("write .loc and .file"));
  static auto writeFor = [](Operation *op, llvm::raw_ostream &os, bool lower) -> LogicalResult {
    llvm::Expected<ptx::TargetSpec> target = ptx::TargetSpec::parse(arch, version);
    if (!target)
      return op->emitError() << llvm::toString(target.takeError());
    if (lower) {
      PassManager manager(op->getContext(), op->getName().getStringRef());
      buildNeutralPipeline(manager, /*optimize=*/false);
      buildPTXPipeline(manager, *target, /*optimize=*/false);
      if (failed(manager.run(op)))
        return failure();
    }
    return ptx::translateToPTX(op, os, {*target, lineInfo});
  };
  auto write = [](Operation *op, llvm::raw_ostream &os) {
    return writeFor(op, os, /*lower=*/false);
  };
  auto lowerAndWrite = [](Operation *op, llvm::raw_ostream &os) {
    return writeFor(op, os, /*lower=*/true);
  };
  auto dialects = [](DialectRegistry &registry) { registerDialects(registry); };
  static TranslateFromMLIRRegistration text("ptx-to-text", "write the ptx dialect as PTX", write,
                                            dialects);
  static TranslateFromMLIRRegistration lowered(
      "mettle-to-ptx", "lower neutral kernels, unoptimized, and write them as PTX", lowerAndWrite,
      dialects);
}
