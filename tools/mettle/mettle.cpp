//===- mettle.cpp - the compiler driver -===//
//
// `mettle FILE` compiles a kernel file; `mettle run FILE` executes a kernel of it.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Mettle/Interpreter/InterpretableOpInterface.h"
#include "Mettle/Pipelines/Registration.h"
#include "Mettle/Support/OutputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::driver;

/// Writes all of the text or nothing: an existing file stays as it was when anything fails.
static LogicalResult write(const std::string &path, StringRef text) {
  llvm::Expected<OutputFile> file = OutputFile::open(path);
  if (!file) {
    report(file.takeError());
    return failure();
  }
  file->os() << text;
  if (llvm::Error error = file->commit()) {
    report(std::move(error));
    return failure();
  }
  return success();
}

static LogicalResult perform(const Options &options) {
  if (options.action == Action::Run && StringRef(options.input).ends_with(".ptx"))
    return runPTX(options);
  DialectRegistry registry;
  registerDialects(registry);
  if (options.action == Action::Run)
    interpreter::registerModels(registry);
  // Neither the context nor the module is destroyed: the process ends with them, and taking large
  // modules apart is a tenth of compiling them.
  static auto &context = *new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  // A fault is shown at its line of source, not as the operation made of it.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);

  OwningOpRef<ModuleOp> module = load(options, sources, context);
  if (!module)
    return failure();
  ModuleOp kept = module.release();
  if (options.action == Action::Run)
    return run(options, kept);
  if (options.action == Action::EmitMLIR) {
    std::string text;
    llvm::raw_string_ostream(text) << kept << '\n';
    return write(options.output, text);
  }
  if (options.action == Action::EmitSPIRV) {
    std::optional<SmallVector<uint32_t>> words = compileToSPIRV(options, kept);
    if (!words)
      return failure();
    // SPIR-V is a stream of words in the order of bytes of whoever writes it.
    return write(options.output, StringRef(reinterpret_cast<const char *>(words->data()),
                                           words->size() * sizeof(uint32_t)));
  }
  std::optional<std::string> text = compileToPTX(options, kept);
  return text ? write(options.output, *text) : failure();
}

int main(int argc, char **argv) { return failed(perform(parseCommandLine(argc, argv))); }
