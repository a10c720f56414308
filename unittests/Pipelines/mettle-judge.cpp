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
// For faults planted in what is compiled, a job may have "emit": the answer is then {"compiled":
// "..."}, its first judge's PTX, or SPIR-V in hexadecimal digits. A job may have "compiled", which
// its last judge runs in place of what it compiles, and "checks": the emulator then looks for
// races.
//
// "emulate --check" and "emulate --check -O" are judges that look for races in every job.
//
// An argument of the process is the ptxas that compiles for a GPU, in place of the driver's.
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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
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
  bool optimize = false, checks = false;

  static Expected<Judge> parse(StringRef name) {
    Judge judge{name.str(), name};
    judge.optimize = judge.device.consume_back(" -O");
    judge.checks = judge.device.consume_back(" --check");
    if (!llvm::is_contained({"interp", "emulate", "opencl", "cuda"}, judge.device) ||
        (judge.checks && judge.device != "emulate"))
      return llvm::createStringError("expected a judge interp, emulate, opencl or cuda, got '" +
                                     name + "'");
    return judge;
  }
};

struct Job {
  std::string text, kernel, grid = "1", block = "1";
  int64_t shared = 0;
  std::vector<std::string> arguments, judges;
  bool emit = false, checks = false;
  std::optional<std::string> compiled;

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
        !mapper.map("judges", job.judges) || !mapper.mapOptional("emit", job.emit) ||
        !mapper.mapOptional("checks", job.checks) || !mapper.map("compiled", job.compiled))
      return root.getError();
    if (job.judges.empty())
      return llvm::createStringError("expected a judge, got none");
    return job;
  }
};

/// The devices that jobs have asked for so far, each probed when it was opened.
class Devices {
public:
  /// Compiles PTX for a GPU with this ptxas; with the driver's where it is empty.
  explicit Devices(std::string ptxas) : ptxas(std::move(ptxas)) {}

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
      context->assembleWith(ptxas);
      cudaContext.emplace(std::move(*context));
    }
    return &*cudaContext;
  }

private:
  std::string ptxas;
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

namespace {
/// Where a program is read and lowered.
struct CompileContext {
  mlir::MLIRContext context{registry(), mlir::MLIRContext::Threading::DISABLED};
  FirstError error{context};

private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    interpreter::registerModels(registry);
    return registry;
  }
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

/// SPIR-V in hexadecimal digits.
static Expected<std::string> compileToSPIRV(mlir::ModuleOp module, const Judge &judge,
                                            FirstError &error) {
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
  return llvm::toHex({reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4});
}

static Expected<std::string> targetOf(Devices &devices, const Judge &judge) {
  if (judge.device == "emulate")
    return "sm_90a";
  Expected<runtime::cuda::Context *> context = devices.cuda();
  if (!context)
    return context.takeError();
  runtime::cuda::ComputeCapability capability = (*context)->device().capability;
  return "sm_" + std::to_string(capability.major * 10 + capability.minor) +
         (capability.major >= 9 ? "a" : "");
}

/// What the judge's device takes: PTX, or SPIR-V in hexadecimal digits.
static Expected<std::string> compile(Devices &devices, mlir::ModuleOp module, const Judge &judge,
                                     FirstError &error) {
  if (judge.device == "opencl")
    return compileToSPIRV(module, judge, error);
  Expected<std::string> target = targetOf(devices, judge);
  if (!target)
    return target.takeError();
  return compileToPTX(module, judge, *target, error);
}

static Error runOnCUDA(Devices &devices, StringRef text, const Job &job,
                       const runtime::LaunchConfig &config,
                       llvm::MutableArrayRef<runtime::LaunchArgument> arguments) {
  Expected<runtime::cuda::Context *> context = devices.cuda();
  if (!context)
    return context.takeError();
  return runtime::cuda::run(**context, text.str(), job.kernel, config, arguments);
}

/// Long enough for any test, and an end for a program that a fault keeps in a loop.
constexpr uint64_t stepLimit = 10'000'000;

static Error emulate(StringRef text, const Job &job, bool checks,
                     const runtime::LaunchConfig &config,
                     llvm::ArrayRef<runtime::KernelParameter> parameters,
                     llvm::MutableArrayRef<runtime::LaunchArgument> arguments) {
  Expected<PTXKernel> kernel = PTXKernel::read("k.ptx", text.str(), job.kernel);
  if (!kernel)
    return kernel.takeError();
  emulator::RunOptions options;
  options.stepLimit = stepLimit;
  options.checks = checks || job.checks;
  return kernel->run(config, parameters, arguments, options);
}

static Error runOnOpenCL(Devices &devices, StringRef digits, const Job &job,
                         const runtime::LaunchConfig &config,
                         llvm::MutableArrayRef<runtime::LaunchArgument> arguments) {
  Expected<runtime::opencl::Context *> context = devices.openCL();
  if (!context)
    return context.takeError();
  std::string bytes;
  if (digits.size() % 8 || !llvm::tryGetFromHex(digits, bytes))
    return llvm::createStringError("expected words of SPIR-V in hexadecimal digits");
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return runtime::opencl::run(**context, words, job.kernel, config, arguments);
}

using Arrays = std::vector<runtime::LaunchArgument>;

static Expected<mlir::OwningOpRef<mlir::ModuleOp>>
import(const Job &job, const Judge &judge, mlir::MLIRContext &context, FirstError &error) {
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
  return module;
}

static Expected<std::string> emit(Devices &devices, const Job &job) {
  Expected<Judge> judge = Judge::parse(job.judges.front());
  if (!judge)
    return judge.takeError();
  CompileContext context;
  auto module = import(job, *judge, context.context, context.error);
  if (!module)
    return module.takeError();
  return compile(devices, **module, *judge, context.error);
}

static Expected<Arrays> run(Devices &devices, const Job &job, const Judge &judge,
                            const std::optional<std::string> &compiled) {
  CompileContext context;
  auto module = import(job, judge, context.context, context.error);
  if (!module)
    return module.takeError();
  auto kernel = (*module)->lookupSymbol<KernelOp>(job.kernel);
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
      return context.error.take();
    return std::move(*arguments);
  }
  Expected<std::string> code =
      compiled ? *compiled : compile(devices, **module, judge, context.error);
  if (!code)
    return code.takeError();
  Error fault = judge.device == "emulate"
                    ? emulate(*code, job, judge.checks, config, *parameters, *arguments)
                : judge.device == "opencl" ? runOnOpenCL(devices, *code, job, config, *arguments)
                                           : runOnCUDA(devices, *code, job, config, *arguments);
  if (fault)
    return fault;
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
  for (const std::string &name : job.judges) {
    Expected<Judge> judge = Judge::parse(name);
    if (!judge)
      return "refused: " + toString(judge.takeError());
    bool isLast = &name == &job.judges.back();
    Expected<Arrays> arrays = run(devices, job, *judge, isLast ? job.compiled : std::nullopt);
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

int main(int argc, char **argv) {
  Devices devices(argc > 1 ? argv[1] : "");
  for (std::string line; std::getline(std::cin, line);) {
    Expected<Job> job = Job::parse(line);
    std::string fault, compiled;
    if (!job)
      fault = "refused: " + toString(job.takeError());
    else if (!job->emit)
      fault = verdict(devices, *job);
    else if (Expected<std::string> text = emit(devices, *job))
      compiled = std::move(*text);
    else
      fault = "refused: " + toString(text.takeError());
    llvm::json::OStream json(llvm::outs());
    json.object([&] {
      json.attribute("fault", fault.empty() ? llvm::json::Value(nullptr) : fault);
      if (!compiled.empty())
        json.attribute("compiled", compiled);
    });
    llvm::outs() << '\n';
    llvm::outs().flush();
  }
}
