//===- Load.cpp - from a file to neutral IR -===//
//
// Reads Mettle source or MLIR, by the file's name, and runs the neutral pipeline on it.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Mettle/Frontend/Import.h"
#include "Mettle/Pipelines/Pipelines.h"
#include "Mettle/Support/LocatedError.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::driver;

void mettle::driver::report(llvm::Error error) {
  printErrors(llvm::errs(), "mettle", std::move(error));
}

LogicalResult mettle::driver::reported(llvm::Error error) {
  if (!error)
    return success();
  report(std::move(error));
  return failure();
}

LogicalResult mettle::driver::runPasses(const Options &options, PassManager &manager,
                                        ModuleOp module, bool last) {
  if (options.dumpIR) {
    manager.enableIRPrinting([](Pass *, Operation *) { return false; },
                             [](Pass *, Operation *) { return true; }, /*printModuleScope=*/true,
                             /*printAfterOnlyOnChange=*/false, /*printAfterOnlyOnFailure=*/false,
                             llvm::errs());
    return manager.run(module);
  }
  manager.enableVerifier(false);
  if (failed(manager.run(module)))
    return failure();
  return last ? verify(module) : success();
}

/// Errors of Mettle source are shown by the frontend, which knows its lines better.
static OwningOpRef<ModuleOp> parse(const Options &options, llvm::SourceMgr &sources,
                                   MLIRContext &context) {
  StringRef path = options.input;
  auto print = options.jsonDiagnostics ? frontend::printJSON : frontend::printText;
  if (path.ends_with(".mlir"))
    return parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  frontend::FrontendOptions frontendOptions;
  frontendOptions.approximateMath = options.approximateMath;
  frontendOptions.checks = options.gpuChecks;
  return frontend::importMettleSource(
      path, sources.getMemoryBuffer(sources.getMainFileID())->getBuffer(), &context,
      frontendOptions, [&](const frontend::Source &source, const frontend::Diagnostic &diagnostic) {
        print(llvm::errs(), source, diagnostic);
      });
}

OwningOpRef<ModuleOp> mettle::driver::load(const Options &options, llvm::SourceMgr &sources,
                                           MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.input, /*IsText=*/true);
  if (!buffer) {
    report(llvm::createStringError(buffer.getError(), "cannot read '%s': %s", options.input.c_str(),
                                   buffer.getError().message().c_str()));
    return {};
  }
  prepareHeap((*buffer)->getBufferSize());
  sources.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  OwningOpRef<ModuleOp> module = parse(options, sources, context);
  if (!module)
    return {};
  std::optional<ScopedDiagnosticHandler> remarks;
  if (options.jsonRemarks)
    remarks.emplace(&context, printRemarkAsJSON);
  PassManager manager(&context);
  buildNeutralPipeline(manager, options.optimize, options.explain);
  bool last = options.action == Action::EmitMLIR || options.action == Action::Run;
  if (failed(runPasses(options, manager, *module, last)))
    return {};
  return module;
}
