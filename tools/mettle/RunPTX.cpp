//===- RunPTX.cpp - executing PTX of any compiler -===//
//
// Reads a PTX file and runs one of its entries in the emulator or on a GPU.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Mettle/Pipelines/EmulatePTX.h"
#include "Mettle/Runtime/CUDA/Context.h"
#include "Mettle/Support/Progress.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::driver;

llvm::Error mettle::driver::emulate(const Options &options, const PTXKernel &kernel,
                                    runtime::Session &session) {
  emulator::RunOptions run;
  run.checks = options.check;
  run.stepLimit = options.stepLimit;
  Progress progress("emulating " + kernel.kernel().name().str(), session.workgroups());
  uint64_t shown = 0;
  run.progress = [&](uint64_t finished) {
    progress.advance(finished - shown);
    shown = finished;
  };
  return kernel.run(session.config(), session.parameters(), session.arguments(), run);
}

llvm::Expected<runtime::cuda::Context> mettle::driver::openGPU(const Options &options) {
  llvm::Expected<std::shared_ptr<const runtime::cuda::Driver>> driver =
      runtime::cuda::Driver::load();
  if (!driver)
    return driver.takeError();
  llvm::Expected<runtime::cuda::Context> context = runtime::cuda::Context::open(*driver);
  if (context)
    context->assembleWith(options.ptxas);
  return context;
}

static llvm::Error runOnGPU(const Options &options, const PTXKernel &kernel,
                            runtime::Session &session) {
  llvm::Expected<runtime::cuda::Context> context = openGPU(options);
  if (!context)
    return context.takeError();
  return runtime::cuda::run(*context, kernel.text(), kernel.kernel().name(), session.config(),
                            session.arguments());
}

static llvm::Error runFile(const Options &options) {
  auto file = llvm::MemoryBuffer::getFile(options.input, /*IsText=*/true);
  if (!file)
    return llvm::createStringError(file.getError(), "cannot read '%s': %s", options.input.c_str(),
                                   file.getError().message().c_str());
  llvm::Expected<PTXKernel> kernel =
      PTXKernel::read(options.input, (*file)->getBuffer().str(), options.kernel);
  if (!kernel)
    return kernel.takeError();
  llvm::Expected<std::vector<runtime::KernelParameter>> parameters =
      kernel->parameters(options.session.arguments);
  if (!parameters)
    return parameters.takeError();
  llvm::Expected<runtime::Session> session =
      runtime::Session::prepare(kernel->kernel().name(), *parameters, options.session);
  if (!session)
    return session.takeError();
  bool onGPU = options.device == Device::CUDA;
  if (llvm::Error error =
          onGPU ? runOnGPU(options, *kernel, *session) : emulate(options, *kernel, *session))
    return error;
  if (!onGPU)
    kernel->printNotes(llvm::errs());
  return session->finish(llvm::outs());
}

LogicalResult mettle::driver::runPTX(const Options &options) { return reported(runFile(options)); }
