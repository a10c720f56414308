//===- Compile.cpp - from neutral IR to a target -===//
//
// Chooses the target, lowers and writes.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include "Mettle/Dialect/SPIRVX/IR/SPIRVXModuleOps.h"
#include "Mettle/Pipelines/CompileToSPIRV.h"
#include "Mettle/Pipelines/Pipelines.h"
#include "Mettle/Runtime/CUDA/Driver.h"
#include "Mettle/Target/PTX/Translate.h"
#include "Mettle/Target/SPIRV/TranslateToSPIRV.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mettle;
using namespace mettle::driver;

/// The target that was asked for; else the local device's, with its architecture-specific
/// instructions from sm_90 on; else gb10.
static llvm::Expected<ptx::TargetSpec> chooseTarget(const Options &options) {
  std::string name = options.gpuArch;
  if (name.empty()) {
    name = "gb10";
    if (std::optional<runtime::cuda::ComputeCapability> capability =
            runtime::cuda::queryLocalDevice())
      name = "sm_" + std::to_string(capability->major * 10 + capability->minor) +
             (capability->major >= 9 ? "a" : "");
  }
  return ptx::TargetSpec::parse(name, options.ptxVersion);
}

std::optional<std::string> mettle::driver::compileToPTX(const Options &options, ModuleOp module) {
  llvm::Expected<ptx::TargetSpec> target = chooseTarget(options);
  if (!target) {
    report(target.takeError());
    return std::nullopt;
  }
  PassManager manager(module.getContext());
  buildPTXPipeline(manager, *target, options.optimize);
  if (failed(runPasses(options, manager, module)))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  ptx::PTXOptions translation;
  translation.target = *target;
  translation.lineInfo = options.debugInfo;
  if (failed(ptx::translateToPTX(module, os, translation)))
    return std::nullopt;
  return text;
}

std::optional<SmallVector<uint32_t>> mettle::driver::compileToSPIRV(const Options &options,
                                                                    ModuleOp module) {
  SPIRVCompileOptions compile;
  compile.version = options.spirvVersion;
  compile.optimize = options.optimize;
  // A module converted before is encoded as it is.
  if (module.getOps<spirvx::ModuleOp>().empty()) {
    PassManager manager(module.getContext());
    buildSPIRVPipeline(manager, compile);
    if (failed(runPasses(options, manager, module)))
      return std::nullopt;
  }
  SmallVector<uint32_t> words;
  SPIRVOptions encoding;
  encoding.debugInfo = options.debugInfo;
  if (failed(translateToSPIRV(module, words, encoding)))
    return std::nullopt;
  return words;
}
