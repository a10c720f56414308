//===- mettle-judge.cpp - many programs, judge against judge --------------===//
//
// A test's hand on everything that executes: reads jobs from the standard input, runs each on its
// judges and says whether they return the same bits. One process opens a device once, so that a
// program costs milliseconds. Not shipped; `mettle run` is what people use.
//
// A job is a line of JSON:
//
//   {"text": "kernel k(...) ...", "kernel": "k", "grid": "2", "block": "32", "shared": 256,
//    "arguments": ["f32[64]=iota", ...], "judges": ["interp", "opencl -O", ...]}
//
// The answer is a line: {"fault": null}, {"fault": "refused: ..."} or {"fault": "interp and opencl
// differ: out[3] is 1 and 2; 7 elements differ"}. Two NaNs are equal.
//
//===----------------------------------------------------------------------===//

#include "Mettle/Frontend/Import.h"
#include "Mettle/Interpreter/InterpretableOpInterface.h"
#include "Mettle/Pipelines/CompileToSPIRV.h"
#include "Mettle/Pipelines/EmulatePTX.h"
#include "Mettle/Pipelines/ExecuteKernel.h"
#include "Mettle/Pipelines/Pipelines.h"
#include "Mettle/Pipelines/Registration.h"
#include "Mettle/Runtime/CUDA/Context.h"
#include "Mettle/Runtime/OpenCL/Context.h"
#include "Mettle/Runtime/OpenCL/Probe.h"
#include "Mettle/Target/PTX/Translate.h"
#include "Mettle/Target/SPIRV/TranslateToSPIRV.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <iostream>

using namespace mettle;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using runtime::Buffer;

namespace {
struct Judge {
  std::string name;
  StringRef device;
  bool optimize;

  static Expected<Judge> parse(StringRef name) {
    Judge judge{name.str(), name, name.ends_with(" -O")};
    if (judge.optimize)
      judge.device = name.drop_back(3);
    if (!llvm::is_contained({"interp", "emulate", "opencl", "cuda"}, judge.device))
      return llvm::createStringError("expected a judge interp, emulate, opencl or cuda, got '" +
                                     name + "'");
    return judge;
  }
};

struct Job {
  std::string text, kernel, grid = "1", block = "1";
  int64_t shared = 0;
  std::vector<std::string> arguments, judges;

  static Expected<Job> parse(StringRef line) {
    Expected<llvm::json::Value> value = llvm::json::parse(line);
    if (!value)
      return value.takeError();
    llvm::json::Path::Root root("job");
    llvm::json::ObjectMapper mapper(*value, root);
    Job job;
    if (!mapper || !mapper.map("text", job.text) || !mapper.map("kernel", job.kernel) ||
        !mapper.mapOptional("grid", job.grid) || !mapper.mapOptional("block", job.block) ||
        !mapper.mapOptional("shared", job.shared) || !mapper.map("arguments", job.arguments) ||
        !mapper.map("judges", job.judges))
      return root.getError();
    return job;
  }
};

/// The devices that jobs have asked for so far, each probed when it was opened.
class Devices {
public:
  Expected<runtime::opencl::Context *> openCL() {
    if (!openCLContext) {
      auto loader = runtime::opencl::Loader::load();
      if (!loader)
        return loader.takeError();
      auto context = runtime::opencl::Context::open(*loader);
      if (!context)
        return context.takeError();
      if (Error error = runtime::opencl::requireExact(*context))
        return error;
      openCLContext.emplace(std::move(*context));
    }
    return &*openCLContext;
  }

  Expected<runtime::cuda::Context *> cuda() {
    if (!cudaContext) {
      auto driver = runtime::cuda::Driver::load();
      if (!driver)
        return driver.takeError();
      auto context = runtime::cuda::Context::open(*driver);
      if (!context)
        return context.takeError();
      cudaContext.emplace(std::move(*context));
    }
    return &*cudaContext;
  }

private:
  std::optional<runtime::opencl::Context> openCLContext;
  std::optional<runtime::cuda::Context> cudaContext;
};

/// The first error of a compilation or a run in the interpreter, in one line.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (text.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            llvm::raw_string_ostream(text) << diagnostic.getLocation() << ": " << diagnostic;
        }) {}

  void note(StringRef message) {
    if (text.empty())
      text = message.split('\n').first;
  }
  Error take() const { return llvm::createStringError(text.empty() ? "no message" : text); }

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};
} // namespace

static Expected<std::string> compileToPTX(mlir::ModuleOp module, const Judge &judge,
                                          StringRef target, FirstError &error) {
  Expected<ptx::TargetSpec> spec = ptx::TargetSpec::parse(target, "");
  if (!spec)
    return spec.takeError();
  mlir::PassManager manager(module.getContext());
  buildPTXPipeline(manager, *spec, judge.optimize);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(manager.run(module)) || failed(ptx::translateToPTX(module, os, {*spec, false})))
    return error.take();
  return text;
}

static Error runOnCUDA(Devices &devices, mlir::ModuleOp module, const Judge &judge, const Job &job,
                       const runtime::LaunchConfig &config,
                       llvm::MutableArrayRef<runtime::LaunchArgument> arguments,
                       FirstError &error) {
  Expected<runtime::cuda::Context *> context = devices.cuda();
  if (!context)
    return context.takeError();
  runtime::cuda::ComputeCapability capability = (*context)->device().capability;
  std::string target = "sm_" + std::to_string(capability.major * 10 + capability.minor) +
                       (capability.major >= 9 ? "a" : "");
  Expected<std::string> text = compileToPTX(module, judge, target, error);
  if (!text)
    return text.takeError();
  return runtime::cuda::run(**context, *text, job.kernel, config, arguments);
}

/// Long enough for any test, and an end for a program that a fault keeps in a loop.
constexpr uint64_t stepLimit = 10'000'000;

static Error emulate(mlir::ModuleOp module, const Judge &judge, const Job &job,
                     const runtime::LaunchConfig &config,
                     llvm::ArrayRef<runtime::KernelParameter> parameters,
                     llvm::MutableArrayRef<runtime::LaunchArgument> arguments, FirstError &error) {
  Expected<std::string> text = compileToPTX(module, judge, "sm_90a", error);
  if (!text)
    return text.takeError();
  Expected<PTXKernel> kernel = PTXKernel::read("k.ptx", std::move(*text), job.kernel);
  if (!kernel)
    return kernel.takeError();
  emulator::RunOptions options;
  options.stepLimit = stepLimit;
  return kernel->run(config, parameters, arguments, options);
}

static Error runOnOpenCL(Devices &devices, mlir::ModuleOp module, const Judge &judge,
                         const Job &job, const runtime::LaunchConfig &config,
                         llvm::MutableArrayRef<runtime::LaunchArgument> arguments,
                         FirstError &error) {
  Expected<runtime::opencl::Context *> context = devices.openCL();
  if (!context)
    return context.takeError();
  // Both versions are judged: what is optimized is written as 1.0, but for kernels that fix their
  // subgroup's size, which 1.0 cannot.
  bool fixesSubgroup = llvm::any_of(module.getOps<KernelOp>(),
                                    [](KernelOp kernel) { return kernel.getSubgroupSize(); });
  SPIRVCompileOptions options;
  options.optimize = judge.optimize;
  options.version = judge.optimize && !fixesSubgroup ? SPIRVVersion::V1_0 : SPIRVVersion::V1_4;
  mlir::PassManager manager(module.getContext());
  buildSPIRVPipeline(manager, options);
  llvm::SmallVector<uint32_t, 0> words;
  if (failed(manager.run(module)) || failed(translateToSPIRV(module, words)))
    return error.take();
  return runtime::opencl::run(**context, words, job.kernel, config, arguments);
}

using Arrays = std::vector<runtime::LaunchArgument>;

static Expected<Arrays> run(Devices &devices, const Job &job, const Judge &judge) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  interpreter::registerModels(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  FirstError error(context);
  auto module = frontend::importMettleSource(
      "k.mettle", job.text, &context, {},
      [&](const frontend::Source &source, const frontend::Diagnostic &diagnostic) {
        std::string text;
        llvm::raw_string_ostream os(text);
        frontend::printText(os, source, diagnostic);
        error.note(text);
      });
  if (!module)
    return error.take();
  mlir::PassManager manager(&context);
  buildNeutralPipeline(manager, judge.optimize);
  if (failed(manager.run(*module)))
    return error.take();
  auto kernel = module->lookupSymbol<KernelOp>(job.kernel);
  if (!kernel)
    return llvm::createStringError("expected a kernel '" + job.kernel + "', found none");

  runtime::LaunchConfig config;
  config.dynamicShared = job.shared;
  for (auto [extents, option, text] :
       {std::tuple(&config.grid, "grid", &job.grid), {&config.block, "block", &job.block}}) {
    Expected<runtime::Extents> parsed = runtime::parseExtents(option, *text);
    if (!parsed)
      return parsed.takeError();
    *extents = *parsed;
  }
  auto parameters = parametersOf(kernel);
  if (!parameters)
    return parameters.takeError();
  auto arguments = runtime::parseLaunchArguments(job.kernel, *parameters, job.arguments);
  if (!arguments)
    return arguments.takeError();

  if (judge.device == "interp") {
    if (failed(interpretKernel(kernel, config, *parameters, *arguments, {stepLimit, 0, {}})))
      return error.take();
  } else if (judge.device == "emulate") {
    if (Error fault = emulate(*module, judge, job, config, *parameters, *arguments, error))
      return fault;
  } else if (judge.device == "opencl") {
    if (Error fault = runOnOpenCL(devices, *module, judge, job, config, *arguments, error))
      return fault;
  } else if (Error fault = runOnCUDA(devices, *module, judge, job, config, *arguments, error)) {
    return fault;
  }
  return std::move(*arguments);
}

static bool isSame(runtime::ElementType type, uint64_t left, uint64_t right) {
  return left == right || (runtime::recordOf(type).kind == runtime::ElementKind::Float &&
                           std::isnan(runtime::elementAsDouble(type, left)) &&
                           std::isnan(runtime::elementAsDouble(type, right)));
}

/// Empty where every array is the same.
static std::string difference(const Arrays &left, const Arrays &right) {
  for (auto [index, pair] : llvm::enumerate(llvm::zip_equal(left, right))) {
    const auto *a = std::get_if<Buffer>(&std::get<0>(pair).value);
    const auto *b = std::get_if<Buffer>(&std::get<1>(pair).value);
    if (!a || a->data() == b->data())
      continue;
    uint64_t count = 0, first = 0;
    for (uint64_t i = 0, end = a->size(); i != end; ++i)
      if (!isSame(a->type(), a->bitsAt(i), b->bitsAt(i)) && count++ == 0)
        first = i;
    if (count)
      return "argument " + std::to_string(index + 1) + " [" + std::to_string(first) + "] is " +
             runtime::printElement(a->type(), a->bitsAt(first)) + " and " +
             runtime::printElement(a->type(), b->bitsAt(first)) + "; " + std::to_string(count) +
             " elements differ";
  }
  return "";
}

static std::string verdict(Devices &devices, const Job &job) {
  std::optional<Arrays> first;
  for (StringRef name : job.judges) {
    Expected<Judge> judge = Judge::parse(name);
    if (!judge)
      return "refused: " + toString(judge.takeError());
    Expected<Arrays> arrays = run(devices, job, *judge);
    if (!arrays)
      return "refused: " + judge->name + ": " +
             StringRef(toString(arrays.takeError())).split('\n').first.str();
    if (!first) {
      first = std::move(*arrays);
      continue;
    }
    if (std::string found = difference(*first, *arrays); !found.empty())
      return job.judges.front() + " and " + judge->name + " differ: " + found;
  }
  return "";
}

int main() {
  Devices devices;
  for (std::string line; std::getline(std::cin, line);) {
    Expected<Job> job = Job::parse(line);
    std::string fault = job ? verdict(devices, *job) : "refused: " + toString(job.takeError());
    llvm::json::OStream json(llvm::outs());
    json.object(
        [&] { json.attribute("fault", fault.empty() ? llvm::json::Value(nullptr) : fault); });
    llvm::outs() << '\n';
    llvm::outs().flush();
  }
}
