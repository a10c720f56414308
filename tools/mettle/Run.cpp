//===- Run.cpp - executing a kernel -===//
//
// Finds the kernel, makes its arguments from their texts, runs it where asked, and shows or saves
// the arrays.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Mettle/Dialect/Mettle/IR/KernelOps.h"
#include "Mettle/Pipelines/ExecuteKernel.h"
#include "Mettle/Runtime/CUDA/Context.h"
#include "Mettle/Runtime/Launch.h"
#include "Mettle/Runtime/Npy.h"
#include "Mettle/Runtime/OpenCL/Context.h"
#include "Mettle/Runtime/OpenCL/Loader.h"
#include "Mettle/Runtime/OpenCL/Probe.h"
#include "Mettle/Runtime/Report.h"
#include "Mettle/Support/Progress.h"
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

/// What a device's functions return, reported.
static LogicalResult reported(llvm::Error error) {
  if (!error)
    return success();
  report(std::move(error));
  return failure();
}

static LogicalResult runOnCUDA(const Options &options, ModuleOp module, StringRef kernel,
                               const runtime::LaunchConfig &config,
                               MutableArrayRef<LaunchArgument> arguments) {
  llvm::Expected<std::shared_ptr<const runtime::cuda::Driver>> driver =
      runtime::cuda::Driver::load();
  if (!driver)
    return reported(driver.takeError());
  llvm::Expected<runtime::cuda::Context> context = runtime::cuda::Context::open(*driver);
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

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// A `--save` resolved to its argument before the run, so that a wrong one costs no run.
struct Save {
  size_t argument;
  std::string path;
};

static llvm::Expected<SmallVector<Save>> resolveSaves(const Options &options,
                                                      ArrayRef<KernelParameter> parameters) {
  SmallVector<Save> saves;
  for (StringRef text : options.saves) {
    auto [name, path] = text.split('=');
    const auto *found =
        llvm::find_if(parameters, [&, name = name](const KernelParameter &parameter) {
          return parameter.name == name && parameter.isPointer;
        });
    if (path.empty() || found == parameters.end())
      return llvm::createStringError("expected --save PARAMETER=FILE.npy with an array parameter, "
                                     "got '" +
                                     text + "'");
    saves.push_back({size_t(found - parameters.begin()), path.str()});
  }
  return saves;
}

LogicalResult mettle::driver::run(const Options &options, ModuleOp module) {
  llvm::Expected<KernelOp> kernel = findKernel(module, options);
  if (!kernel)
    return reported(kernel.takeError());
  llvm::Expected<SmallVector<KernelParameter>> parameters = parametersOf(*kernel);
  if (!parameters)
    return reported(parameters.takeError());
  llvm::Expected<SmallVector<Save>> saves = resolveSaves(options, *parameters);
  if (!saves)
    return reported(saves.takeError());

  runtime::LaunchConfig config;
  config.dynamicShared = options.shared;
  for (auto [extents, option, text] : {std::tuple(&config.grid, "grid", &options.grid),
                                       {&config.block, "block", &options.block}}) {
    llvm::Expected<runtime::Extents> parsed = runtime::parseExtents(option, *text);
    if (!parsed)
      return reported(parsed.takeError());
    *extents = *parsed;
  }
  if (llvm::Error error = config.validate())
    return reported(std::move(error));

  std::string name = kernel->getSymName().str();
  llvm::Expected<std::vector<LaunchArgument>> arguments =
      runtime::parseLaunchArguments(name, *parameters, options.arguments);
  if (!arguments)
    return reported(arguments.takeError());

  auto execute = [&]() -> LogicalResult {
    switch (options.device) {
    case Device::Interpreter: {
      Progress progress("running " + name, config.grid[0] * config.grid[1] * config.grid[2]);
      return interpretKernel(*kernel, config, *parameters, *arguments, options.stepLimit,
                             [&] { progress.advance(); });
    }
    case Device::CUDA:
      return runOnCUDA(options, module, name, config, *arguments);
    case Device::OpenCL:
      return runOnOpenCL(options, module, name, config, *arguments);
    }
    llvm_unreachable("every device is listed");
  };
  if (failed(execute()))
    return failure();

  for (const Save &save : *saves)
    if (llvm::Error error = runtime::writeNpy(
            save.path, std::get<runtime::Buffer>((*arguments)[save.argument].value)))
      return reported(std::move(error));
  std::vector<runtime::NamedBuffer> arrays;
  for (auto [parameter, argument] : llvm::zip_equal(*parameters, *arguments))
    if (auto *buffer = std::get_if<runtime::Buffer>(&argument.value))
      arrays.push_back({parameter.name, buffer});
  options.json ? runtime::printJSON(llvm::outs(), arrays)
               : runtime::printTable(llvm::outs(), arrays);
  return success();
}
