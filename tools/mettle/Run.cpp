//===- Run.cpp - executing a kernel -===//
//
// Finds the kernel in a module, and runs it where asked.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Pipelines/EmulatePTX.h"
#include "Mettle/Pipelines/ExecuteKernel.h"
#include "Mettle/Runtime/CUDA/Context.h"
#include "Mettle/Runtime/OpenCL/Context.h"
#include "Mettle/Runtime/OpenCL/Loader.h"
#include "Mettle/Runtime/OpenCL/Probe.h"
#include "Mettle/Runtime/Session.h"
#include "Mettle/Support/Progress.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::driver;
using runtime::KernelParameter;
using runtime::LaunchArgument;

//===----------------------------------------------------------------------===//
// The kernel and its arguments
//===----------------------------------------------------------------------===//

static llvm::Expected<KernelOp> findKernel(ModuleOp module, const Options &options) {
  SmallVector<KernelOp> kernels(module.getOps<KernelOp>());
  std::string names =
      llvm::join(llvm::map_range(kernels, [](KernelOp op) { return op.getSymName(); }), ", ");
  if (options.kernel.empty()) {
    if (kernels.size() == 1)
      return kernels.front();
    return llvm::createStringError("expected --kernel with one of: " + names);
  }
  for (KernelOp kernel : kernels)
    if (kernel.getSymName() == options.kernel)
      return kernel;
  return llvm::createStringError("'%s' has no kernel '%s'; it has: %s", options.input.c_str(),
                                 options.kernel.c_str(), names.c_str());
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static LogicalResult runOnCUDA(const Options &options, ModuleOp module, StringRef kernel,
                               const runtime::LaunchConfig &config,
                               MutableArrayRef<LaunchArgument> arguments) {
  llvm::Expected<runtime::cuda::Context> context = openGPU(options);
  if (!context)
    return reported(context.takeError());
  std::optional<std::string> text = compileToPTX(options, module);
  return text ? reported(runtime::cuda::run(*context, *text, kernel, config, arguments))
              : failure();
}

static LogicalResult runOnOpenCL(const Options &options, ModuleOp module, StringRef kernel,
                                 const runtime::LaunchConfig &config,
                                 MutableArrayRef<LaunchArgument> arguments) {
  llvm::Expected<std::shared_ptr<const runtime::opencl::Loader>> loader =
      runtime::opencl::Loader::load();
  if (!loader)
    return reported(loader.takeError());
  llvm::Expected<runtime::opencl::Context> context = runtime::opencl::Context::open(*loader);
  if (!context)
    return reported(context.takeError());
  if (llvm::Error error = runtime::opencl::requireExact(*context))
    return reported(std::move(error));
  std::optional<SmallVector<uint32_t>> words = compileToSPIRV(options, module);
  return words ? reported(runtime::opencl::run(*context, *words, kernel, config, arguments))
               : failure();
}

/// Emulates the PTX for the GPU whose bits the emulator has, unless another is asked for.
static LogicalResult runInEmulator(Options options, ModuleOp module, StringRef kernel,
                                   runtime::Session &session, const LaunchChecks &checks) {
  if (options.gpuArch.empty())
    options.gpuArch = "sm_90a";
  options.debugInfo = true;
  std::optional<std::string> text = compileToPTX(options, module);
  if (!text)
    return failure();
  llvm::Expected<PTXKernel> ptx = PTXKernel::read("<emitted PTX>", std::move(*text), kernel);
  if (!ptx)
    return reported(ptx.takeError());
  llvm::Error error = emulate(options, *ptx, session);
  // A fault behind an assertion that has failed is what the assertion is about.
  if (error && checks.hasFailed(session)) {
    llvm::consumeError(std::move(error));
    return success();
  }
  return reported(std::move(error));
}

/// Leaves a kernel and what it calls: what is wrong with the others for a device is nothing to this
/// launch.
static void removeOthers(ModuleOp module, KernelOp kept) {
  DenseSet<Operation *> reached{kept};
  SmallVector<Operation *> open{kept};
  SymbolTable symbols(module);
  while (!open.empty())
    open.pop_back_val()->walk([&](CallOpInterface call) {
      auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
      Operation *function = callee ? symbols.lookup(callee.getRootReference()) : nullptr;
      if (function && reached.insert(function).second)
        open.push_back(function);
    });
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<FunctionOpInterface>(op) && !reached.contains(&op))
      op.erase();
}

LogicalResult mettle::driver::run(const Options &options, ModuleOp module) {
  llvm::Expected<KernelOp> kernel = findKernel(module, options);
  if (!kernel)
    return reported(kernel.takeError());
  llvm::Expected<SmallVector<KernelParameter>> parameters = parametersOf(*kernel);
  if (!parameters)
    return reported(parameters.takeError());
  std::string name = kernel->getSymName().str();
  llvm::Expected<runtime::Session> session =
      runtime::Session::prepare(name, *parameters, options.session);
  if (!session)
    return reported(session.takeError());

  removeOthers(module, *kernel);
  LaunchChecks checks(*kernel);
  const auto &block = session->config().block;
  if (failed(kernel->verifyBlock({block[0], block[1], block[2]})))
    return failure();
  auto execute = [&]() -> LogicalResult {
    switch (options.device) {
    case Device::Interpreter: {
      Progress progress("running " + name, session->workgroups());
      return interpretKernel(*kernel, session->config(), *parameters, session->arguments(),
                             {options.stepLimit, options.subgroupSize, [&] { progress.advance(); },
                              [&](const interpreter::Print &print) { checks.take(print); }});
    }
    case Device::Emulator:
      return runInEmulator(options, module, name, *session, checks);
    case Device::CUDA:
      return runOnCUDA(options, module, name, session->config(), session->arguments());
    case Device::OpenCL:
      return runOnOpenCL(options, module, name, session->config(), session->arguments());
    }
    llvm_unreachable("every device is listed");
  };
  if (options.device != Device::Interpreter && failed(reported(checks.giveBuffer(*session))))
    return failure();
  LogicalResult ran = execute();
  // A launch that has failed may have printed, or have said why.
  if (failed(checks.finish(*session)) || failed(ran))
    return failure();
  return reported(session->finish(llvm::outs()));
}
